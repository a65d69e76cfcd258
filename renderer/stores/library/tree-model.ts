import type { AppErrorData } from '../../../shared/contract/app-error.ts';
import type { CollectionRow } from '../../../shared/contract/library.ts';

/** Children of one parent (`TOP` for the top of the tree). */
export type Branch =
  | { kind: 'loading' }
  | { kind: 'ready'; ids: readonly string[] }
  | { kind: 'error'; error: AppErrorData };

export const TOP = '';

export interface TreeData {
  readonly rows: ReadonlyMap<string, CollectionRow>;
  readonly branches: ReadonlyMap<string, Branch>;
  readonly expanded: ReadonlySet<string>;
}

/** A line of the tree as it is painted, from the top to the bottom. */
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

/** Opens the tree into lines. */
export function linesOf(data: TreeData): TreeLine[] {
  const lines: TreeLine[] = [];
  const walk = (parentId: string, level: number) => {
    const branch = data.branches.get(parentId);
    if (branch === undefined) return;
    if (branch.kind === 'loading') lines.push({ kind: 'loading', key: `loading:${parentId}`, level });
    if (branch.kind === 'error') {
      lines.push({ kind: 'error', key: `error:${parentId}`, level, parentId, error: branch.error });
    }
    if (branch.kind !== 'ready') return;
    branch.ids.forEach((id, index) => {
      const row = data.rows.get(id);
      if (row === undefined) return;
      const isBranch = row.childCount > 0;
      const isExpanded = isBranch && data.expanded.has(id);
      const place = { position: index + 1, setSize: branch.ids.length };
      lines.push({ kind: 'collection', key: id, row, level, isExpanded, isBranch, ...place });
      if (isExpanded) walk(id, level + 1);
    });
  };
  walk(TOP, 1);
  return lines;
}

type TreeMove = { kind: 'focus'; key: string } | { kind: 'expand'; id: string } | { kind: 'collapse'; id: string };

/** What an arrow, Home or End does in the tree, from the line with the key `at`. */
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

/** Type-ahead: the next collection whose name begins with `typed`, from the line after `at` around to it. */
export function findByPrefix(lines: readonly TreeLine[], at: string | null, typed: string): string | null {
  const wanted = typed.toLocaleLowerCase();
  const index = lines.findIndex((line) => line.key === at);
  // A first letter moves on to the next match; more letters refine the match that is there.
  const start = typed.length > 1 ? Math.max(0, index) : index + 1;
  for (let step = 0; step < lines.length; step += 1) {
    const line = lines[(start + step) % lines.length];
    if (line?.kind === 'collection' && line.row.displayName.toLocaleLowerCase().startsWith(wanted)) return line.key;
  }
  return null;
}
