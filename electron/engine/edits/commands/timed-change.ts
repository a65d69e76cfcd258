import { appError } from '../../../../shared/contract/app-error.ts';
import type { BulkChange, ItemChange } from '../../../../shared/contract/edits.ts';
import { requiredTimes } from '../../../../shared/model/series/required-times.ts';
import { MOST_SERIES_ITEMS } from '../../../../shared/model/series/series-limits.ts';
import type { SeriesTime } from '../../../../shared/model/series/series-times.ts';

/** The most items of a series, and the error for more. */
export const SERIES_LIMIT = { most: MOST_SERIES_ITEMS, tooMany: () => appError('edit.series-too-long') };

/**
 * Returns the change of each of so many items, by index, and what is special about its time in a series. `nowMs`: the time of this
 * computer. Throws `edit.series-too-long` and `edit.series-without-time`.
 */
export function timedChange(
  { publication, ...change }: BulkChange,
  count: number,
  nowMs: number,
): (index: number) => { change: ItemChange; notes: SeriesTime['notes'] } {
  if (publication?.kind !== 'series') {
    const same = { change: publication === undefined ? change : { ...change, publication }, notes: [] };
    return () => same;
  }
  const times = requiredTimes(publication.series, count, nowMs);
  return (index) => {
    const time = times[index];
    if (time === undefined) return { change, notes: [] };
    const at = new Date(time.at).toISOString();
    return { change: { ...change, publication: { kind: 'at', at } }, notes: time.notes };
  };
}

/** Returns a change as it is stored with its edits: without the days that a series skips, which can be many. */
export function storedChange(change: BulkChange): BulkChange {
  const { publication } = change;
  if (publication?.kind !== 'series') return change;
  return { ...change, publication: { kind: 'series', series: { ...publication.series, skipped: [] } } };
}
