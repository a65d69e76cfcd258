import { parseTsv, toTsv } from '../table/parse-tsv.ts';
import { TABLE_LIMITS, type TableLimits } from '../table/table-error.ts';
import { change } from './grid-changes.ts';
import { type GridModel, type GridPlace, type GridRange, isReadOnly } from './grid-model.ts';
import { rangeOf, sizeOf } from './grid-selection.ts';

/** A table of texts, by rows. Rows can have different lengths. */
export type TextTable = readonly (readonly string[])[];

/**
 * Reads the plain text of a clipboard as a table. A byte order mark and NUL characters are dropped. Throws `TableError`
 * beyond the limits.
 */
export function readClipboard(text: string, limits: TableLimits = TABLE_LIMITS): string[][] {
  const clean = text.includes('\0') ? text.replaceAll('\0', '') : text;
  return parseTsv(clean.startsWith('\uFEFF') ? clean.slice(1) : clean, limits);
}

/** Returns the selected cells as a text for the clipboard. A single line has no line break at its end. */
export function copyCells(model: GridModel): string {
  const { top, left, bottom, right } = rangeOf(model.selection);
  const rows = model.rows
    .slice(top, bottom + 1)
    .map(({ cells }) => Array.from({ length: right - left + 1 }, (_, at) => cells[left + at] ?? ''));
  const text = toTsv(rows);
  const [only, another] = rows;
  return another === undefined && only?.some((cell) => cell !== '') ? text.slice(0, -2) : text;
}

/** The plan of a paste: how often the table is repeated, and which parts don't fit into the grid. */
export interface PastePlan {
  range: GridRange;
  /** Rows and columns of the table that don't fit into the grid. */
  rowsOutside: number;
  columnsOutside: number;
  /** Cells of the grid that can't be changed. */
  readOnly: number;
}

/**
 * Returns the plan of `paste`: it begins at the first selected cell. A table that fits several times into the selected cells is
 * repeated, so one value fills them all.
 */
export function planPaste(model: GridModel, table: TextTable): PastePlan {
  const selected = rangeOf(model.selection);
  const size = sizeOf(selected);
  const columns = widthOf(table);
  const isRepeated = table.length > 0 && columns > 0 && size.rows % table.length === 0 && size.columns % columns === 0;
  const [height, width] = isRepeated ? [size.rows, size.columns] : [table.length, columns];
  const bottom = Math.min(model.rows.length, selected.top + height) - 1;
  const right = Math.min(model.columns.length, selected.left + width) - 1;
  let readOnly = 0;
  for (let row = selected.top; row <= bottom; row += 1) {
    for (let column = selected.left; column <= right; column += 1) {
      if (isReadOnly(model, { row, column })) readOnly += 1;
    }
  }
  return {
    range: { top: selected.top, left: selected.left, bottom, right },
    rowsOutside: Math.max(0, selected.top + height - model.rows.length),
    columnsOutside: Math.max(0, selected.left + width - model.columns.length),
    readOnly,
  };
}

function widthOf(table: TextTable): number {
  return table.reduce((width, cells) => Math.max(width, cells.length), 0);
}

/** Pastes a table as one undo step, see `planPaste`. A cell that a shorter row lacks is not changed. */
export function paste(model: GridModel, table: TextTable): GridModel {
  if (table.length === 0) return change(model, 'paste', () => undefined);
  const width = widthOf(table);
  const { range, rowsOutside, columnsOutside } = planPaste(model, table);
  const { top, left, bottom, right } = range;
  const extent: GridPlace = { row: Math.max(top, bottom), column: Math.max(left, right) };
  const anchor: GridPlace = { row: top, column: left };
  return change(
    model,
    'paste',
    (put) => {
      for (let row = top; row <= bottom + rowsOutside; row += 1) {
        const cells = table[(row - top) % table.length] ?? [];
        for (let column = left; column <= right + columnsOutside; column += 1) {
          const text = cells[(column - left) % width];
          if (text !== undefined) put(row, column, text);
        }
      }
    },
    { anchor, extent, focus: anchor },
  );
}
