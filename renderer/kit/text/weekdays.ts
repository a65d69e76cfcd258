import { localTimeIn } from '../../../shared/model/zoned-time.ts';
import { defineTexts } from './define-texts.ts';
import { formatInZone } from './format.ts';

/** The days of the week, Monday first. 0 is Sunday. */
export const WEEK = [1, 2, 3, 4, 5, 6, 0] as const;

const words = defineTexts({
  en: {
    names: ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
    short: ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'],
  },
});

/** The names of the days, Sunday first. */
export const DAY_NAMES: readonly string[] = words.names;
export const DAY_SHORT: readonly string[] = words.short;

/** Returns an instant as the local time of a time zone with the day of the week: `Thu 19 Nov 2026, 14:02`. */
export function formatDayInZone(epochMs: number, timeZone: string): string {
  const weekday = new Date(`${localTimeIn(epochMs, timeZone)}Z`).getUTCDay();
  return `${DAY_SHORT[weekday]} ${formatInZone(epochMs, timeZone)}`;
}
