import { describe, expect, it } from 'vitest';
import { sampled } from '../../helpers/test-extent.ts';
import { violationsOf } from '../../simulation/shrink.ts';
import { stationScenarioOf } from '../../simulation/station/draw-station.ts';
import { GUARDS } from '../../simulation/station/guards.ts';
import { firstFailureWithout } from '../../simulation/station/without-guard.ts';

describe('the simulated station', () => {
  it.each(sampled(GUARDS, 4))('reports a violation only without the guard: $name', async ({ name, seed, focus }) => {
    expect(await violationsOf(stationScenarioOf(seed, null, focus)), 'with the guard').toEqual([]);
    expect(await firstFailureWithout(name, seed, seed + 1), 'without the guard').not.toBeNull();
  });
});
