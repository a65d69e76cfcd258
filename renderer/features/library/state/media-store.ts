import { create } from 'zustand';
import type { ListGroup, MediaQuery, MediaRow, MediaWindow } from '../../../../shared/contract/library.ts';
import { type GroupedSort, isGroupedSort } from '../../../../shared/model/list-groups.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { isSelected, type Selection } from '../../../kit/lists/selection.ts';
import { createWindowedList } from '../../../kit/lists/windowed-list.ts';
import { preferences, savePreferences } from '../../common/state/preferences.ts';
import type { ListOrder } from './media-columns.ts';

/** Facts that the engine reports about the open list besides its rows. */
export const useMediaFacts = create<{
  /**
   * The number of items that may be missing from the list because the library has not reported yet whether they have captions.
   */
  captionsUnknown: number;
  /** The groups of the list in its order; null: it has none. */
  groups: readonly ListGroup[] | null;
}>(() => ({ captionsUnknown: 0, groups: null }));

/** Whether the list shows its items in groups, by the column that sorts it. Stored for the next start. */
export const useGrouping = create<{ isGrouped: boolean }>(() => ({ isGrouped: preferences().isListGrouped }));

/** The items of the open collection, or the items that a search found. */
export const mediaList = createWindowedList<MediaQuery, MediaRow, MediaWindow>({
  load: (query, window) => call('library.mediaWindow', { query, ...window, ...useGrouping.getState() }),
  idOf: (row) => row.id,
  onPage: ({ captionsUnknown = 0, groups = null }) => useMediaFacts.setState({ captionsUnknown, groups }),
});

/**
 * Returns the index of the item that stays visible when the layout changes: the focused item, otherwise the first visible one.
 */
export function firstShown(): number {
  const { focus } = mediaList.useList.getState().selection;
  return focus >= 0 ? focus : mediaList.firstShown();
}

/** Returns the index of an item in the open list, and the length of the list; null when it is not in the loaded part. */
export function placeInOpenList(mediaId: string): { index: number; total: number } | null {
  const { selection, total } = mediaList.useList.getState();
  if (total === null) return null;
  if (mediaList.idAt(selection.focus) === mediaId) return { index: selection.focus, total };
  for (const { index, row } of mediaList.loaded()) if (row.id === mediaId) return { index, total };
  return null;
}

/** Opens the same list with another filter, search or order. Does nothing while no list is open. */
export function changeQuery(change: Partial<MediaQuery>): void {
  const { query } = mediaList.useList.getState();
  if (query !== null) mediaList.open({ ...query, ...change });
}

/** Orders that begin with A; the others begin with the newest, longest or most. */
const TEXT_SORTS: readonly MediaQuery['sort'][] = ['title', 'collection', 'type', 'status', 'byline', 'tags'];

/** Sorts by a column; reverses the order when the list is already sorted by that column. */
export function sortBy(sort: MediaQuery['sort']): void {
  const { query } = mediaList.useList.getState();
  if (query === null) return;
  const order = query.sort === sort ? (query.order === 'asc' ? 'desc' : 'asc') : firstOrder(sort);
  orderBy({ sort, order });
}

function firstOrder(sort: MediaQuery['sort']): 'asc' | 'desc' {
  return TEXT_SORTS.includes(sort) ? 'asc' : 'desc';
}

/** Opens the same list in another order, which is kept for the next start. */
export function orderBy(order: ListOrder): void {
  changeQuery(order);
  // The best match belongs to a search.
  if (order.sort !== 'relevance') savePreferences({ mediaOrder: order });
}

/** Shows the items in groups of equal values, sorted by these; null: without groups. */
export function groupBy(sort: GroupedSort | null): void {
  const isGrouped = sort !== null;
  useGrouping.setState({ isGrouped });
  savePreferences({ isListGrouped: isGrouped });
  if (sort === null || mediaList.useList.getState().query?.sort === sort) mediaList.refresh();
  else orderBy({ sort, order: firstOrder(sort) });
}

/** Returns the column by which the items are grouped; null: they are not. */
export function groupingOf(sort: string, isGrouped: boolean): GroupedSort | null {
  return isGrouped && isGroupedSort(sort) ? sort : null;
}

/** Applies a change that the inspector saved to the row of the item, if the open list belongs to the same library. */
export function patchMediaRow(siteId: string, id: string, change: Partial<MediaRow>): void {
  if (mediaList.useList.getState().query?.siteId !== siteId) return;
  mediaList.patch((row) => (row.id === id ? { ...row, ...change } : row));
}

/** Handles the deletion of an item: deselects its row and loads the open list again. */
export function dropMediaRow(siteId: string, id: string): void {
  if (mediaList.useList.getState().query?.siteId === siteId) mediaList.forget(id);
  mediaList.refresh();
}

/** The loaded rows of a selection, in the order of the list. */
export function selectedRows(selection: Selection): MediaRow[] {
  const found = [...mediaList.loaded()].filter(({ row }) => isSelected(selection, row.id));
  return found.sort((a, b) => a.index - b.index).map(({ row }) => row);
}

/** Selects only this item of the open list, so that the inspector shows it. Does nothing when its row is not loaded. */
export function selectMedia(id: string): void {
  const { ids } = mediaList.useList.getState().selection;
  if (ids.size === 1 && ids.has(id)) return;
  for (const { index, row } of mediaList.loaded()) {
    if (row.id !== id) continue;
    mediaList.select({ ids: new Set([id]), focus: index, anchor: index });
    return;
  }
}
