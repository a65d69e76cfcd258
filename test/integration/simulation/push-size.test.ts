import { describe, expect, it } from 'vitest';
import { isLongRun } from '../../helpers/test-extent.ts';
import { keptSeeds } from '../../simulation/kept-seeds.ts';
import { scenarioOf } from '../../simulation/scenario.ts';
import { violationsOf } from '../../simulation/shrink.ts';
import { simulate, traceHash } from '../../simulation/simulate.ts';
import { stationScenarioOf } from '../../simulation/station/draw-station.ts';

/** The real time for new seeds; `npm run simulate` runs any number of seeds. */
const BUDGET_MS = isLongRun ? 20_000 : 8_000;

describe('the upload engine in a simulated world', () => {
  it.each(keptSeeds())('$kept.found', async ({ kept }) => {
    expect(await violationsOf(kept.scenario)).toEqual([]);
  });

  it('loses no file, duplicates none and always ends, whatever fails', { timeout: 120_000 }, async () => {
    const untilMs = performance.now() + BUDGET_MS;
    let seed = 1;
    for (; performance.now() < untilMs; seed += 1) {
      expect(await violationsOf(scenarioOf(seed)), `seed ${seed}`).toEqual([]);
    }
    expect(seed).toBeGreaterThan(50);
  });

  it('uploads each finished recording of a watched folder once, whatever a day brings', {
    timeout: 120_000,
  }, async () => {
    const untilMs = performance.now() + BUDGET_MS;
    let seed = 1;
    for (; performance.now() < untilMs; seed += 1) {
      expect(await violationsOf(stationScenarioOf(seed)), `station ${seed}`).toEqual([]);
    }
    expect(seed).toBeGreaterThan(10);
  });

  it('produces the same trace for the same seed', { timeout: 60_000 }, async () => {
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
