import type { CollectionRow } from '../../../../../shared/contract/library.ts';
import type { TreeLine } from '../tree-model.ts';

type Rows = ReadonlyMap<string, CollectionRow>;

/** Selected collections of the tree, for commands that apply to several. The open collection is separate. */
export interface Marks {
  readonly ids: ReadonlySet<string>;
  /** The collection at which a range begins; null: none. */
  readonly anchor: string | null;
}

export const NO_MARKS: Marks = { ids: new Set(), anchor: null };

/** Adds a collection to the selection, or removes it. `start`: the current line, which is selected as well at the first mark. */
export function toggleMark(marks: Marks, id: string, start: string | null): Marks {
  const ids = new Set(marks.ids);
  if (ids.size === 0 && start !== null && start !== id) ids.add(start);
  if (ids.has(id)) ids.delete(id);
  else ids.add(id);
  return { ids, anchor: id };
}

/** Selects all visible collections from the anchor to a line. Without an anchor, the range begins at `start`. */
export function markRange(lines: readonly TreeLine[], marks: Marks, start: string | null, to: string): Marks {
  const anchor = marks.anchor ?? start ?? to;
  const from = lines.findIndex((line) => line.key === anchor);
  const end = lines.findIndex((line) => line.key === to);
  if (end < 0) return marks;
  const [first, last] = from < 0 ? [end, end] : [Math.min(from, end), Math.max(from, end)];
  const ids = lines.slice(first, last + 1).flatMap((line) => (line.kind === 'collection' ? [line.row.id] : []));
  return { ids: new Set(ids), anchor };
}

/** Returns the collections that a command on a line applies to: the selection when the line is part of it, else that one. */
export function targetsOf(marks: Marks, id: string): string[] {
  return marks.ids.has(id) ? [...marks.ids] : [id];
}

/** Returns the collections that are not below another one in the list: a move or a deletion includes all collections below. */
export function topmost(rows: Rows, ids: readonly string[]): string[] {
  const chosen = new Set(ids);
  return [...chosen].filter((id) => !ancestorsOf(rows, id).some((above) => chosen.has(above)));
}

const MAX_LEVELS = 200;

function ancestorsOf(rows: Rows, id: string): string[] {
  const ancestors: string[] = [];
  let at = rows.get(id)?.parentId ?? null;
  while (at !== null && ancestors.length < MAX_LEVELS) {
    ancestors.push(at);
    at = rows.get(at)?.parentId ?? null;
  }
  return ancestors;
}

/**
 * Returns whether these collections can be moved into a target: it is none of them, not below one of them, and not the parent of
 * all of them; a top collection can't be moved.
 */
export function canMoveTo(rows: Rows, ids: readonly string[], targetId: string): boolean {
  const chosen = new Set(ids);
  if (chosen.has(targetId) || ancestorsOf(rows, targetId).some((above) => chosen.has(above))) return false;
  if (ids.some((id) => (rows.get(id)?.parentId ?? null) === null)) return false;
  return ids.some((id) => rows.get(id)?.parentId !== targetId);
}
