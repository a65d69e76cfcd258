import { describe, expect, it } from 'vitest';
import { isLongRun } from '../../helpers/test-extent.ts';
import { computingTime } from '../../helpers/time/computing-time.ts';
import { keptSeeds } from '../../simulation/kept-seeds.ts';
import { scenarioOf } from '../../simulation/scenario.ts';
import { violationsOf } from '../../simulation/shrink.ts';
import { simulate, traceHash } from '../../simulation/simulate.ts';
import { stationScenarioOf } from '../../simulation/station/draw-station.ts';

/** The computing time for new seeds; `npm run simulate` runs any number of seeds. */
const BUDGET_MS = isLongRun ? 20_000 : 4_000;
/** The number of seeds that are tried, however long they take. */
const LEAST_SEEDS = 50;
const LEAST_STATION_SEEDS = 10;

describe('the upload engine in a simulated world', () => {
  it.each(keptSeeds())('keeps a guarantee that once failed: $kept.found', async ({ kept }) => {
    expect(await violationsOf(kept.scenario)).toEqual([]);
  });

  it('loses no file, duplicates none and always ends, whatever fails', async () => {
    const hasTime = computingTime(BUDGET_MS);
    for (let seed = 1; seed <= LEAST_SEEDS || hasTime(); seed += 1) {
      expect(await violationsOf(scenarioOf(seed)), `seed ${seed}`).toEqual([]);
    }
  });

  it('uploads each finished recording of a watched folder once, whatever happens within a day', async () => {
    const hasTime = computingTime(BUDGET_MS);
    for (let seed = 1; seed <= LEAST_STATION_SEEDS || hasTime(); seed += 1) {
      expect(await violationsOf(stationScenarioOf(seed)), `station ${seed}`).toEqual([]);
    }
  });

  it('produces the same trace for the same seed', async () => {
    for (const seed of [7, 83, 4711]) {
      const hash = traceHash(await simulate(scenarioOf(seed)));
      expect(traceHash(await simulate(scenarioOf(seed)))).toBe(hash);
      expect(traceHash(await simulate(scenarioOf(seed + 1)))).not.toBe(hash);
    }
    for (const seed of [3, 13]) {
      const hash = traceHash(await simulate(stationScenarioOf(seed)));
      expect(traceHash(await simulate(stationScenarioOf(seed)))).toBe(hash);
    }
  });
});
