import type { CellKind } from './cell-text.ts';

export interface GridColumn {
  key: string;
  label: string;
  /** The width at first, in CSS pixels. */
  width: number;
  kind: CellKind;
  readOnly?: boolean;
  /** The values that a `choice` offers. */
  choices?: readonly string[];
  /** Returns the problem of a text, as users read it; null when it is valid. */
  validate?: (text: string, rowId: string) => string | null;
}

/** A row as it was before the user changed it: one text for each column. */
export interface GridRow {
  id: string;
  cells: readonly string[];
  /** None of its cells can be changed. */
  readOnly?: boolean;
}

/** A cell. Both numbers count from 0. */
export interface GridPlace {
  row: number;
  column: number;
}

/** Selected cells: the rectangle between `anchor` and `extent`. `focus` is the cell that keys and edits apply to. */
export interface GridSelection {
  anchor: GridPlace;
  extent: GridPlace;
  focus: GridPlace;
}

/** A rectangle of cells. All four sides are included. */
export interface GridRange {
  top: number;
  left: number;
  bottom: number;
  right: number;
}

/** A row as it is now. */
export interface RowState {
  /** The cells of `GridRow` itself while nothing is changed. */
  cells: readonly string[];
  /** The problem of each cell; null while the whole row is valid. */
  problems: readonly (string | null)[] | null;
  /** Cells that differ from `GridRow`. */
  changed: number;
}

/**
 * Checks cells that depend on each other. `row`: the row before the user changed it; `cells`: its present texts. Returns a
 * problem for each invalid column, by the key of the column.
 */
export type CheckRow = (row: GridRow, cells: readonly string[]) => ReadonlyMap<string, string>;

export type GridAction = 'edit' | 'paste' | 'cut' | 'clear' | 'fill' | 'replace' | 'revert' | 'undo' | 'redo';

/** The result of an action, for messages. */
export interface GridOutcome {
  action: GridAction;
  /** Cells whose text changed. */
  changed: number;
  /** Cells that can't be changed and were omitted. */
  readOnly: number;
  /** Cells of a paste that don't fit into the grid. */
  outside: number;
}

/** One action that can be undone. A patch holds the cells of one row before and after it. */
export interface GridStep {
  action: GridAction;
  patches: readonly { row: number; before: readonly string[]; after: readonly string[] }[];
  before: GridSelection;
  after: GridSelection;
}

/**
 * A table that a user edits. It is never modified: each action returns another model, which shares all rows that the action did
 * not change.
 */
export interface GridModel {
  columns: readonly GridColumn[];
  checkRow: CheckRow | null;
  base: readonly GridRow[];
  rows: readonly RowState[];
  selection: GridSelection;
  /** Cells that differ from `base`, rows with such cells, and cells with a problem. */
  changedCells: number;
  changedRows: number;
  problemCells: number;
  undos: readonly GridStep[];
  redos: readonly GridStep[];
  /** The result of the last action; null before the first one and after a movement. */
  last: GridOutcome | null;
}

const FIRST: GridPlace = { row: 0, column: 0 };

/** Returns a table of rows. `checkRow`: checks of several cells, in addition to the checks of the columns. */
export function createGrid(
  columns: readonly GridColumn[],
  base: readonly GridRow[],
  checkRow: CheckRow | null = null,
): GridModel {
  const model: GridModel = {
    columns,
    checkRow,
    base,
    rows: [],
    selection: { anchor: FIRST, extent: FIRST, focus: FIRST },
    changedCells: 0,
    changedRows: 0,
    problemCells: 0,
    undos: [],
    redos: [],
    last: null,
  };
  return counted(
    model,
    base.map((row) => rowStateOf(model, row, row.cells)),
  );
}

/** Returns a row with other cells, checked. */
export function rowStateOf({ columns, checkRow }: GridModel, base: GridRow, cells: readonly string[]): RowState {
  let changed = 0;
  let problems: (string | null)[] | null = null;
  const note = (column: number, problem: string | null | undefined) => {
    if (problem == null) return;
    problems ??= columns.map(() => null);
    problems[column] ??= problem;
  };
  for (const [column, { validate }] of columns.entries()) {
    const text = cells[column] ?? '';
    if (text !== (base.cells[column] ?? '')) changed += 1;
    note(column, validate?.(text, base.id));
  }
  const found = checkRow?.(base, cells);
  if (found !== undefined && found.size > 0) {
    for (const [column, { key }] of columns.entries()) note(column, found.get(key));
  }
  return { cells: changed === 0 ? base.cells : cells, problems, changed };
}

function counted(model: GridModel, rows: readonly RowState[]): GridModel {
  let [changedCells, changedRows, problemCells] = [0, 0, 0];
  for (const row of rows) {
    changedCells += row.changed;
    if (row.changed > 0) changedRows += 1;
    problemCells += countProblems(row);
  }
  return { ...model, rows, changedCells, changedRows, problemCells };
}

export function countProblems({ problems }: RowState): number {
  return problems === null ? 0 : problems.reduce((count, problem) => (problem === null ? count : count + 1), 0);
}

/** Returns the text of a cell; empty outside of the grid. */
export function textAt(model: GridModel, { row, column }: GridPlace): string {
  return model.rows[row]?.cells[column] ?? '';
}

/** Returns the problem of a cell; null when it is valid. */
export function problemAt(model: GridModel, { row, column }: GridPlace): string | null {
  return model.rows[row]?.problems?.[column] ?? null;
}

/** Returns whether a cell differs from its first text. */
export function isChanged(model: GridModel, { row, column }: GridPlace): boolean {
  return textAt(model, { row, column }) !== (model.base[row]?.cells[column] ?? '');
}

/** Whether a cell can't be changed. */
export function isReadOnly(model: GridModel, { row, column }: GridPlace): boolean {
  return model.columns[column]?.readOnly === true || model.base[row]?.readOnly === true;
}

/** A row that the user changed: its changed cells by the key of their column. */
export interface ChangedRow {
  id: string;
  cells: Record<string, string>;
}

/** Returns all changed rows, in their order, with the changed cells only. */
export function changedRows(model: GridModel): ChangedRow[] {
  const found: ChangedRow[] = [];
  for (const [row, { changed, cells }] of model.rows.entries()) {
    const base = model.base[row];
    if (changed === 0 || base === undefined) continue;
    const entries = model.columns.flatMap(({ key }, column): [string, string][] =>
      cells[column] === base.cells[column] ? [] : [[key, cells[column] ?? '']],
    );
    found.push({ id: base.id, cells: Object.fromEntries(entries) });
  }
  return found;
}

/**
 * Returns the table with other rows, such as after files were added. Changed cells of remaining rows keep their texts, and
 * actions on these rows can still be undone.
 */
export function withRows(model: GridModel, base: readonly GridRow[]): GridModel {
  const places = new Map(base.map(({ id }, row) => [id, row]));
  const placeOf: PlaceOf = (row) => places.get(model.base[row]?.id ?? '');
  /** A cell that the user did not change has the text of the new row. */
  const rebased = (cells: readonly string[], row: number, to: number): readonly string[] => {
    const [was, is] = [model.base[row]?.cells ?? [], base[to]?.cells ?? []];
    return is.map((text, at) => (cells[at] === was[at] ? text : (cells[at] ?? text)));
  };
  const moved = (steps: readonly GridStep[]): GridStep[] =>
    steps.flatMap((step) => {
      const patches = step.patches.flatMap(({ row, before, after }) => {
        const to = placeOf(row);
        return to === undefined ? [] : [{ row: to, before: rebased(before, row, to), after: rebased(after, row, to) }];
      });
      const [first] = patches;
      if (first === undefined) return [];
      const [before, after] = [
        movedSelection(step.before, placeOf, first.row),
        movedSelection(step.after, placeOf, first.row),
      ];
      return [{ ...step, patches, before, after }];
    });
  const rows = base.map((row) => rowStateOf(model, row, row.cells));
  for (const [row, state] of model.rows.entries()) {
    const to = placeOf(row);
    const next = to === undefined ? undefined : base[to];
    if (state.changed === 0 || to === undefined || next === undefined) continue;
    rows[to] = rowStateOf(model, next, rebased(state.cells, row, to));
  }
  const { column } = model.selection.focus;
  const focus = { row: placeOf(model.selection.focus.row) ?? 0, column };
  const next = { ...model, base, undos: moved(model.undos), redos: moved(model.redos), last: null };
  return counted({ ...next, selection: { anchor: focus, extent: focus, focus } }, rows);
}

/** Returns the position of a row of the old table in the new one; undefined when it was removed. */
type PlaceOf = (row: number) => number | undefined;

/** Returns a selection in a table with other rows: one cell of the row `fallback` when a corner of the selection was removed. */
function movedSelection(selection: GridSelection, placeOf: PlaceOf, fallback: number): GridSelection {
  const [anchor, extent, focus] = [selection.anchor, selection.extent, selection.focus].map(({ row, column }) => ({
    row: placeOf(row),
    column,
  })) as [MovedPlace, MovedPlace, MovedPlace];
  if (isPlace(anchor) && isPlace(extent) && isPlace(focus)) return { anchor, extent, focus };
  const only = { row: focus.row ?? fallback, column: focus.column };
  return { anchor: only, extent: only, focus: only };
}

type MovedPlace = Omit<GridPlace, 'row'> & { row: number | undefined };

function isPlace(place: MovedPlace): place is GridPlace {
  return place.row !== undefined;
}

/** Returns the table with other rules for its cells. The columns have to have the same keys, in the same order. */
export function withChecks(
  model: GridModel,
  columns: readonly GridColumn[],
  checkRow: CheckRow | null = model.checkRow,
): GridModel {
  const next = { ...model, columns, checkRow };
  return counted(
    next,
    model.rows.map(({ cells }, row) => rowStateOf(next, model.base[row] ?? { id: '', cells }, cells)),
  );
}

/** Returns the table with problems from another check. Each problem stays until its row is changed. */
export function withProblems(
  model: GridModel,
  found: readonly { id: string; column: string; problem: string }[],
): GridModel {
  const rowOf = new Map(model.base.map(({ id }, row) => [id, row]));
  const rows = [...model.rows];
  for (const { id, column, problem } of found) {
    const row = rowOf.get(id);
    const state = row === undefined ? undefined : rows[row];
    const at = model.columns.findIndex(({ key }) => key === column);
    if (row === undefined || state === undefined || at < 0) continue;
    const problems = model.columns.map((_, each) => (each === at ? problem : (state.problems?.[each] ?? null)));
    rows[row] = { ...state, problems };
  }
  return counted(model, rows);
}
