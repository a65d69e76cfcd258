import type { MediaRow } from '../../../../shared/contract/library.ts';
import { mediaList } from '../state/media-store.ts';
import { useTree } from '../state/tree-store.ts';

/** The collection of an item, for lists. */
export interface ItemPlace {
  /** The name in the row, or the name in the tree when the tree has loaded the collection. */
  collection: string;
  /** Whether the list contains the items of this collection only: its name in each row would be redundant. */
  isHere: boolean;
}

export function useItemPlace(row: MediaRow | undefined): ItemPlace {
  const known = useTree((state) => (row === undefined ? undefined : state.rows.get(row.collectionId)?.displayName));
  const isHere = mediaList.useList(({ query }) => query?.collectionId === row?.collectionId && !query?.includesBelow);
  return { collection: row?.collectionName ?? known ?? '', isHere };
}
