import { monthOf, type WeekStart, weekdayOf, weekOf } from '../../../../shared/model/calendar/calendar-days.ts';
import { endOfDay, hoursOfDay, startOfDay } from '../../../../shared/model/calendar/calendar-times.ts';
import { texts } from './texts.ts';

export type CalendarMode = 'month' | 'week';

/** The days that the calendar shows, and the slots in which it lists items: days, or the hours of the days of a week. */
export interface VisibleRange {
  mode: CalendarMode;
  /** The title: `May 2026`, `4–10 May 2026`. */
  title: string;
  /** In weeks. null: a day before the first or after the last day of calendars. */
  weeks: readonly (readonly (string | null)[])[];
  /** The beginning of each slot and the end of the last one: epoch milliseconds. */
  instants: readonly number[];
  /** Equal for ranges with the same slots. */
  key: string;
  /** The shown month, `2026-05`. */
  month: string;
}

const HOURS = 24;

/** Returns the days and the slots of the month or the week of a day. */
export function visibleRange(mode: CalendarMode, day: string, weekStart: WeekStart, timeZone: string): VisibleRange {
  const weeks = mode === 'month' ? monthOf(day, weekStart) : [weekOf(day, weekStart)];
  const days = daysOf(weeks);
  const [first = day, last = day] = [days[0], days.at(-1)];
  const starts = days.flatMap((each) =>
    mode === 'month' ? [startOfDay(each, timeZone)] : hoursOfDay(each, timeZone).slice(0, HOURS),
  );
  return {
    mode,
    weeks,
    title: mode === 'month' ? texts.dates.month(day) : texts.dates.span(first, last),
    instants: [...starts, endOfDay(last, timeZone)],
    key: mode === 'month' ? `${day.slice(0, 7)} ${first} ${timeZone}` : `${first} ${last} ${timeZone}`,
    month: day.slice(0, 7),
  };
}

/** Returns the index of the slot of a day, or of one of its hours; -1 when it is not visible. */
export function slotIndex({ mode, weeks }: VisibleRange, day: string, hour: number): number {
  const index = daysOf(weeks).indexOf(day);
  return index < 0 || mode === 'month' ? index : index * HOURS + hour;
}

/** Returns the day of a slot, and its hour if the slots are hours; null when there is no such slot. */
export function placeOfSlot({ mode, weeks }: VisibleRange, index: number): { day: string; hour: number | null } | null {
  const days = daysOf(weeks);
  const day = days[mode === 'month' ? index : Math.floor(index / HOURS)];
  return day === undefined ? null : { day, hour: mode === 'month' ? null : index % HOURS };
}

/** Returns how many items the days of the title have. The days of other months that a month shows beside its own don't count. */
export function itemsInTitle(range: VisibleRange, slots: readonly { count: number }[]): number {
  const isOwn = (index: number) => range.mode === 'week' || placeOfSlot(range, index)?.day.slice(0, 7) === range.month;
  return slots.reduce((sum, { count }, index) => (isOwn(index) ? sum + count : sum), 0);
}

/** Returns whether clocks skip an hour of a visible day. */
export function isSkipped(range: VisibleRange, day: string, hour: number): boolean {
  const index = slotIndex(range, day, hour);
  return range.mode === 'week' && index >= 0 && range.instants[index] === range.instants[index + 1];
}

/** `Tuesday 5 May 2026`. */
export function fullDay(day: string): string {
  return texts.dates.full(day, weekdayOf(day));
}

function daysOf(weeks: VisibleRange['weeks']): string[] {
  return weeks.flat().filter((day) => day !== null);
}
