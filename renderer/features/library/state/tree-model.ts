import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import type { CollectionRow } from '../../../../shared/contract/library.ts';

/** The children of a collection, or of the top of the tree (`TOP`). */
export type Branch =
  | { kind: 'loading' }
  | { kind: 'ready'; ids: readonly string[] }
  /** `ids`: the children that were loaded before, when loading them again failed. */
  | { kind: 'error'; error: AppErrorData; ids?: readonly string[] | undefined };

export const TOP = '';

export interface TreeData {
  readonly rows: ReadonlyMap<string, CollectionRow>;
  readonly branches: ReadonlyMap<string, Branch>;
  readonly expanded: ReadonlySet<string>;
}

/** A visible line of the tree. */
export type TreeLine =
  | {
      kind: 'collection';
      key: string;
      row: CollectionRow;
      level: number;
      isExpanded: boolean;
      isBranch: boolean;
      position: number;
      setSize: number;
    }
  | { kind: 'loading'; key: string; level: number }
  | { kind: 'error'; key: string; level: number; parentId: string; error: AppErrorData };

/** Returns the children that a branch shows; undefined when none were loaded. */
export function childIdsOf(branch: Branch | undefined): readonly string[] | undefined {
  return branch === undefined || branch.kind === 'loading' ? undefined : branch.ids;
}

/**
 * Returns the visible lines of the tree, from top to bottom. Each collection has one line, although branches are loaded one by
 * one: after a move, the old branch and the new branch both contain the collection until both are loaded.
 */
export function linesOf(data: TreeData): TreeLine[] {
  const lines: TreeLine[] = [];
  const listed = new Set<string>();
  const walk = (parentId: string, level: number) => {
    const branch = data.branches.get(parentId);
    if (branch === undefined) return;
    if (branch.kind === 'loading') lines.push({ kind: 'loading', key: `loading:${parentId}`, level });
    if (branch.kind === 'error') {
      lines.push({ kind: 'error', key: `error:${parentId}`, level, parentId, error: branch.error });
    }
    const ids = childIdsOf(branch) ?? [];
    ids.forEach((id, index) => {
      const row = data.rows.get(id);
      if (row === undefined || listed.has(id)) return;
      listed.add(id);
      const isBranch = row.childCount > 0;
      const isExpanded = isBranch && data.expanded.has(id);
      const place = { position: index + 1, setSize: ids.length };
      lines.push({ kind: 'collection', key: id, row, level, isExpanded, isBranch, ...place });
      if (isExpanded) walk(id, level + 1);
    });
  };
  walk(TOP, 1);
  return lines;
}

type TreeMove = { kind: 'focus'; key: string } | { kind: 'expand'; id: string } | { kind: 'collapse'; id: string };

/** Returns the effect of an arrow key, Home or End at the line with the key `at`; null for other keys. */
export function treeKey(lines: readonly TreeLine[], at: string | null, key: string): TreeMove | null {
  const stops = lines.filter((line) => line.kind !== 'loading');
  const index = stops.findIndex((line) => line.key === at);
  const line = stops[index];
  const focus = (target: TreeLine | undefined): TreeMove | null => (target ? { kind: 'focus', key: target.key } : null);
  switch (key) {
    case 'ArrowDown':
      return focus(stops[Math.min(stops.length - 1, index + 1)]);
    case 'ArrowUp':
      return focus(stops[index < 0 ? stops.length - 1 : Math.max(0, index - 1)]);
    case 'Home':
      return focus(stops[0]);
    case 'End':
      return focus(stops.at(-1));
    case 'ArrowRight':
      if (line?.kind !== 'collection' || !line.isBranch) return null;
      if (!line.isExpanded) return { kind: 'expand', id: line.row.id };
      return focus(stops.slice(index + 1).find((next) => next.level === line.level + 1));
    case 'ArrowLeft':
      if (line === undefined) return null;
      if (line.kind === 'collection' && line.isExpanded) return { kind: 'collapse', id: line.row.id };
      return focus(stops.slice(0, index).findLast((above) => above.level === line.level - 1));
    default:
      return null;
  }
}

/** Returns the effect of PageUp or PageDown at the line with the key `at`; null for other keys. */
export function pageMove(
  lines: readonly TreeLine[],
  at: string | null,
  key: string,
  pageSize: number,
): TreeMove | null {
  if (key !== 'PageUp' && key !== 'PageDown') return null;
  const stops = lines.filter((line) => line.kind !== 'loading');
  const index = Math.max(
    0,
    stops.findIndex((line) => line.key === at),
  );
  const step = Math.max(1, pageSize - 1) * (key === 'PageUp' ? -1 : 1);
  const target = stops[Math.min(stops.length - 1, Math.max(0, index + step))];
  return target === undefined ? null : { kind: 'focus', key: target.key };
}

/** The maximum number of collections that one key expands: each of them needs a request. */
const MOST_EXPANDED = 200;

/** Returns the collapsed siblings of a line that have subcollections, including the line itself. */
export function siblingsToExpand(lines: readonly TreeLine[], at: string): { ids: string[]; isCut: boolean } {
  const line = lines.find((each) => each.key === at);
  if (line?.kind !== 'collection') return { ids: [], isCut: false };
  const ids = lines.flatMap((each) =>
    each.kind === 'collection' && each.row.parentId === line.row.parentId && each.isBranch && !each.isExpanded
      ? [each.row.id]
      : [],
  );
  return { ids: ids.slice(0, MOST_EXPANDED), isCut: ids.length > MOST_EXPANDED };
}

/** Type-ahead: returns the next collection whose name begins with `typed`, after the line `at` and around the end. */
export function findByPrefix(lines: readonly TreeLine[], at: string | null, typed: string): string | null {
  const wanted = typed.toLocaleLowerCase();
  const index = lines.findIndex((line) => line.key === at);
  // The first letter moves to the next match; further letters refine the current match.
  const start = typed.length > 1 ? Math.max(0, index) : index + 1;
  for (let step = 0; step < lines.length; step += 1) {
    const line = lines[(start + step) % lines.length];
    if (line?.kind === 'collection' && line.row.displayName.toLocaleLowerCase().startsWith(wanted)) return line.key;
  }
  return null;
}
