import type { CollectionRow } from '../../../../shared/contract/library.ts';
import { counted } from '../../../text/format.ts';

const HOW_TO_ADD = 'Drop recordings anywhere in this window, or choose them here. Each becomes an item of its own.';

/** Returns title and text for a list without items. `name` null: the whole library. `row` null: not loaded. */
export function emptyCollectionWords(
  name: string | null,
  row: Pick<CollectionRow, 'childCount' | 'mediaCountBelow'> | null,
): { title: string; text: string } {
  if (name === null) return { title: 'This library is empty', text: HOW_TO_ADD };
  if (row === null || row.childCount === 0) return { title: `${name} is empty`, text: HOW_TO_ADD };
  const title = `No items directly in ${name}`;
  const { mediaCountBelow: below } = row;
  if (below === null) return { title, text: `Its sub-collections may hold items. ${HOW_TO_ADD}` };
  if (below === 0) return { title: `${name} and its sub-collections are empty`, text: HOW_TO_ADD };
  return { title, text: `${counted(below, 'item is', 'items are')} in its sub-collections. ${HOW_TO_ADD}` };
}

/** Returns the collections with items in them or below them, and how many. */
export function collectionsWithMedia(
  rows: readonly CollectionRow[],
): { id: string; displayName: string; count: number }[] {
  return rows
    .map(({ id, displayName, mediaCount, mediaCountBelow }) => ({
      ...{ id, displayName },
      count: (mediaCount ?? 0) + (mediaCountBelow ?? 0),
    }))
    .filter(({ count }) => count > 0);
}
