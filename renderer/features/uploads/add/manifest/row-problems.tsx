import { Button, classes } from '../../../../kit/components/button.tsx';
import table from '../../../common/spreadsheet/framed-table.module.css';
import { texts as shared } from '../../../common/texts.ts';
import { readManifest, saveManifestErrors } from '../../state/add-manifests.ts';
import type { ManifestOffer } from '../../state/manifest-offer.ts';
import { texts } from '../texts.ts';
import styles from './manifest.module.css';

/** The first errors of a check, with row, column and code. */
export function RowProblems({ offer, total }: { offer: ManifestOffer; total: number }) {
  const { path, problems } = offer;
  const more = total - problems.length;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
      <section className={classes(table.frame, styles.problems)} aria-label={texts.manifest.problems} tabIndex={0}>
        <table className={table.table}>
          <thead>
            <tr>
              <th scope="col" className={classes(table.headCell, styles.row)}>
                {shared.spreadsheets.row}
              </th>
              <th scope="col" className={table.headCell}>
                {shared.spreadsheets.place}
              </th>
              <th scope="col" className={table.headCell}>
                {shared.spreadsheets.value}
              </th>
              <th scope="col" className={table.headCell}>
                {shared.spreadsheets.error}
              </th>
            </tr>
          </thead>
          <tbody>
            {problems.map(({ row, column, header, value, error }) => (
              <tr key={`${row} ${column} ${error.code}`}>
                <td className={table.cell}>{row}</td>
                <td className={table.cell} title={header}>
                  {header === '' ? shared.spreadsheets.wholeRow : header}
                </td>
                <td className={table.cell} title={value}>
                  {value}
                </td>
                <td className={table.cell} title={error.nextStep ?? ''}>
                  {error.message} <code className={styles.code}>{error.code}</code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {more > 0 ? <p className={styles.hint}>{texts.manifest.moreProblems(more)}</p> : null}
      <div className={styles.actions}>
        <Button onPress={() => void readManifest(path)}>{shared.spreadsheets.again}</Button>
        <Button onPress={() => void saveManifestErrors(path)}>{shared.spreadsheets.saveErrors}</Button>
      </div>
    </>
  );
}
