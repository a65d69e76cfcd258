import { create } from 'zustand';
import type { MediaRow } from '../../../../shared/contract/library.ts';
import { loadRightsTo } from '../../library/state/selection/rights-store.ts';
import { useCalendar } from './calendar-store.ts';
import { targetOfItem } from './reschedule.ts';

/** The open menu of an item, at a point of the window in pixels; null: none is open. */
export const useEntryMenu = create<{ open: { row: MediaRow; x: number; y: number } | null }>(() => ({ open: null }));

export function openEntryMenu(row: MediaRow, at: { x: number; y: number }): void {
  const { siteId } = useCalendar.getState();
  if (siteId !== null) void loadRightsTo(targetOfItem(siteId, row));
  useEntryMenu.setState({ open: { row, ...at } });
}

export function closeEntryMenu(): void {
  useEntryMenu.setState({ open: null });
}
