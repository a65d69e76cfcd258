import { addDays } from '../library-query/relative-dates.ts';

/** The day with which weeks begin: 0 is Sunday, 1 is Monday, as `Date.getDay` counts. */
export type WeekStart = 0 | 1 | 2 | 3 | 4 | 5 | 6;

/** The first and the last day that calendars show, as in conditions of searches. */
const FIRST_DAY = '1000-01-01';
export const LAST_DAY = '9999-12-31';

const DAYS_IN_WEEK = 7;

/** Returns the day of the week of a day such as `2026-05-05`: 0 is Sunday. */
export function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay();
}

/** Returns the days of the week of a day. null: a day before the first or after the last day of calendars. */
export function weekOf(day: string, weekStart: WeekStart): (string | null)[] {
  const back = (weekdayOf(day) - weekStart + DAYS_IN_WEEK) % DAYS_IN_WEEK;
  return Array.from({ length: DAYS_IN_WEEK }, (_, index) => dayAfter(day, index - back));
}

/** Returns the weeks that contain days of the month of a day: 4 to 6 of them. */
export function monthOf(day: string, weekStart: WeekStart): (string | null)[][] {
  const month = day.slice(0, 7);
  const weeks = [weekOf(`${month}-01`, weekStart)];
  for (;;) {
    const last = weeks.at(-1)?.at(-1) ?? null;
    const next = last === null ? null : dayAfter(last, 1);
    if (next === null || next.slice(0, 7) !== month) return weeks;
    weeks.push(weekOf(next, weekStart));
  }
}

/** Returns the day that is a number of days after another one, not beyond the first and the last day of calendars. */
export function dayBy(day: string, days: number): string {
  return addDays(day, days);
}

/** Returns the same day of another month; its last day if it has no such day. */
export function monthBy(day: string, months: number): string {
  const [year, month, date] = [Number(day.slice(0, 4)), Number(day.slice(5, 7)), Number(day.slice(8, 10))];
  const count = year * 12 + month - 1 + months;
  const [toYear, toMonth] = [Math.floor(count / 12), (count % 12) + 1];
  if (toYear < 1000) return FIRST_DAY;
  if (toYear > 9999) return LAST_DAY;
  const lastDate = new Date(Date.UTC(toYear, toMonth, 0)).getUTCDate();
  return `${toYear}-${two(toMonth)}-${two(Math.min(date, lastDate))}`;
}

/** Returns the nearest day that calendars show. */
export function withinCalendar(day: string): string {
  return day < FIRST_DAY ? FIRST_DAY : day > LAST_DAY ? LAST_DAY : day;
}

/** Returns a day that calendars show; null when it is not one of them. */
function dayAfter(day: string, days: number): string | null {
  const found = addDays(day, days);
  const isThere = Date.parse(found) - Date.parse(day) === days * 86_400_000;
  return isThere ? found : null;
}

const two = (value: number): string => String(value).padStart(2, '0');
