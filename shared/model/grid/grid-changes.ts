import { cellText, isSameCell } from './cell-text.ts';
import {
  countProblems,
  type GridAction,
  type GridModel,
  type GridPlace,
  type GridRange,
  type GridSelection,
  type GridStep,
  isReadOnly,
  rowStateOf,
  textAt,
} from './grid-model.ts';
import { rangeOf } from './grid-selection.ts';

/** The maximum number of actions that can be undone. */
const MOST_STEPS = 200;

/** Puts a text into a cell. Cells outside of the grid and read-only ones are only counted. */
type Put = (row: number, column: number, text: string) => void;

/**
 * Applies one action: `fill` sets the texts, and all of them together are one undo step. An action that changes nothing adds no
 * step. `selection`: the selected cells afterwards.
 */
export function change(
  model: GridModel,
  action: GridAction,
  fill: (put: Put) => void,
  selection: GridSelection = model.selection,
): GridModel {
  const drafts = new Map<number, string[]>();
  const counts = { changed: 0, readOnly: 0, outside: 0 };
  fill((row, at, text) => {
    const column = model.columns[at];
    const present = drafts.get(row)?.[at] ?? model.rows[row]?.cells[at];
    if (column === undefined || present === undefined) {
      counts.outside += 1;
    } else if (isReadOnly(model, { row, column: at })) {
      counts.readOnly += 1;
    } else if (!isSameCell(column, text, present)) {
      const cells = drafts.get(row) ?? [...(model.rows[row]?.cells ?? [])];
      cells[at] = cellText(column, text);
      drafts.set(row, cells);
      counts.changed += 1;
    }
  });
  const last = { action, ...counts };
  if (drafts.size === 0) return { ...model, selection, last };
  const patches = [...drafts].map(([row, after]) => ({ row, before: model.rows[row]?.cells ?? [], after }));
  const step: GridStep = { action, patches, before: model.selection, after: selection };
  const undos = [...model.undos.slice(1 - MOST_STEPS), step];
  return { ...patched(model, step, 'after'), selection, undos, redos: [], last };
}

/** Sets the texts of one side of a step in its rows. */
function patched(model: GridModel, { patches }: GridStep, side: 'before' | 'after'): GridModel {
  const rows = [...model.rows];
  let { changedCells, changedRows, problemCells } = model;
  for (const patch of patches) {
    const [base, old] = [model.base[patch.row], rows[patch.row]];
    if (base === undefined || old === undefined) continue;
    const next = rowStateOf(model, base, patch[side]);
    rows[patch.row] = next;
    changedCells += next.changed - old.changed;
    changedRows += Math.sign(next.changed) - Math.sign(old.changed);
    problemCells += countProblems(next) - countProblems(old);
  }
  return { ...model, rows, changedCells, changedRows, problemCells };
}

/** Undoes the last action. Its cells are selected again. */
export function undo(model: GridModel): GridModel {
  const step = model.undos.at(-1);
  if (step === undefined) return model;
  const last = { action: 'undo', changed: cellsOf(step), readOnly: 0, outside: 0 } as const;
  const [undos, redos] = [model.undos.slice(0, -1), [...model.redos, step]];
  return { ...patched(model, step, 'before'), selection: step.before, undos, redos, last };
}

/** Applies the last undone action again. */
export function redo(model: GridModel): GridModel {
  const step = model.redos.at(-1);
  if (step === undefined) return model;
  const last = { action: 'redo', changed: cellsOf(step), readOnly: 0, outside: 0 } as const;
  const [undos, redos] = [[...model.undos, step], model.redos.slice(0, -1)];
  return { ...patched(model, step, 'after'), selection: step.after, undos, redos, last };
}

function cellsOf({ patches }: GridStep): number {
  let count = 0;
  for (const { before, after } of patches) {
    for (const [column, text] of after.entries()) if (text !== before[column]) count += 1;
  }
  return count;
}

/** Changes the text of one cell. */
export function setCell(model: GridModel, { row, column }: GridPlace, text: string): GridModel {
  return change(model, 'edit', (put) => put(row, column, text));
}

/** Puts one text into all selected cells. */
export function fillSelection(model: GridModel, text: string): GridModel {
  return change(model, 'fill', (put) => eachPlace(rangeOf(model.selection), (row, column) => put(row, column, text)));
}

/** Empties the selected cells. */
export function clear(model: GridModel, action: 'clear' | 'cut' = 'clear'): GridModel {
  return change(model, action, (put) => eachPlace(rangeOf(model.selection), (row, column) => put(row, column, '')));
}

/** Gives the selected cells the texts that they had at first. */
export function revertCells(model: GridModel): GridModel {
  return change(model, 'revert', (put) =>
    eachPlace(rangeOf(model.selection), (row, column) => {
      const text = model.base[row]?.cells[column] ?? '';
      if (text !== textAt(model, { row, column })) put(row, column, text);
    }),
  );
}

/** Copies the first selected row into the rows below it; the row above, when only one is selected. */
export function fillDown(model: GridModel): GridModel {
  const range = rangeOf(model.selection);
  const from = range.top === range.bottom ? range.top - 1 : range.top;
  if (from < 0) return change(model, 'fill', () => undefined);
  return change(model, 'fill', (put) =>
    eachPlace({ ...range, top: from + 1 }, (row, column) => put(row, column, textAt(model, { row: from, column }))),
  );
}

/** Copies the first selected column into the columns right of it; the column left, when only one is selected. */
export function fillRight(model: GridModel): GridModel {
  const range = rangeOf(model.selection);
  const from = range.left === range.right ? range.left - 1 : range.left;
  if (from < 0) return change(model, 'fill', () => undefined);
  return change(model, 'fill', (put) =>
    eachPlace({ ...range, left: from + 1 }, (row, column) => put(row, column, textAt(model, { row, column: from }))),
  );
}

function eachPlace({ top, left, bottom, right }: GridRange, visit: (row: number, column: number) => void): void {
  for (let row = top; row <= bottom; row += 1) for (let column = left; column <= right; column += 1) visit(row, column);
}
