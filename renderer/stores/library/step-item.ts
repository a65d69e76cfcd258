import { hasEdits } from './inspector-draft.ts';
import { save, useInspector } from './inspector-store.ts';
import { mediaList } from './media-store.ts';

/** Where the shown item is in the open list: its index, and the length of the list. null: it is not in the loaded part. */
export function placeInList(): { index: number; total: number } | null {
  const { mediaId } = useInspector.getState();
  const { selection, total } = mediaList.useList.getState();
  if (mediaId === null || total === null) return null;
  if (mediaList.idAt(selection.focus) === mediaId) return { index: selection.focus, total };
  for (const { index, row } of mediaList.loaded()) if (row.id === mediaId) return { index, total };
  return null;
}

/**
 * Shows the next item of the list (1) or the previous one (-1). Edits of the item that is left are saved to that item; when they
 * can't be saved, they stay unsaved there, and the list marks it. Does nothing at the ends of the list.
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
