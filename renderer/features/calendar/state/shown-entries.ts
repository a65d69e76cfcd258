import type { MediaRow } from '../../../../shared/contract/library.ts';
import { type CalendarPlace, MORE } from './calendar-keys.ts';
import { type Slot, useCalendar } from './calendar-store.ts';
import { calendarTimeText } from './reschedule.ts';
import { openSlotList } from './slot-lists.ts';
import { texts } from './texts.ts';
import { fullDay, slotIndex } from './visible-range.ts';

/** Returns the rows of a slot that fit into so many lines, and how many items it has besides. */
export function shownOf({ count, rows }: Slot, lines: number): { rows: readonly MediaRow[]; more: number } {
  if (count <= lines && rows.length >= count) return { rows, more: 0 };
  const shown = rows.slice(0, Math.max(0, lines - 1));
  return { rows: shown, more: count - shown.length };
}

/** Returns the ids of what a slot shows, in the order in which the keyboard focus reaches them. */
export function shownIds(slot: Slot, lines: number): string[] {
  const { rows, more } = shownOf(slot, lines);
  return [...rows.map(({ id }) => id), ...(more > 0 ? [MORE] : [])];
}

/**
 * Returns what has the keyboard focus in a slot: the id of one of its entries, or an empty text for the slot itself. null: another slot
 * has it.
 */
export function currentIn(place: CalendarPlace, slot: Slot, lines: number, isHere: boolean): string | null {
  if (!isHere) return null;
  const { itemId } = place;
  return itemId !== null && shownIds(slot, lines).includes(itemId) ? itemId : '';
}

/** Lists all items of a visible slot in a dialog. */
export function listSlot(day: string, hour: number): void {
  const state = useCalendar.getState();
  const { range } = state;
  const index = slotIndex(range, day, hour);
  const [from, to] = [range.instants[index], range.instants[index + 1]];
  if (from === undefined || to === undefined) return;
  const title = range.mode === 'month' ? fullDay(day) : texts.cell.time(fullDay(day), calendarTimeText(`${hour}:00`));
  openSlotList(state, title, from, to);
}
