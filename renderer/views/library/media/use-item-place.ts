import type { MediaRow } from '../../../../shared/contract/library.ts';
import { mediaList } from '../../../stores/library/media-store.ts';
import { useTree } from '../../../stores/library/tree-store.ts';

/** Where an item is, for lists. */
export interface ItemPlace {
  /** The name that came with the row, or that of the tree when it has loaded the collection. */
  collection: string;
  /** Whether the list has the items of this collection only: its name in each row would say nothing. */
  isHere: boolean;
}

export function useItemPlace(row: MediaRow | undefined): ItemPlace {
  const known = useTree((state) => (row === undefined ? undefined : state.rows.get(row.collectionId)?.displayName));
  const isHere = mediaList.useList(({ query }) => query?.collectionId === row?.collectionId && !query?.includesBelow);
  return { collection: row?.collectionName ?? known ?? '', isHere };
}
