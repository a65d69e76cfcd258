import { isCalendarDay } from '../local-day.ts';

const DAY_MS = 86_400_000;

/** A day as the number of days since 1 January 1970. */
export type DayNumber = number;

/** The last day that the API can write: its years have four digits. */
export const LAST_DAY_NUMBER: DayNumber = Date.UTC(9999, 11, 31) / DAY_MS;

/** Reads `YYYY-MM-DD`; null when the calendar has no such day. */
export function dayNumberOf(text: string): DayNumber | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (match === null) return null;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  return isCalendarDay(year, month, day) ? numberOf(year, month, day) : null;
}

/** Returns a day as `YYYY-MM-DD`. */
export function dayTextOf(day: DayNumber): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** Returns the day of the week; 0 is Sunday. */
export function weekdayOfNumber(day: DayNumber): number {
  return new Date(day * DAY_MS).getUTCDay();
}

/** Returns the day of the month, 1 to 31. */
export function dayOfMonth(day: DayNumber): number {
  return new Date(day * DAY_MS).getUTCDate();
}

/** Returns the same day so many months later, or the last day of that month when it is shorter. */
export function monthsLater(day: DayNumber, months: number): DayNumber {
  const from = new Date(day * DAY_MS);
  const month = from.getUTCMonth() + months;
  const [year, index] = [from.getUTCFullYear() + Math.floor(month / 12), month % 12];
  const lastDay = dayOfMonth(numberOf(year, index + 2, 0));
  return numberOf(year, index + 1, Math.min(from.getUTCDate(), lastDay));
}

/** `month` counts from 1. Day 0 is the last day of the month before. */
function numberOf(year: number, month: number, day: number): DayNumber {
  const date = new Date(0);
  // `Date.UTC` moves the years before 100 to the 20th century.
  date.setUTCFullYear(year, month - 1, day);
  return date.getTime() / DAY_MS;
}
