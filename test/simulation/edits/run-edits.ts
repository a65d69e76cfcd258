import { runWorker } from '../fork-worker.ts';
import { EDIT_SEEDS, keepSeed, keptSeeds } from '../kept-seeds.ts';
import type { Report, Share } from '../worker.ts';
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
  const startedAt = performance.now();
  const to = from + seeds;
  const step = Math.max(1, Math.min(workers, seeds));
  const total = { seeds: 0, records: 0, simulatedMs: 0, repeated: 0 };
  const failed = new Map<number, string>();
  let shownAt = startedAt;
  const onReport = (report: Report) => {
    if (report.kind === 'failed') {
      failed.set(report.seed, report.violations[0]?.rule ?? '');
      for (const { rule, text } of report.violations.slice(0, 2)) {
        console.error(`seed ${report.seed} breaks ${rule}: ${text}`);
      }
      return;
    }
    total.seeds += report.seeds;
    total.records += report.uploads;
    total.simulatedMs += report.simulatedMs;
    total.repeated += report.repeated;
    if (performance.now() - shownAt < 5000) return;
    shownAt = performance.now();
    console.log(`${total.seeds} of ${seeds} seeds, ${failed.size} failed`);
  };
  const source = { kind: 'edits', recordings: null, often } as const;
  const shares = Array.from({ length: step }, (_, index): Share => ({ from: from + index, to, step, source }));
  const codes = await Promise.all(shares.map((share) => runWorker(share, onReport)));
  let broken = 0;
  for (const { name, kept } of keptSeeds<EditScenario>(EDIT_SEEDS)) {
    const [violation] = await editViolationsOf(kept.scenario);
    if (violation === undefined) continue;
    broken += 1;
    console.error(`kept seed ${name} fails again: ${violation.rule}: ${violation.text}`);
  }
  console.log(
    `${total.seeds} seeds in ${((performance.now() - startedAt) / 1000).toFixed(1)} s: ${total.records} edits of items, ` +
      `${(total.simulatedMs / 86_400_000).toFixed(0)} simulated days, ${total.repeated} seeds run twice, ` +
      `${failed.size} failed, kept seeds ${broken === 0 ? 'hold' : `broken: ${broken}`}`,
  );
  const [first] = [...failed].sort(([one], [other]) => one - other);
  if (first !== undefined) await explain(editScenarioFrom(first[0], often), first[1]);
  return failed.size + broken + codes.filter((code) => code !== 0).length > 0 ? 1 : 0;
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
async function runWithoutGuards({ seeds }: EditRunOptions): Promise<number> {
  let unnoticed = 0;
  for (const { name } of EDIT_GUARDS) {
    const failure = await firstEditFailureWithout(name, seeds);
    if (failure === null) unnoticed += 1;
    console.log(
      `${name}: ${failure === null ? 'not noticed' : `seed ${failure.seed} breaks ${failure.rule}: ${failure.text}`}`,
    );
  }
  return unnoticed > 0 ? 1 : 0;
}
