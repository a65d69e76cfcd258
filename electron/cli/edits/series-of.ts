import type { Series } from '../../../shared/contract/series.ts';
import type { Engine } from '../../engine/engine.ts';
import type { WantedSeries } from '../arguments/series-options.ts';

/** Returns a series with the days that it skips: those of the option, otherwise those of the profile. */
export async function seriesOf(engine: Engine, { skipped, ...series }: WantedSeries): Promise<Series> {
  return { ...series, skipped: skipped ?? (await engine.call('settings.get', null)).daysWithoutPublication };
}
