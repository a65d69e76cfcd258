import { describe, expect, it } from 'vitest';
import { sampled } from '../../helpers/test-extent.ts';
import { computingTime } from '../../helpers/time/computing-time.ts';
import { EDIT_GUARDS, firstEditFailureWithout, scenarioFor } from '../../simulation/edits/edit-guards.ts';
import { type EditScenario, editScenarioOf } from '../../simulation/edits/edit-scenario.ts';
import { editViolationsOf } from '../../simulation/edits/shrink-edits.ts';
import { editTraceHash, simulateEdits } from '../../simulation/edits/simulate-edits.ts';
import { EDIT_SEEDS, keptSeeds } from '../../simulation/kept-seeds.ts';

/** The computing time for new seeds; `npm run simulate -- --edits` runs any number of seeds. */
const BUDGET_MS = 4_000;
/** The number of seeds that are tried, however long they take. */
const LEAST_SEEDS = 10;
/** How many further seeds are tried when the engine has changed and the seed of a guard no longer shows that it is needed. */
const MOST_FURTHER = 300;

describe('two editors with journal and mirror who are often offline', () => {
  it.each(keptSeeds<EditScenario>(EDIT_SEEDS))('keep a guarantee that once failed: $kept.found', async ({ kept }) => {
    expect(await editViolationsOf(kept.scenario)).toEqual([]);
  });

  it('lose no edit, overwrite no value that its user did not see, and end with the state of the library, whatever fails', async () => {
    const hasTime = computingTime(BUDGET_MS);
    for (let seed = 1; seed <= LEAST_SEEDS || hasTime(); seed += 1) {
      expect(await editViolationsOf(editScenarioOf(seed)), `seed ${seed}`).toEqual([]);
    }
  });

  it('produce the same history for the same seed', async () => {
    for (const seed of [7, 83]) {
      const hash = editTraceHash(await simulateEdits(editScenarioOf(seed)));
      expect(editTraceHash(await simulateEdits(editScenarioOf(seed)))).toBe(hash);
      expect(editTraceHash(await simulateEdits(editScenarioOf(seed + 1)))).not.toBe(hash);
    }
  });

  it.each(sampled(EDIT_GUARDS, 8))('cause a violation only without the guard: $name', async (guard) => {
    const failure = await firstEditFailureWithout(guard.name, MOST_FURTHER);
    expect(failure, 'without the guard').not.toBeNull();
    expect(await editViolationsOf(scenarioFor(guard, failure?.seed ?? 0)), 'with the guard').toEqual([]);
  });
});
