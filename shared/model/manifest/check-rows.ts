import { planItem } from '../edits/bulk-change.ts';
import type { EditableMedia, EditOp } from '../edits/edit-ops.ts';
import type { TableRow } from '../table/table-error.ts';
import { readId } from './cells.ts';
import type { Mapping } from './fields.ts';
import type { CellProblemCode } from './problems.ts';
import { type CellProblem, type RowContext, readRow } from './read-row.ts';

/** An item as the user sees it, and as the library has it. */
interface KnownItem {
  effective: EditableMedia;
  truth: EditableMedia;
}

export interface CheckInput {
  /** Without the header. */
  rows: readonly TableRow[];
  /** Columns of the header. */
  width: number;
  mapping: Mapping;
  /** The items of the rows by id; items that the library does not have are missing. */
  items: ReadonlyMap<string, KnownItem>;
  context: RowContext;
}

/** A problem with its position. `row` as a spreadsheet numbers it; `column` counts from 0, null: the whole row. */
export interface RowProblem extends CellProblem {
  row: number;
}

/** The effect of an import. Rows with a problem are not planned, whatever their other cells contain. */
export interface CheckedRows {
  planned: { item: EditableMedia; ops: EditOp[] }[];
  /** Rows that change nothing. */
  unchanged: number;
  /** In the order of the rows. */
  problems: RowProblem[];
  /** Rows with a problem. */
  badRows: number;
}

/** The form of an id; other texts are not requested from the library. */
const POSSIBLE_ID = /^[\w-]{1,64}$/;

/** Returns the ids in the rows, each once. */
export function idsInRows(rows: readonly TableRow[], mapping: Mapping): string[] {
  const column = mapping.indexOf('id');
  const ids = new Set<string>();
  for (const { cells } of rows) {
    const read = readId(cells[column] ?? '');
    if (read?.kind === 'id' && POSSIBLE_ID.test(read.id)) ids.add(read.id);
  }
  return [...ids];
}

/** Rows per slice of `checkSlices`: a few milliseconds. */
const ROWS_IN_SLICE = 250;

/** Checks every row before anything is changed, with the function that plans every other edit. */
export function checkRows(input: CheckInput): CheckedRows {
  const slices = checkSlices(input);
  for (;;) {
    const { done, value } = slices.next();
    if (done) return value;
  }
}

/** Checks rows like `checkRows`, and yields between slices of them: the caller can do other work there. */
export function* checkSlices(input: CheckInput): Generator<undefined, CheckedRows> {
  const result: CheckedRows = { planned: [], unchanged: 0, problems: [], badRows: 0 };
  const firstRows = new Map<string, number>();
  for (const [at, row] of input.rows.entries()) {
    if (at % ROWS_IN_SLICE === ROWS_IN_SLICE - 1) yield;
    const problems = checkRow(row, input, firstRows, result);
    if (problems.length === 0) continue;
    result.badRows += 1;
    for (const problem of problems) result.problems.push({ ...problem, row: row.row });
  }
  return result;
}

function checkRow(
  { row, cells }: TableRow,
  { width, mapping, items, context }: CheckInput,
  firstRows: Map<string, number>,
  result: CheckedRows,
): CellProblem[] {
  const column = mapping.indexOf('id');
  const value = cells[column] ?? '';
  const whole = (code: CellProblemCode, text = value): CellProblem[] => [{ column, code, value: text }];
  const extra = cells.findIndex((cell, index) => index >= width && cell !== '');
  if (extra >= 0) return [{ column: extra, code: 'manifest.row-too-wide', value: cells[extra] ?? '' }];
  const read = readId(value);
  if (read === null) return whole('manifest.id-missing');
  if (read.kind === 'damaged') return whole('manifest.id-damaged');
  if (firstRows.has(read.id)) return whole('manifest.id-twice');
  firstRows.set(read.id, row);
  const item = items.get(read.id);
  if (item === undefined) return whole('manifest.item-unknown');
  const { change, problems } = readRow(cells, mapping, item.effective, context);
  if (problems.length > 0) return problems;
  const { ops, problem } = planItem(item.effective, change, item.truth);
  if (problem !== null) return [{ column: null, code: `edit.${problem}`, value: '' }];
  if (ops.length === 0) result.unchanged += 1;
  else result.planned.push({ item: item.effective, ops });
  return [];
}
