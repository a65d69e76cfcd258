import type { SeriesInterval } from '../../../shared/contract/series.ts';
import { LONGEST_INTERVAL } from '../../../shared/model/series/series-limits.ts';
import { DAY_WORDS } from './day-words.ts';

/** Reads `day`, `week`, `month`, `2 weeks`, or days of the week such as `mon,thu`. Returns null for anything else. */
export function readInterval(text: string): SeriesInterval | null {
  const words = text.trim().toLowerCase();
  const single = /^(day|week|month)$/.exec(words);
  if (single !== null) return { unit: single[1] as 'day' | 'week' | 'month', count: 1 };
  const several = /^(\d{1,3}) (day|week|month)s?$/.exec(words);
  if (several !== null) {
    const count = Number(several[1]);
    return count < 1 || count > LONGEST_INTERVAL ? null : { unit: several[2] as 'day' | 'week' | 'month', count };
  }
  const days = words.split(',').map((word) => DAY_WORDS.indexOf(word.trim()));
  if (days.includes(-1) || new Set(days).size < days.length) return null;
  return { unit: 'weekdays', days: days.sort((a, b) => a - b) };
}
