import { appError } from '../../../shared/contract/app-error.ts';
import type { CallOutput } from '../../../shared/contract/contract.ts';
import type { RowProblem } from '../../../shared/model/manifest/check-rows.ts';
import { ERROR_HEADER } from '../../../shared/model/manifest/fields.ts';
import type { OpenedTable } from './table/open-table.ts';

const LONGEST_VALUE = 200;

/** Returns a problem as a screen shows it. `column` counts from 1, as in a spreadsheet. */
export function shownProblem(
  { row, column, code, value }: RowProblem,
  headers: readonly string[],
): CallOutput<'manifest.problems'>['rows'][number] {
  return {
    row,
    column: column === null ? null : column + 1,
    header: column === null ? '' : (headers[column] ?? ''),
    value: value.slice(0, LONGEST_VALUE),
    error: appError(code).toData(),
  };
}

/** Returns the rows of a file with one more column: the errors of each row, with their columns and next steps. */
export function withErrors({ headers, rows }: OpenedTable, problems: readonly RowProblem[]): string[][] {
  const byRow = new Map<number, string[]>();
  for (const problem of problems) {
    const { header, error } = shownProblem(problem, headers);
    const text = `${header === '' ? '' : `${header}: `}${error.message} ${error.nextStep ?? ''}`.trim();
    byRow.set(problem.row, [...(byRow.get(problem.row) ?? []), text]);
  }
  // The column of an earlier copy is replaced.
  const old = headers.indexOf(ERROR_HEADER);
  const width = old < 0 ? Math.max(headers.length, ...rows.map(({ cells }) => cells.length)) : old;
  const line = (cells: readonly string[], error: string) => [
    ...Array.from({ length: width }, (_, column) => cells[column] ?? ''),
    error,
  ];
  return [line(headers, ERROR_HEADER), ...rows.map(({ row, cells }) => line(cells, (byRow.get(row) ?? []).join('\n')))];
}
