// Runs the simulation of the upload engine: npm run simulate -- --seeds N [--from S] [--seed S [--trace] [--keep NAME
// FOUND]]; --stations [--recordings N]: days of recording stations with a watched folder; --edits: two editors on computers
// that are often offline, and a third in the browser; --edits --often crash-at-write: the same with a crash after each act;
// --guards: shows for each guard of watched folders, or with --edits of the journal and the mirror, a seed that fails
// without it.
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { checkHistory } from './checker/check-history.ts';
import { runEdits } from './edits/run-edits.ts';
import { keepSeed, keptSeeds } from './kept-seeds.ts';
import { runSeeds, runWithoutEach } from './run-seeds.ts';
import type { Scenario } from './scenario.ts';
import { type ScenarioSource, scenarioFrom } from './scenario-source.ts';
import { shrink, violationsOf } from './shrink.ts';
import { simulate } from './simulate.ts';
import { GUARDS } from './station/guards.ts';
import { firstFailureWithout } from './station/without-guard.ts';
import { traceOf } from './trace.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    trace: { type: 'boolean', default: false },
    /** Stores the shrunk scenario of `--seed` under this name. */
    keep: { type: 'string' },
    /** Which of the violated rules to keep; the first by default. */
    rule: { type: 'string' },
    /** The broken guarantee that it found, for `--keep`. */
    found: { type: 'string', default: '' },
    stations: { type: 'boolean', default: false },
    /** The number of recordings of each station. */
    recordings: { type: 'string' },
    edits: { type: 'boolean', default: false },
    /** For editors: `crash-at-write`, `power-cut` or another act on the program follows each act of its user. */
    often: { type: 'string' },
    guards: { type: 'boolean', default: false },
    workers: { type: 'string', default: String(availableParallelism()) },
  },
});

const source: ScenarioSource = {
  kind: values.stations ? 'stations' : 'uploads',
  recordings: values.recordings === undefined ? null : Number(values.recordings),
};
process.exitCode = values.edits
  ? await runEdits({
      ...values,
      from: Number(values.from),
      seeds: Number(values.seeds),
      workers: Number(values.workers),
    })
  : values.guards
    ? await runWithoutGuards(Number(values.from), Number(values.seeds))
    : values.seed === undefined
      ? await runMany()
      : await runOne(Number(values.seed));

async function runMany(): Promise<number> {
  const { code, first } = await runSeeds({
    from: Number(values.from),
    seeds: Number(values.seeds),
    workers: Number(values.workers),
    source,
    noun: 'uploads',
    kept: keptSeeds(),
    violationsOf,
  });
  if (first !== null) await explain(scenarioFrom(source, first[0]), first[1]);
  return code;
}

/** Returns 1 when no seed fails without one of the guards. */
function runWithoutGuards(from: number, seeds: number): Promise<number> {
  return runWithoutEach(GUARDS, (name) => firstFailureWithout(name, from, from + seeds));
}

async function runOne(seed: number): Promise<number> {
  const scenario = scenarioFrom(source, seed);
  const history = await simulate(scenario);
  const violations = checkHistory(history);
  if (values.trace) console.log(traceOf(history).join('\n'));
  for (const { rule, text } of violations) console.error(`seed ${seed} breaks ${rule}: ${text}`);
  const rule = values.rule ?? violations[0]?.rule;
  if (rule === undefined) {
    console.log(`seed ${seed}: all rules hold`);
    return 0;
  }
  if (values.keep !== undefined) {
    const smallest = await shrink(scenario, rule);
    console.log(keepSeed(values.keep, { found: values.found, rule, scenario: smallest }));
  } else if (!values.trace) {
    await explain(scenario, rule);
  }
  return 1;
}

/** Prints the smallest scenario that violates the same rule, and its trace. */
async function explain(scenario: Scenario, rule: string): Promise<void> {
  console.log(`\nseed ${scenario.seed}, made smaller:`);
  const smallest = await shrink(scenario, rule);
  console.log(JSON.stringify(smallest));
  const history = await simulate(smallest);
  console.log(traceOf(history).join('\n'));
  for (const violation of checkHistory(history)) console.error(`breaks ${violation.rule}: ${violation.text}`);
}
