import { countSelected } from '../../../lists/selection.ts';
import { mediaList } from '../media-store.ts';

/** The number of selected items of the open list, loaded or not. */
export function useSelectedCount(): number {
  return mediaList.useList(({ selection, total }) => countSelected(selection, total ?? 0));
}
