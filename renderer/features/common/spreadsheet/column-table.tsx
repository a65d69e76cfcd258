import type { OpenedManifest } from '../../../../shared/contract/manifest-calls.ts';
import { type Option, Select } from '../../../kit/components/forms/select.tsx';
import { texts } from '../texts.ts';
import styles from './framed-table.module.css';

const NONE = 'none';

interface ColumnTableProps<F extends string> {
  opened: OpenedManifest;
  /** The field of each column; null: none. */
  mapping: readonly (F | null)[];
  fields: readonly F[];
  words: {
    fields: Readonly<Record<F, string>>;
    /** The label of a column without a field. */
    none: string;
    /** The heading of the fields, and the label of each choice. */
    field: string;
    fieldOf: (header: string) => string;
  };
  onChoose: (column: number, field: F | null) => void;
}

/** The columns of a spreadsheet, each with an example and the field that it fills. */
export function ColumnTable<F extends string>({ opened, mapping, fields, words, onChoose }: ColumnTableProps<F>) {
  const { headers, sample } = opened;
  const options: Option<F | typeof NONE>[] = [
    { value: NONE, label: words.none },
    ...fields.map((value) => ({ value, label: words.fields[value] })),
  ];
  return (
    <div className={styles.frame}>
      <table className={styles.table} aria-label={texts.spreadsheets.columns}>
        <thead>
          <tr>
            <th scope="col" className={styles.headCell}>
              {texts.spreadsheets.column}
            </th>
            <th scope="col" className={styles.headCell}>
              {texts.spreadsheets.example}
            </th>
            <th scope="col" className={styles.headCell}>
              {words.field}
            </th>
          </tr>
        </thead>
        <tbody>
          {headers.map((header, column) => {
            const name = header.trim() === '' ? texts.spreadsheets.unnamed(column + 1) : header;
            const example = sample.map((cells) => cells[column] ?? '').find((cell) => cell.trim() !== '');
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: the columns of a file never move
              <tr key={column}>
                <th scope="row" className={styles.nameCell} title={name}>
                  {name}
                </th>
                <td className={example === undefined ? styles.noExample : styles.cell} title={example}>
                  {example ?? texts.spreadsheets.noExample}
                </td>
                <td className={(mapping[column] ?? null) === null ? styles.cell : styles.fieldCell}>
                  <Select
                    bare
                    label={words.fieldOf(name)}
                    value={mapping[column] ?? NONE}
                    options={options}
                    onChange={(value) => onChoose(column, value === NONE ? null : value)}
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
