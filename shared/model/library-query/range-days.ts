import type { QueryRange, QueryTerm } from './library-query.ts';
import { readQueryDate } from './ranges.ts';
import { addDays, dayAt, OFFERED_DATES, type Period, periodOf, readRelative } from './relative-dates.ts';

/** The first and the last day of a range, both included, as `2026-03-31`; empty: no limit. */
export interface RangeDays {
  from: string;
  to: string;
}

export type DateKind = Extract<QueryTerm['kind'], 'created' | 'modified' | 'published'>;

const OFFERED_MONTHS = 12;

/** Returns the periods that a form offers for a date: relative ones, then this month and the months before it (`2026-11`). */
export function periodsOf(kind: DateKind, today: string): readonly string[] {
  const months = Array.from({ length: OFFERED_MONTHS }, (_, before) => {
    return dayAt(Number(today.slice(0, 4)), Number(today.slice(5, 7)) - 1 - before, 1).slice(0, 7);
  });
  return [...(kind === 'published' ? OFFERED_DATES.any : OFFERED_DATES.past), ...months];
}

/** Returns the days of a range of dates. `>2026-03` begins with the day after March. `today`: for relative dates. */
export function daysOf({ from, to, isOpen }: QueryRange<string>, today: string): RangeDays {
  const first = from === null ? null : periodAt(from, today);
  const last = to === null ? null : periodAt(to, today);
  return {
    from: first === null ? '' : isOpen ? addDays(first.last, 1) : first.first,
    to: last === null ? '' : isOpen ? addDays(last.first, -1) : last.last,
  };
}

/** Returns the range of days; null when no day is given, a day is no date, or the first is after the last. */
export function rangeOfDays({ from, to }: RangeDays): QueryRange<string> | null {
  const isGiven = from !== '' || to !== '';
  const isDate = (day: string) => day === '' || readQueryDate(day) !== null;
  if (!isGiven || !isDate(from) || !isDate(to) || (from !== '' && to !== '' && from > to)) return null;
  return { from: from === '' ? null : from, to: to === '' ? null : to, isOpen: false };
}

function periodAt(date: string, today: string): Period {
  if (readRelative(date) !== null) return periodOf(date, today);
  const [year = '', month, day] = date.split('-');
  if (month !== undefined && day !== undefined) return { first: date, last: date };
  const first = `${year}-${month ?? '01'}-01`;
  const lastDate = new Date(Date.UTC(Number(year), Number(month ?? 12), 0)).getUTCDate();
  return { first, last: `${year}-${month ?? '12'}-${lastDate}` };
}
