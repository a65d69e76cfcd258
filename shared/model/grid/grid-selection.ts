import { type GridModel, type GridPlace, type GridRange, type GridSelection, problemAt, textAt } from './grid-model.ts';

export type Direction = 'up' | 'down' | 'left' | 'right';

/**
 * A movement of the focus:
 * - `step`  one cell
 * - `edge`  to the end of the filled or empty cells, as spreadsheets do
 * - `page`  some rows
 * - `row-start`, `row-end`, `grid-start`, `grid-end`  to the first or last cell
 */
export type GridMove =
  | { kind: 'step' | 'edge'; direction: Direction }
  | { kind: 'page'; direction: 'up' | 'down'; rows: number }
  | { kind: 'row-start' | 'row-end' | 'grid-start' | 'grid-end' };

/** Returns the rectangle of the selected cells. */
export function rangeOf({ anchor, extent }: GridSelection): GridRange {
  return {
    top: Math.min(anchor.row, extent.row),
    left: Math.min(anchor.column, extent.column),
    bottom: Math.max(anchor.row, extent.row),
    right: Math.max(anchor.column, extent.column),
  };
}

export function sizeOf({ top, left, bottom, right }: GridRange): { rows: number; columns: number; cells: number } {
  const [rows, columns] = [bottom - top + 1, right - left + 1];
  return { rows, columns, cells: rows * columns };
}

/** Moves the focus, or with `extends` the end of the selection. */
export function moveFocus(model: GridModel, move: GridMove, options: { extends: boolean }): GridModel {
  const from = options.extends ? model.selection.extent : model.selection.focus;
  return focusCell(model, placeAfter(model, from, move), options);
}

/** Gives a cell the focus. `extends`: selects all cells between the anchor and this cell instead; the focus is not moved. */
export function focusCell(model: GridModel, place: GridPlace, options: { extends: boolean }): GridModel {
  const at = withinGrid(model, place);
  return select(model, options.extends ? { ...model.selection, extent: at } : { anchor: at, extent: at, focus: at });
}

/** Selects all cells. The focus stays. */
export function selectAllCells(model: GridModel): GridModel {
  const extent = withinGrid(model, { row: model.rows.length - 1, column: model.columns.length - 1 });
  return select(model, { ...model.selection, anchor: { row: 0, column: 0 }, extent });
}

/** Selects the whole rows, or the whole columns, of the selected cells. The focus stays. */
export function selectWhole(model: GridModel, axis: 'rows' | 'columns'): GridModel {
  const { top, left, bottom, right } = rangeOf(model.selection);
  const [lastRow, lastColumn] = [Math.max(0, model.rows.length - 1), Math.max(0, model.columns.length - 1)];
  return axis === 'rows'
    ? select(model, {
        ...model.selection,
        anchor: { row: top, column: 0 },
        extent: { row: bottom, column: lastColumn },
      })
    : select(model, {
        ...model.selection,
        anchor: { row: 0, column: left },
        extent: { row: lastRow, column: right },
      });
}

/** Selects only the cell with the focus. */
export function selectFocus(model: GridModel): GridModel {
  const { focus } = model.selection;
  return select(model, { anchor: focus, extent: focus, focus });
}

/** Moves the focus to the next cell with a problem after the present one; after the last one the first follows. */
export function focusNextProblem(model: GridModel): GridModel {
  const { focus } = model.selection;
  const width = model.columns.length;
  for (let step = 0; step <= model.rows.length; step += 1) {
    const row = (focus.row + step) % Math.max(1, model.rows.length);
    if (model.rows[row]?.problems == null) continue;
    const from = step === 0 ? focus.column + 1 : 0;
    const to = step === model.rows.length ? focus.column + 1 : width;
    for (let column = from; column < to; column += 1) {
      if (problemAt(model, { row, column }) !== null) return focusCell(model, { row, column }, { extends: false });
    }
  }
  return model;
}

/** Moves the focus to the first cell with a problem. */
export function focusFirstProblem(model: GridModel): GridModel {
  const end: GridPlace = { row: model.rows.length - 1, column: model.columns.length - 1 };
  return model.problemCells === 0 ? model : focusNextProblem(focusCell(model, end, { extends: false }));
}

function select(model: GridModel, selection: GridSelection): GridModel {
  return { ...model, selection, last: null };
}

function withinGrid(model: GridModel, { row, column }: GridPlace): GridPlace {
  const within = (value: number, count: number) => Math.max(0, Math.min(count - 1, value));
  return { row: within(row, model.rows.length), column: within(column, model.columns.length) };
}

const WAYS: Readonly<Record<Direction, GridPlace>> = {
  up: { row: -1, column: 0 },
  down: { row: 1, column: 0 },
  left: { row: 0, column: -1 },
  right: { row: 0, column: 1 },
};

function placeAfter(model: GridModel, from: GridPlace, move: GridMove): GridPlace {
  const last: GridPlace = { row: model.rows.length - 1, column: model.columns.length - 1 };
  switch (move.kind) {
    case 'step':
      return plus(from, WAYS[move.direction]);
    case 'page':
      return { row: from.row + (move.direction === 'up' ? -move.rows : move.rows), column: from.column };
    case 'row-start':
      return { row: from.row, column: 0 };
    case 'row-end':
      return { row: from.row, column: last.column };
    case 'grid-start':
      return { row: 0, column: 0 };
    case 'grid-end':
      return last;
    case 'edge':
      return edgeFrom(model, from, WAYS[move.direction]);
  }
}

const plus = (one: GridPlace, other: GridPlace): GridPlace => ({
  row: one.row + other.row,
  column: one.column + other.column,
});

/** Returns the last filled cell before an empty one; if the cell is that one or empty, the next filled cell, or the last cell. */
function edgeFrom(model: GridModel, from: GridPlace, way: GridPlace): GridPlace {
  const isInside = ({ row, column }: GridPlace) =>
    row >= 0 && column >= 0 && row < model.rows.length && column < model.columns.length;
  const isFilled = (place: GridPlace) => textAt(model, place) !== '';
  let at = from;
  let next = plus(at, way);
  const crossesBlock = isInside(next) && isFilled(at) && isFilled(next);
  while (isInside(next)) {
    if (crossesBlock && !isFilled(next)) break;
    at = next;
    if (!crossesBlock && isFilled(at)) break;
    next = plus(at, way);
  }
  return at;
}
