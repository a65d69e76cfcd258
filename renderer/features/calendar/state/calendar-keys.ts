import { dayBy, monthBy, type WeekStart, weekOf } from '../../../../shared/model/calendar/calendar-days.ts';
import type { CalendarMode } from './visible-range.ts';

/** The id of the button that lists the items of a slot that are not shown. */
export const MORE = '+more';

/** The place of the keyboard focus: a day, one of its hours in the week, or an item there. */
export interface CalendarPlace {
  day: string;
  /** 0 to 23; used in the week only. */
  hour: number;
  /** An item of the slot, or `MORE`; null: the slot itself. */
  itemId: string | null;
}

export type CalendarAction =
  /** `turns`: to another month or week, even if its day is visible. */
  | { kind: 'go'; to: CalendarPlace; turns?: true }
  /** Opens the item, or the list of the slot. */
  | { kind: 'open' }
  /** Moves the item to another slot. */
  | { kind: 'move'; day: string; hour: number }
  | { kind: 'menu' };

interface PressedKey {
  key: string;
  /** Ctrl, or ⌘ on a Mac. */
  mod: boolean;
  shift: boolean;
  alt: boolean;
}

interface KeyContext {
  mode: CalendarMode;
  weekStart: WeekStart;
  place: CalendarPlace;
  /** The ids of the items that the slot shows, in their order, and `MORE` if it has others. */
  ids: readonly string[];
}

const ARROWS: Readonly<Record<string, readonly [across: number, down: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
const LAST_HOUR = 23;

/** Returns what a key does in the calendar; null: nothing. */
export function calendarAction(pressed: PressedKey, context: KeyContext): CalendarAction | null {
  const { key, mod, shift, alt } = pressed;
  const { itemId } = context.place;
  const arrow = ARROWS[key];
  if (arrow !== undefined) return mod || shift ? null : arrowAction(arrow, alt, context);
  if (key === 'ContextMenu' || (key === 'F10' && shift)) return itemId === null ? null : { kind: 'menu' };
  if (alt) return null;
  if (key === 'Home' || key === 'End') return go({ ...endOf(key, mod, context), itemId: null });
  return mod || shift ? null : plainAction(key, context);
}

function arrowAction(
  arrow: readonly [across: number, down: number],
  alt: boolean,
  context: KeyContext,
): CalendarAction | null {
  const { place, ids } = context;
  const isAtItem = place.itemId !== null;
  if (alt) return isAtItem && place.itemId !== MORE ? { kind: 'move', ...stepped(arrow, context) } : null;
  if (isAtItem && arrow[0] === 0) return itemBeside(place, ids, arrow[1]);
  return go({ ...stepped(arrow, context), itemId: null });
}

function plainAction(key: string, context: KeyContext): CalendarAction | null {
  const { place, ids } = context;
  const isAtItem = place.itemId !== null;
  switch (key) {
    case 'Enter':
      return isAtItem ? { kind: 'open' } : intoSlot(place, ids);
    case ' ':
      return isAtItem ? null : intoSlot(place, ids);
    case 'Escape':
      return isAtItem ? go({ ...place, itemId: null }) : null;
    case 'PageUp':
    case 'PageDown':
      return { ...go({ ...place, day: pageBy(context, key === 'PageUp' ? -1 : 1), itemId: null }), turns: true };
    default:
      return null;
  }
}

function go(to: CalendarPlace): Extract<CalendarAction, { kind: 'go' }> {
  return { kind: 'go', to };
}

/** Returns the same place in the next or the previous month or week. */
export function pageBy({ mode, place }: Pick<KeyContext, 'mode' | 'place'>, by: number): string {
  return mode === 'month' ? monthBy(place.day, by) : dayBy(place.day, 7 * by);
}

function stepped([across, down]: readonly [number, number], { mode, place }: KeyContext) {
  if (mode === 'month') return { day: dayBy(place.day, across + 7 * down), hour: place.hour };
  return { day: dayBy(place.day, across), hour: Math.min(LAST_HOUR, Math.max(0, place.hour + down)) };
}

/** Returns the item above or below the current one, or the slot itself; stays at the last item. */
function itemBeside(place: CalendarPlace, ids: readonly string[], by: number): CalendarAction {
  const index = ids.indexOf(place.itemId ?? '') + by;
  return go({ ...place, itemId: index < 0 ? null : (ids[index] ?? place.itemId) });
}

function intoSlot(place: CalendarPlace, ids: readonly string[]): CalendarAction | null {
  const [first] = ids;
  return first === undefined ? null : go({ ...place, itemId: first });
}

function endOf(key: 'Home' | 'End', mod: boolean, { mode, weekStart, place }: KeyContext) {
  const isFirst = key === 'Home';
  if (mod && mode === 'week') return { day: place.day, hour: isFirst ? 0 : LAST_HOUR };
  if (mod) {
    const first = `${place.day.slice(0, 7)}-01`;
    return { day: isFirst ? first : monthEnd(first), hour: place.hour };
  }
  const week = weekOf(place.day, weekStart).filter((day) => day !== null);
  return { day: (isFirst ? week[0] : week.at(-1)) ?? place.day, hour: place.hour };
}

function monthEnd(first: string): string {
  return monthBy(`${first.slice(0, 8)}31`, 0);
}
