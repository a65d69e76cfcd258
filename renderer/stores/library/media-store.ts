import { create } from 'zustand';
import type { MediaQuery, MediaRow, MediaWindow } from '../../../shared/contract/library.ts';
import { call } from '../../bridge/bridge.ts';
import { isSelected, type Selection } from '../../lists/selection.ts';
import { createWindowedList } from '../../lists/windowed-list.ts';

/** What the engine says about the open list beside its rows. */
export const useMediaFacts = create<{
  /** Items that the list may lack, because their captions are not known yet. */
  captionsUnknown: number;
}>(() => ({ captionsUnknown: 0 }));

/** The media of a collection, or those that a search found. */
export const mediaList = createWindowedList<MediaQuery, MediaRow, MediaWindow>({
  load: (query, window) => call('library.mediaWindow', { query, ...window }),
  idOf: (row) => row.id,
  onPage: ({ captionsUnknown = 0 }) => useMediaFacts.setState({ captionsUnknown }),
});

/** The item that another layout of the list makes visible: the one with the focus, otherwise the first visible one. */
export function firstShown(): number {
  const { focus } = mediaList.useList.getState().selection;
  return focus >= 0 ? focus : mediaList.firstShown();
}

/** Opens the same list with another filter, search or order. Does nothing while no list is open. */
export function changeQuery(change: Partial<MediaQuery>): void {
  const { query } = mediaList.useList.getState();
  if (query !== null) mediaList.open({ ...query, ...change });
}

/** Sorts by a column; sorts in the opposite order when the list is sorted by it already. */
export function sortBy(sort: MediaQuery['sort']): void {
  const { query } = mediaList.useList.getState();
  if (query === null) return;
  const first = sort === 'title' ? 'asc' : 'desc';
  const order = query.sort === sort ? (query.order === 'asc' ? 'desc' : 'asc') : first;
  mediaList.open({ ...query, sort, order });
}

/** Changes the row of an item that the inspector saved, where the open list is of the same library. */
export function patchMediaRow(siteId: string, id: string, change: Partial<MediaRow>): void {
  if (mediaList.useList.getState().query?.siteId !== siteId) return;
  mediaList.patch((row) => (row.id === id ? { ...row, ...change } : row));
}

/** An item of a library was deleted: its row can't be selected any more, and the open list is loaded again. */
export function dropMediaRow(siteId: string, id: string): void {
  if (mediaList.useList.getState().query?.siteId === siteId) mediaList.forget(id);
  mediaList.refresh();
}

/** The loaded rows of a selection, in the order of the list. */
export function selectedRows(selection: Selection): MediaRow[] {
  const found = [...mediaList.loaded()].filter(({ row }) => isSelected(selection, row.id));
  return found.sort((a, b) => a.index - b.index).map(({ row }) => row);
}

/** Selects an item of the open list alone, so that the inspector shows it. Does nothing when it is not loaded. */
export function selectMedia(id: string): void {
  const { ids } = mediaList.useList.getState().selection;
  if (ids.size === 1 && ids.has(id)) return;
  for (const { index, row } of mediaList.loaded()) {
    if (row.id !== id) continue;
    mediaList.select({ ids: new Set([id]), focus: index, anchor: index });
    return;
  }
}
