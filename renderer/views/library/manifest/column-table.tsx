import type { OpenedManifest } from '../../../../shared/contract/manifest-calls.ts';
import { MANIFEST_FIELDS, type ManifestField, type Mapping } from '../../../../shared/model/manifest/fields.ts';
import { Select } from '../../../components/forms/select.tsx';
import { chooseField } from '../../../stores/library/manifest/import-store.ts';
import styles from './manifest.module.css';
import { texts } from './texts.ts';

const words = texts.import;
const NONE = 'none';
const OPTIONS: readonly { value: ManifestField | typeof NONE; label: string }[] = [
  { value: NONE, label: words.notImported },
  ...MANIFEST_FIELDS.map((value) => ({ value, label: words.fields[value] })),
];

/** The columns of a file, each with an example and the field that it changes. */
export function ColumnTable({ opened, mapping }: { opened: OpenedManifest; mapping: Mapping }) {
  const { headers, sample } = opened;
  return (
    <div className={styles.columns}>
      <table className={styles.table} aria-label={words.columns}>
        <thead>
          <tr>
            <th scope="col" className={styles.headCell}>
              {words.column}
            </th>
            <th scope="col" className={styles.headCell}>
              {words.example}
            </th>
            <th scope="col" className={styles.headCell}>
              {words.field}
            </th>
          </tr>
        </thead>
        <tbody>
          {headers.map((header, column) => {
            const name = header.trim() === '' ? words.unnamed(column + 1) : header;
            const example = sample.map((cells) => cells[column] ?? '').find((cell) => cell.trim() !== '');
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: the columns of a file never move
              <tr key={column}>
                <th scope="row" className={styles.nameCell} title={name}>
                  {name}
                </th>
                <td className={example === undefined ? styles.noExample : styles.cell} title={example}>
                  {example ?? words.noExample}
                </td>
                <td className={styles.cell}>
                  <Select
                    bare
                    label={words.fieldOf(name)}
                    value={mapping[column] ?? NONE}
                    options={OPTIONS}
                    onChange={(value) => chooseField(column, value === NONE ? null : value)}
                  />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
