import { useApp } from '../../common/state/app-store.ts';
import { hasEdits } from './inspector-draft.ts';
import { save, useInspector } from './inspector-store.ts';
import { mediaList, placeInOpenList } from './media-store.ts';
import { createSteps } from './steps-in-list.ts';

const stepFrom = createSteps();

/** Returns the place of the item in the inspector, see `placeInOpenList`; null while another view is shown than the list. */
export function placeInList(): { index: number; total: number } | null {
  const { mediaId } = useInspector.getState();
  return mediaId === null || useApp.getState().view !== 'library' ? null : placeInOpenList(mediaId);
}

/**
 * Shows the next item of the list (1) or the previous one (-1). Saves the edits of the previously shown item; edits that can't be
 * saved stay unsaved, and the list marks their item. Does nothing at the ends of the list.
 */
export async function stepShownItem(direction: 1 | -1): Promise<void> {
  const place = placeInList();
  const { mediaId, edits } = useInspector.getState();
  if (place === null || mediaId === null) return;
  const isAtEnd = place.index === (direction < 0 ? 0 : place.total - 1);
  if (isAtEnd) return;
  if (hasEdits(edits)) void save();
  const index = await stepFrom(mediaId, place, direction);
  const id = typeof index === 'number' ? mediaList.idAt(index) : undefined;
  if (typeof index !== 'number' || id === undefined) return;
  mediaList.select({ ids: new Set([id]), focus: index, anchor: index });
  mediaList.reveal(index);
}
