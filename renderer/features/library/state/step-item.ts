import { hasEdits } from './inspector-draft.ts';
import { save, useInspector } from './inspector-store.ts';
import { mediaList } from './media-store.ts';

/**
 * Returns the index of the shown item in the open list, and the length of the list; null when the item is not in the loaded part.
 */
export function placeInList(): { index: number; total: number } | null {
  const { mediaId } = useInspector.getState();
  const { selection, total } = mediaList.useList.getState();
  if (mediaId === null || total === null) return null;
  if (mediaList.idAt(selection.focus) === mediaId) return { index: selection.focus, total };
  for (const { index, row } of mediaList.loaded()) if (row.id === mediaId) return { index, total };
  return null;
}

/**
 * Shows the next item of the list (1) or the previous one (-1). Saves the edits of the previously shown item; edits that can't be
 * saved stay unsaved, and the list marks their item. Does nothing at the ends of the list.
 */
export async function stepItem(direction: 1 | -1): Promise<void> {
  const place = placeInList();
  if (place === null) return;
  const index = place.index + direction;
  if (index < 0 || index >= place.total) return;
  if (hasEdits(useInspector.getState().edits)) void save();
  if (mediaList.idAt(index) === undefined) await mediaList.loadRange(index, index);
  const id = mediaList.idAt(index);
  if (id !== undefined) mediaList.select({ ids: new Set([id]), focus: index, anchor: index });
}
