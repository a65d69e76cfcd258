import type { Output } from '../output/output.ts';
import { counted } from './admin-outcome.ts';

/** The headings of the columns of a list, with the text of a row in each. */
export type Columns<R> = Readonly<Record<string, (row: R) => string>>;

/**
 * Prints a list as a table and the number of its rows; with `--json`, one record `{ name: row }` for each row. `one`: the word for
 * a row.
 */
export function printList<R>(
  output: Output,
  { name, one = name, columns }: { name: string; one?: string; columns: Columns<R> },
  rows: readonly R[],
): void {
  for (const row of rows) output.record({ [name]: row });
  printTable(output, columns, rows);
  output.note(rows.length === 0 ? `No ${one}s.` : `${counted(rows.length, one)}.`);
}

/** Prints rows as columns below their headings. */
export function printTable<R>(output: Output, columns: Columns<R>, rows: readonly R[]): void {
  const cells = Object.values(columns);
  output.table(
    Object.keys(columns),
    rows.map((row) => cells.map((cell) => cell(row))),
  );
}

/** The most rows of a preview. */
const SHOWN = 100;

/** Prints the first rows of what a command is about to change, and how many more there are. */
export function printPreview<R>(output: Output, columns: Columns<R>, rows: readonly R[]): void {
  printTable(output, columns, rows.slice(0, SHOWN));
  if (rows.length > SHOWN) output.line(`… and ${rows.length - SHOWN} more.`);
}
