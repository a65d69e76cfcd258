import { EDIT_SEEDS, keepSeed, keptSeeds } from '../kept-seeds.ts';
import { runSeeds, runWithoutEach } from '../run-seeds.ts';
import { checkEdits } from './check-edits.ts';
import { EDIT_GUARDS, firstEditFailureWithout } from './edit-guards.ts';
import type { EditScenario } from './edit-scenario.ts';
import { editScenarioFrom, type ProgramAct, programActOf } from './often.ts';
import { editViolationsOf, shrinkEdits } from './shrink-edits.ts';
import { simulateEdits } from './simulate-edits.ts';
import { editTraceOf } from './trace-edits.ts';

export interface EditRunOptions {
  from: number;
  seeds: number;
  workers: number;
  guards: boolean;
  seed?: string | undefined;
  trace: boolean;
  keep?: string | undefined;
  rule?: string | undefined;
  /** What happens to a program after each act of its person. */
  often?: string | undefined;
  found: string;
}

/** Runs the simulation of editors: see `npm run simulate`. Returns the exit code. */
export function runEdits(options: EditRunOptions): Promise<number> {
  if (options.guards) return runWithoutGuards(options);
  return options.seed === undefined ? runMany(options) : runOne(Number(options.seed), options);
}

async function runMany({ from, seeds, workers, often: name }: EditRunOptions): Promise<number> {
  const often = oftenOf(name);
  const { code, first } = await runSeeds({
    from,
    seeds,
    workers,
    source: { kind: 'edits', recordings: null, often },
    noun: 'edits of items',
    kept: keptSeeds<EditScenario>(EDIT_SEEDS),
    violationsOf: editViolationsOf,
  });
  if (first !== null) await explain(editScenarioFrom(first[0], often), first[1]);
  return code;
}

async function runOne(seed: number, { trace, keep, found, rule: wanted, often }: EditRunOptions): Promise<number> {
  const scenario = editScenarioFrom(seed, oftenOf(often));
  const history = await simulateEdits(scenario);
  const violations = checkEdits(history);
  if (trace) console.log(editTraceOf(history).join('\n'));
  for (const { rule, text } of violations) console.error(`seed ${seed} breaks ${rule}: ${text}`);
  const rule = wanted ?? violations[0]?.rule;
  if (rule === undefined) {
    console.log(`seed ${seed}: all rules hold`);
    return 0;
  }
  if (keep !== undefined) {
    console.log(keepSeed(keep, { found, rule, scenario: await shrinkEdits(scenario, rule) }, EDIT_SEEDS));
  } else if (!trace) await explain(scenario, rule);
  return 1;
}

function oftenOf(name: string | undefined): ProgramAct | null {
  return name === undefined ? null : programActOf(name);
}

/** The smallest scenario that violates the same rule, and its trace. */
async function explain(scenario: EditScenario, rule: string): Promise<void> {
  console.log(`\nseed ${scenario.seed}, made smaller:`);
  const smallest = await shrinkEdits(scenario, rule);
  console.log(JSON.stringify(smallest));
  const history = await simulateEdits(smallest);
  console.log(editTraceOf(history).join('\n'));
  for (const violation of checkEdits(history)) console.error(`breaks ${violation.rule}: ${violation.text}`);
}

/** Returns 1 when no seed fails without one of the guards. */
function runWithoutGuards({ seeds }: EditRunOptions): Promise<number> {
  return runWithoutEach(EDIT_GUARDS, (name) => firstEditFailureWithout(name, seeds));
}
