import type { ItemPlace, MediaRow } from '../../../../../shared/contract/library.ts';
import { addPlace } from '../../../../../shared/model/media-rights.ts';
import type { Target } from './media-selection.ts';

/**
 * Returns the values that decide about the rights to items: for each of their collections, the item that the account can most
 * likely edit, which is the newest unpublished one. null: the collection of an item is unknown, because its row is not loaded.
 */
export function placesOf({ selection, count }: Target, loaded: Iterable<{ row: MediaRow }>): ItemPlace[] | null {
  const best = new Map<string, ItemPlace>();
  const ids = 'ids' in selection ? new Set(selection.ids) : null;
  const except = 'except' in selection ? new Set(selection.except) : null;
  let found = 0;
  for (const { row } of loaded) {
    if (ids?.has(row.id) === false || except?.has(row.id) === true) continue;
    found += 1;
    const { collectionId, createdOn, status } = row;
    addPlace(best, { collectionId, createdOn, status });
  }
  if (found < count) {
    const only = onlyCollection(selection);
    if (only === null) return null;
    best.set(only, { collectionId: only, createdOn: null, status: 'draft' });
  }
  return best.size === 0 ? null : [...best.values()].sort((a, b) => (a.collectionId < b.collectionId ? -1 : 1));
}

/** Returns the only collection that all items of a query are in; null when they can be in several. */
function onlyCollection(selection: Target['selection']): string | null {
  if (!('query' in selection)) return null;
  const { collectionId, includesBelow = false } = selection.query;
  return includesBelow ? null : collectionId;
}
