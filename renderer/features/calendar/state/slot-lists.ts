import { create } from 'zustand';
import type { MediaQuery, MediaRow, MediaWindow } from '../../../../shared/contract/library.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { createWindowedList } from '../../../kit/lists/windowed-list.ts';

function createItemList() {
  return createWindowedList<MediaQuery, MediaRow, MediaWindow>({
    load: (query, window) => call('library.mediaWindow', { query, ...window }),
    idOf: (row) => row.id,
  });
}

/** The items without a publish date, the latest changes first. */
export const undatedList = createItemList();

/** All items of one slot of the calendar, by their times. */
export const slotList = createItemList();

/** The slot whose items are listed; null: none. */
export const useListedSlot = create<{ title: string | null }>(() => ({ title: null }));

interface Listed {
  siteId: string | null;
  collection: { id: string } | null;
}

/** Opens the list of items without a date, or loads it again when it lists the same items. */
export function listUndated({ siteId, collection }: Listed): void {
  if (siteId === null) {
    undatedList.open(null);
    return;
  }
  const query: MediaQuery = {
    ...queryOf({ siteId, collection }),
    hasPublishDate: false,
    sort: 'modified_on',
    order: 'desc',
  };
  const { query: before, total, error } = undatedList.useList.getState();
  if (JSON.stringify(before) !== JSON.stringify(query) || (error !== null && total === null)) undatedList.open(query);
  else undatedList.refresh();
}

/** Lists all items from an instant to another one, which is not a part of it: epoch milliseconds. */
export function openSlotList(listed: Listed, title: string, from: number, to: number): void {
  // The conditions of lists are strict, in whole seconds.
  slotList.open({
    ...queryOf(listed),
    publishAfter: new Date(from - 1000).toISOString(),
    publishBefore: new Date(to).toISOString(),
    sort: 'publish_on',
    order: 'asc',
  });
  useListedSlot.setState({ title });
}

export function closeSlotList(): void {
  slotList.open(null);
  useListedSlot.setState({ title: null });
}

/** Loads the listed items again, for an event that may have changed them. */
export function refreshSlotList(): void {
  if (useListedSlot.getState().title !== null) slotList.refresh();
}

function queryOf({ siteId, collection }: Listed) {
  return {
    siteId: siteId ?? '',
    collectionId: collection?.id ?? null,
    includesBelow: true,
    search: '',
    type: null,
    status: null,
  };
}
