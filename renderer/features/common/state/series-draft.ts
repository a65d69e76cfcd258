import type { Series, SeriesInterval } from '../../../../shared/contract/series.ts';
import { localTimeZone } from '../../../../shared/model/local-time-zone.ts';
import { localTimeIn } from '../../../../shared/model/zoned-time.ts';
import type { DaysOff } from './days-off-store.ts';

export type SeriesUnit = SeriesInterval['unit'];

/** A series of publish times as the user enters it, without the days off, which belong to the profile. */
export interface SeriesDraft {
  /** The first time in the form of the input: `2027-05-05T18:00`. */
  first: string;
  timeZone: string;
  unit: SeriesUnit;
  /** For every unit except days of the week. */
  count: number;
  /** Days of the week; 0 is Sunday. */
  weekdays: readonly number[];
}

/** The fields of a series that the user has to correct. */
export type SeriesField = 'first' | 'weekdays' | 'skipped';

/** Returns the first draft: weekly, from an instant in epoch milliseconds on. */
export function newSeriesDraft(firstMs: number): SeriesDraft {
  const timeZone = localTimeZone();
  return { first: localTimeIn(firstMs, timeZone), timeZone, unit: 'week', count: 1, weekdays: [] };
}

/**
 * Returns the series that the draft describes, or the first field to correct. `daysOff` null: they are not loaded, so there is no
 * series yet.
 */
export function readSeriesDraft(
  draft: SeriesDraft,
  daysOff: DaysOff | null,
): { series: Series } | { wrong: SeriesField } {
  const { first, timeZone, unit, count, weekdays } = draft;
  if (first === '') return { wrong: 'first' };
  if (unit === 'weekdays' && weekdays.length === 0) return { wrong: 'weekdays' };
  if (daysOff === null || 'problem' in daysOff.read) return { wrong: 'skipped' };
  const interval: SeriesInterval = unit === 'weekdays' ? { unit, days: [...weekdays] } : { unit, count };
  return { series: { first, timeZone, interval, skipped: daysOff.read.days } };
}
