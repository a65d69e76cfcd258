import type { Series } from '../../../../shared/contract/series.ts';
import type { ListedFile } from '../../../../shared/contract/upload-files.ts';
import { MOST_SERIES_ITEMS } from '../../../../shared/model/series/series-limits.ts';
import { seriesProblemText } from '../../../../shared/model/series/series-text.ts';
import { type SeriesTime, seriesTimes } from '../../../../shared/model/series/series-times.ts';
import type { Descriptions } from './add-described.ts';
import { texts } from './texts.ts';

/** The publish times of files in a series, by path, or why there are none. */
export interface FileTimes {
  times: ReadonlyMap<string, SeriesTime>;
  problem: string | null;
}

const NONE: ReadonlyMap<string, SeriesTime> = new Map();

/**
 * Returns the publish times of files one after another, in the order of the sheet. Files without an item of their own, files that
 * the user left out, and files with a described publication have none.
 */
export function fileTimes(
  files: readonly ListedFile[],
  series: Series,
  descriptions: Descriptions,
  leftOut: ReadonlySet<string>,
): FileTimes {
  const timed = files.filter(
    ({ path, problem, late }) =>
      problem === null && late === undefined && !leftOut.has(path) && !descriptions.get(path)?.publish,
  );
  if (timed.length > MOST_SERIES_ITEMS)
    return { times: NONE, problem: texts.seriesTooLong(timed.length, MOST_SERIES_ITEMS) };
  const found = seriesTimes(series, timed.length, Date.now());
  if ('problem' in found) return { times: NONE, problem: seriesProblemText(found.problem, series) };
  const entries = timed.flatMap(({ path }, index): [string, SeriesTime][] => {
    const time = found.times[index];
    return time === undefined ? [] : [[path, time]];
  });
  return { times: new Map(entries), problem: null };
}
