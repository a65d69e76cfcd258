import { checkHistory, type Violation } from './checker/check-history.ts';
import type { Scenario } from './scenario.ts';
import { simulate } from './simulate.ts';
import type { StationPlan } from './station/plan.ts';

/** Runs a scenario and returns the violated rules. */
export async function violationsOf(scenario: Scenario): Promise<Violation[]> {
  return checkHistory(await simulate(scenario));
}

/** Returns the smallest scenario that still violates `rule`, found by removing one element after the other. */
export async function shrink(scenario: Scenario, rule: string, timeoutMs = 30_000): Promise<Scenario> {
  const untilMs = performance.now() + timeoutMs;
  let smallest = scenario;
  for (let progress = true; progress; ) {
    progress = false;
    for (const candidate of smaller(smallest)) {
      if (performance.now() > untilMs) return smallest;
      if (!(await violationsOf(candidate)).some((violation) => violation.rule === rule)) continue;
      smallest = candidate;
      progress = true;
      break;
    }
  }
  return smallest;
}

/** Yields all scenarios with one element less, the largest elements first. */
function* smaller(scenario: Scenario): Generator<Scenario> {
  if (scenario.station !== undefined) yield* smallerStation(scenario, scenario.station);
  const { uploads, faults, events } = scenario;
  if (faults.length > 1) yield { ...scenario, faults: [] };
  if (events.length > 1) yield { ...scenario, events: [] };
  for (const index of uploads.keys()) if (uploads.length > 1) yield withoutUpload(scenario, index);
  for (const index of events.keys()) yield { ...scenario, events: events.toSpliced(index, 1) };
  for (const index of faults.keys()) yield { ...scenario, faults: faults.toSpliced(index, 1) };
  for (const [index, upload] of uploads.entries()) {
    if (upload.publish.kind !== 'draft') {
      yield { ...scenario, uploads: uploads.with(index, { ...upload, publish: { kind: 'draft' } }) };
    }
    if (upload.addAtMs !== 0) yield { ...scenario, uploads: uploads.with(index, { ...upload, addAtMs: 0 }) };
  }
}

function* smallerStation(scenario: Scenario, station: StationPlan): Generator<Scenario> {
  const { recordings, events } = station;
  const withPlan = (change: Partial<StationPlan>): Scenario => ({ ...scenario, station: { ...station, ...change } });
  const half = Math.ceil(recordings.length / 2);
  if (events.length > 1) yield withPlan({ events: [] });
  if (recordings.length > 3) {
    yield withPlan({ recordings: recordings.slice(0, half) });
    yield withPlan({ recordings: recordings.slice(half) });
  }
  for (const index of recordings.keys()) {
    if (recordings.length > 1) yield withPlan({ recordings: recordings.toSpliced(index, 1) });
  }
  for (const index of events.keys()) yield withPlan({ events: events.toSpliced(index, 1) });
}

function withoutUpload(scenario: Scenario, index: number): Scenario {
  return {
    ...scenario,
    uploads: scenario.uploads.toSpliced(index, 1),
    events: scenario.events
      .filter(({ upload }) => upload !== index)
      .map((each) => ({ ...each, upload: each.upload > index ? each.upload - 1 : each.upload })),
  };
}
