import { type HeadedLines, headedLines } from './headed-lines.ts';

/** The selected rows of a list. They are identified by id, so that a change of order does not change the selection. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  /** Present: all rows of the list are selected, loaded or not, except these ids; `ids` is empty then. */
  readonly except?: ReadonlySet<string>;
  /** Index of the row that has the keyboard focus; -1 for none. */
  readonly focus: number;
  /** Index where a range selection begins; -1 for none. */
  readonly anchor: number;
}

export const NO_SELECTION: Selection = { ids: new Set(), focus: -1, anchor: -1 };

/** Returns the id at an index; undefined while that row is not loaded. */
export type IdAt = (index: number) => string | undefined;

/**
 * Returns whether a row is selected; `id` is undefined while it is not loaded. Components call this function, so that only this
 * file depends on how a selection is stored.
 */
export function isSelected({ ids, except }: Selection, id: string | undefined): boolean {
  if (except !== undefined) return id === undefined || !except.has(id);
  return id !== undefined && ids.has(id);
}

/** Returns the number of selected rows in a list of `total` rows. */
export function countSelected({ ids, except }: Selection, total: number): number {
  return except === undefined ? ids.size : Math.max(0, total - except.size);
}

/** Selects all rows of a list of any length, without loading an id. */
export function selectResults(selection: Selection): Selection {
  return { ids: new Set(), except: new Set(), focus: Math.max(0, selection.focus), anchor: 0 };
}

function selectOne(index: number, idAt: IdAt): Selection {
  const id = idAt(index);
  return { ids: new Set(id === undefined ? [] : [id]), focus: index, anchor: index };
}

export function toggleOne(selection: Selection, index: number, idAt: IdAt): Selection {
  const id = idAt(index);
  if (id === undefined) return selection;
  const toggled = new Set(selection.except ?? selection.ids);
  if (!toggled.delete(id)) toggled.add(id);
  if (selection.except !== undefined) return { ids: NO_SELECTION.ids, except: toggled, focus: index, anchor: index };
  return { ids: toggled, focus: index, anchor: index };
}

/** Selects from the anchor to `index`; replaces the selection unless `keep`. */
export function selectRange(selection: Selection, index: number, idAt: IdAt, keep = false): Selection {
  const anchor = selection.anchor < 0 ? (selection.focus < 0 ? index : selection.focus) : selection.anchor;
  const except = keep && selection.except !== undefined ? new Set(selection.except) : undefined;
  const ids = new Set(keep ? selection.ids : []);
  for (let at = Math.min(anchor, index); at <= Math.max(anchor, index); at += 1) {
    const id = idAt(at);
    if (id === undefined) continue;
    if (except === undefined) ids.add(id);
    else except.delete(id);
  }
  return except === undefined ? { ids, focus: index, anchor } : { ids: NO_SELECTION.ids, except, focus: index, anchor };
}

export function selectAll(total: number, idAt: IdAt, selection: Selection): Selection {
  return { ...selectRange({ ...selection, anchor: 0 }, total - 1, idAt), focus: selection.focus };
}

/** Moves the keyboard focus without selecting. */
function moveFocus(selection: Selection, index: number): Selection {
  return { ...selection, focus: index };
}

export interface Modifiers {
  shift: boolean;
  /** Ctrl, or ⌘ on a Mac. */
  toggle: boolean;
}

/** Returns the selection after a click on a row. */
export function clickRow(selection: Selection, index: number, modifiers: Modifiers, idAt: IdAt): Selection {
  if (modifiers.shift) return selectRange(selection, index, idAt, modifiers.toggle);
  if (modifiers.toggle) return toggleOne(selection, index, idAt);
  return selectOne(index, idAt);
}

/** The shape of a list: one row per line, or several tiles. */
export interface ListShape {
  total: number;
  /** Tiles per line; 1 by default: a list of rows, where the left and right arrow keys do not move. */
  columns?: number;
  /** Lines that Page Up and Page Down move by. */
  pageSize: number;
  /** Returns the index so many lines below another one, within its column; omitted: lines without headings. */
  moved?: HeadedLines['moved'];
}

/** Returns the index to which a key moves the focus; null when it does not move it. */
export function keyTarget(key: string, focus: number, shape: ListShape): number | null {
  const { total, columns = 1, pageSize, moved = headedLines(total, [], { columns, lines: 1 }).moved } = shape;
  if (total === 0) return null;
  const clamp = (index: number) => Math.min(total - 1, Math.max(0, index));
  const byLines = (lines: number) => moved(Math.max(0, focus), lines);
  switch (key) {
    case 'ArrowDown':
      return focus < 0 ? 0 : byLines(1);
    case 'ArrowUp':
      return focus < 0 ? total - 1 : byLines(-1);
    case 'ArrowRight':
      return columns === 1 ? null : clamp(focus + 1);
    case 'ArrowLeft':
      return columns === 1 ? null : focus < 0 ? total - 1 : clamp(focus - 1);
    case 'PageDown':
      return byLines(pageSize);
    case 'PageUp':
      return byLines(-pageSize);
    case 'Home':
      return 0;
    case 'End':
      return total - 1;
    default:
      return null;
  }
}

/** Returns the selection after a key moved the focus: plain selects, Shift extends, Ctrl or ⌘ only moves. */
export function moveTo(selection: Selection, index: number, modifiers: Modifiers, idAt: IdAt): Selection {
  if (modifiers.shift) return selectRange(selection, index, idAt);
  if (modifiers.toggle) return moveFocus(selection, index);
  return selectOne(index, idAt);
}
