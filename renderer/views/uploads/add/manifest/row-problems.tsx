import { Button } from '../../../../components/button.tsx';
import { readManifest, saveManifestErrors } from '../../../../stores/uploads/add-manifests.ts';
import type { ManifestOffer } from '../../../../stores/uploads/manifest-offer.ts';
import { texts as shared } from '../../../shared/spreadsheet/texts.ts';
import styles from './manifest.module.css';
import { texts } from './texts.ts';

/** The first errors of a check, with row, column and code. */
export function RowProblems({ offer, total }: { offer: ManifestOffer; total: number }) {
  const { path, problems } = offer;
  const more = total - problems.length;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
      <section className={styles.problems} aria-label={texts.problems} tabIndex={0}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col" className={styles.row}>
                {shared.row}
              </th>
              <th scope="col">{shared.place}</th>
              <th scope="col">{shared.value}</th>
              <th scope="col">{shared.error}</th>
            </tr>
          </thead>
          <tbody>
            {problems.map(({ row, column, header, value, error }) => (
              <tr key={`${row} ${column} ${error.code}`}>
                <td>{row}</td>
                <td title={header}>{header === '' ? shared.wholeRow : header}</td>
                <td title={value}>{value}</td>
                <td title={error.nextStep ?? ''}>
                  {error.message} <code className={styles.code}>{error.code}</code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {more > 0 ? <p className={styles.hint}>{texts.moreProblems(more)}</p> : null}
      <div className={styles.actions}>
        <Button onPress={() => void readManifest(path)}>{shared.again}</Button>
        <Button onPress={() => void saveManifestErrors(path)}>{shared.saveErrors}</Button>
      </div>
    </>
  );
}
