import type { CollectionRow } from '../../../../shared/contract/library.ts';
import { type CollectionIndex, namesOnPath } from './collection-index.ts';

export interface CollectionHit {
  collection: CollectionRow;
  path: string[];
}

/**
 * Returns collections whose name or slug contains `text`, ignoring case and accents; best first: an exact id or slug,
 * names that begin with it, names with a word that begins with it, all others. Equal matches are sorted by depth, then
 * by name.
 */
export function searchCollections(index: CollectionIndex, text: string, limit: number): CollectionHit[] {
  const wanted = fold(text.trim());
  const hits: { row: CollectionRow; rank: number; path: string[] }[] = [];
  for (const { row } of index.nodes.values()) {
    const rank = rankOf(row, wanted, text.trim());
    if (rank !== null) hits.push({ row, rank, path: namesOnPath(index, row.id) });
  }
  hits.sort((x, y) => x.rank - y.rank || x.path.length - y.path.length || compare(x.path, y.path));
  return hits.slice(0, limit).map(({ row, path }) => ({ collection: row, path }));
}

function rankOf(row: CollectionRow, wanted: string, exact: string): number | null {
  if (row.id === exact || row.slug === exact) return 0;
  const name = fold(row.displayName);
  if (name.startsWith(wanted)) return 1;
  if (name.includes(` ${wanted}`)) return 2;
  return name.includes(wanted) || fold(row.slug).includes(wanted) ? 3 : null;
}

function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

function compare(left: string[], right: string[]): number {
  return left.join('\u0000').localeCompare(right.join('\u0000'), undefined, { numeric: true });
}
