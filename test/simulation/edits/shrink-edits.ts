import type { Violation } from '../checker/check-history.ts';
import { checkEdits } from './check-edits.ts';
import type { EditScenario } from './edit-scenario.ts';
import { simulateEdits } from './simulate-edits.ts';

/** Runs a scenario and returns the violated rules. */
export async function editViolationsOf(scenario: EditScenario): Promise<Violation[]> {
  return checkEdits(await simulateEdits(scenario));
}

/** Returns the smallest scenario that still violates `rule`, found by removing one element after the other. */
export async function shrinkEdits(scenario: EditScenario, rule: string, forMs = 60_000): Promise<EditScenario> {
  const untilMs = performance.now() + forMs;
  let smallest = scenario;
  for (let progress = true; progress; ) {
    progress = false;
    for (const candidate of smaller(smallest)) {
      if (performance.now() > untilMs) return smallest;
      if (!(await editViolationsOf(candidate)).some((violation) => violation.rule === rule)) continue;
      smallest = candidate;
      progress = true;
      break;
    }
  }
  return smallest;
}

function* smaller(scenario: EditScenario): Generator<EditScenario> {
  const { acts, troubles, items, service, calmAtMs } = scenario;
  if (troubles.length > 1) yield { ...scenario, troubles: [] };
  const half = Math.ceil(acts.length / 2);
  if (acts.length > 3) {
    yield { ...scenario, acts: acts.slice(0, half) };
    yield { ...scenario, acts: acts.slice(half) };
  }
  for (const index of acts.keys()) yield { ...scenario, acts: acts.toSpliced(index, 1) };
  for (const index of troubles.keys()) yield { ...scenario, troubles: troubles.toSpliced(index, 1) };
  if (scenario.hasOtherSite) yield { ...scenario, hasOtherSite: false };
  if (items > 1) yield { ...scenario, items: Math.ceil(items / 2) };
  if (service.rewrites !== 'nothing') yield { ...scenario, service: { ...service, rewrites: 'nothing' } };
  if (service.silent !== 'none') yield { ...scenario, service: { ...service, silent: 'none' } };
  const endMs = Math.max(20_000, ...acts.map(({ atMs }) => atMs), ...troubles.map(({ toMs }) => toMs)) + 1;
  if (endMs < calmAtMs) yield { ...scenario, calmAtMs: endMs };
}
