import { appError } from '../../contract/app-error.ts';
import type { Series } from '../../contract/series.ts';
import { MOST_SERIES_ITEMS } from './series-limits.ts';
import { seriesProblemText } from './series-text.ts';
import { type SeriesTime, seriesTimes } from './series-times.ts';

/** Returns the times of `seriesTimes`. Throws `edit.series-too-long` and `edit.series-without-time`. */
export function requiredTimes(series: Series, count: number, nowMs: number): readonly SeriesTime[] {
  if (count > MOST_SERIES_ITEMS) throw appError('edit.series-too-long');
  const found = seriesTimes(series, count, nowMs);
  if ('times' in found) return found.times;
  throw appError('edit.series-without-time', { message: seriesProblemText(found.problem, series) });
}
