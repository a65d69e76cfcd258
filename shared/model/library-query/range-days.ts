import type { QueryRange } from './library-query.ts';
import { readDate } from './ranges.ts';

/** The first and the last day of a range, both included, as `2026-03-31`; empty: no limit. */
export interface RangeDays {
  from: string;
  to: string;
}

/** Returns the days of a range of dates. `>2026-03` begins with the day after March. */
export function daysOf({ from, to, isOpen }: QueryRange<string>): RangeDays {
  return {
    from: from === null ? '' : isOpen ? dayAfter(lastDayOf(from)) : firstDayOf(from),
    to: to === null ? '' : isOpen ? dayBefore(firstDayOf(to)) : lastDayOf(to),
  };
}

/** Returns the range of days; null when no day is given, a day is no date, or the first is after the last. */
export function rangeOfDays({ from, to }: RangeDays): QueryRange<string> | null {
  const isGiven = from !== '' || to !== '';
  const isDate = (day: string) => day === '' || readDate(day) !== null;
  if (!isGiven || !isDate(from) || !isDate(to) || (from !== '' && to !== '' && from > to)) return null;
  return { from: from === '' ? null : from, to: to === '' ? null : to, isOpen: false };
}

function firstDayOf(date: string): string {
  const [year = '', month = '01', day = '01'] = date.split('-');
  return `${year}-${month}-${day}`;
}

function lastDayOf(date: string): string {
  const [year, month = '12', day] = date.split('-');
  if (day !== undefined) return date;
  return isoDay(Date.UTC(Number(year), Number(month), 0));
}

const DAY_MS = 24 * 60 * 60_000;

function dayAfter(day: string): string {
  return isoDay(Date.parse(day) + DAY_MS);
}

function dayBefore(day: string): string {
  return isoDay(Date.parse(day) - DAY_MS);
}

function isoDay(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 10);
}
