import type { MediaWindow } from '../../../../shared/contract/library.ts';
import type { CollectionIndex } from './collection-index.ts';

/** Adds to each row the name of its collection; null when the collection is unknown. `collections` null: no names. */
export function withCollectionNames(window: MediaWindow, collections: CollectionIndex | null): MediaWindow {
  const nameOf = (id: string) => collections?.nodes.get(id)?.row.displayName ?? null;
  return { ...window, rows: window.rows.map((row) => ({ ...row, collectionName: nameOf(row.collectionId) })) };
}
