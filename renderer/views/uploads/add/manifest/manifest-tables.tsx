import type { OpenedManifest } from '../../../../../shared/contract/manifest-calls.ts';
import { FILE_ROW_FIELDS, type FileRowField } from '../../../../../shared/model/manifest/file-rows.ts';
import { Button } from '../../../../components/button.tsx';
import { Select } from '../../../../components/forms/select.tsx';
import { chooseColumn, readManifest, saveManifestErrors } from '../../../../stores/uploads/add-manifests.ts';
import type { ManifestOffer } from '../../../../stores/uploads/manifest-offer.ts';
import styles from './manifest.module.css';
import { texts } from './texts.ts';

const NONE = 'none';
const OPTIONS: readonly { value: FileRowField | typeof NONE; label: string }[] = [
  { value: NONE, label: texts.notUsed },
  ...FILE_ROW_FIELDS.map((value) => ({ value, label: texts.fields[value] })),
];

/** The columns of a spreadsheet, each with an example and what it is used as. */
export function ColumnMapping({ offer, opened }: { offer: ManifestOffer; opened: OpenedManifest }) {
  const { headers, sample } = opened;
  return (
    <table className={styles.table} aria-label={texts.columns}>
      <thead>
        <tr>
          <th scope="col">{texts.column}</th>
          <th scope="col">{texts.example}</th>
          <th scope="col">{texts.field}</th>
        </tr>
      </thead>
      <tbody>
        {headers.map((header, column) => {
          const name = header.trim() === '' ? texts.unnamed(column + 1) : header;
          const example = sample.map((cells) => cells[column] ?? '').find((cell) => cell.trim() !== '');
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the columns of a file never move
            <tr key={column}>
              <th scope="row" title={name}>
                {name}
              </th>
              <td title={example}>{example ?? texts.noExample}</td>
              <td>
                <Select
                  bare
                  label={texts.fieldOf(name)}
                  value={offer.mapping[column] ?? NONE}
                  options={OPTIONS}
                  onChange={(value) => chooseColumn(offer.path, column, value === NONE ? null : value)}
                />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

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
                {texts.row}
              </th>
              <th scope="col">{texts.place}</th>
              <th scope="col">{texts.value}</th>
              <th scope="col">{texts.error}</th>
            </tr>
          </thead>
          <tbody>
            {problems.map(({ row, column, header, value, error }) => (
              <tr key={`${row} ${column} ${error.code}`}>
                <td>{row}</td>
                <td title={header}>{header === '' ? texts.wholeRow : header}</td>
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
        <Button onPress={() => void readManifest(path)}>{texts.again}</Button>
        <Button onPress={() => void saveManifestErrors(path)}>{texts.saveErrors}</Button>
      </div>
    </>
  );
}
