import type { KeyboardEvent } from 'react';
import type { MediaRow } from '../../../shared/contract/library.ts';
import { isMac } from '../../kit/bridge/bridge.ts';
import { showItem } from '../library/state/files/show-item.ts';
import { type CalendarAction, type CalendarPlace, calendarAction, MORE } from './state/calendar-keys.ts';
import { currentSlots, goTo, rowOfItem, selectItem, slotAt, useCalendar, weekStart } from './state/calendar-store.ts';
import { openEntryMenu } from './state/entry-menu-store.ts';
import { stepCalendarItem } from './state/reschedule.ts';
import { listSlot, shownIds } from './state/shown-entries.ts';

/** Returns the handler for the keys of the grid. `lines`: returns how many lines of a slot are shown. */
export function useCalendarKeys(lines: () => number): (event: KeyboardEvent<HTMLElement>) => void {
  return (event) => {
    const state = useCalendar.getState();
    const { place, range } = state;
    const ids = shownIds(slotAt(range, currentSlots(state), place.day, place.hour), lines());
    const mod = isMac() ? event.metaKey : event.ctrlKey;
    const pressed = { key: event.key, mod, shift: event.shiftKey, alt: event.altKey };
    const actionAt = (from: CalendarPlace) =>
      calendarAction(pressed, { mode: range.mode, weekStart: weekStart(), place: from, ids });
    const action = actionAt(place);
    if (action === null) return;
    event.preventDefault();
    event.stopPropagation();
    if (action.kind === 'go') return goTo(action.to, { focuses: true, turns: action.turns === true });
    if (action.kind === 'open' && place.itemId === MORE) return listSlot(place.day, place.hour);
    const row = rowOfItem(state, place.itemId);
    if (row === null || state.siteId === null) return;
    if (action.kind !== 'move') return runOnItem(action, row, state.siteId);
    void stepCalendarItem(row, place, (from) => {
      const step = actionAt(from);
      return step?.kind === 'move' ? step : from;
    });
  };
}

function runOnItem(action: Exclude<CalendarAction, { kind: 'go' | 'move' }>, row: MediaRow, siteId: string): void {
  switch (action.kind) {
    case 'open':
      void showItem({ siteId, mediaId: row.id });
      return;
    case 'menu': {
      const at = document.activeElement?.getBoundingClientRect();
      selectItem(row);
      openEntryMenu(row, { x: at?.left ?? 0, y: at?.bottom ?? 0 });
      return;
    }
  }
}
