import { runWorker } from './fork-worker.ts';
import type { KeptSeed } from './kept-seeds.ts';
import type { ScenarioSource } from './scenario-source.ts';
import type { Report, Share } from './worker.ts';

const PROGRESS_EVERY_MS = 5000;

interface SeedRun<Scenario> {
  from: number;
  seeds: number;
  /** The number of processes; no more of them start than there are seeds. */
  workers: number;
  source: ScenarioSource;
  /** What a history has several of, such as `uploads`. */
  noun: string;
  /** The seeds that were kept, and how each is checked. They run in this process meanwhile. */
  kept: readonly { name: string; kept: KeptSeed<Scenario> }[];
  violationsOf(scenario: Scenario): Promise<readonly { rule: string; text: string }[]>;
}

/**
 * Runs seeds and the kept ones, and prints progress and result. Returns the exit code, and the first seed that failed with the
 * rule that it breaks.
 */
export async function runSeeds<Scenario>(
  run: SeedRun<Scenario>,
): Promise<{ code: 0 | 1; first: [number, string] | null }> {
  const { from, seeds, source } = run;
  const startedAt = performance.now();
  const to = from + seeds;
  const step = Math.max(1, Math.min(run.workers, seeds));
  const total = { seeds: 0, uploads: 0, simulatedMs: 0, repeated: 0 };
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
    total.uploads += report.uploads;
    total.simulatedMs += report.simulatedMs;
    total.repeated += report.repeated;
    if (performance.now() - shownAt < PROGRESS_EVERY_MS) return;
    shownAt = performance.now();
    console.log(`${total.seeds} of ${seeds} seeds, ${failed.size} failed`);
  };
  const shares = Array.from({ length: step }, (_, index): Share => ({ from: from + index, to, step, source }));
  const running = Promise.all(shares.map((share) => runWorker(share, onReport)));
  const broken = await brokenOf(run);
  const crashed = (await running).filter((code) => code !== 0).length;
  console.log(
    `${total.seeds} seeds in ${((performance.now() - startedAt) / 1000).toFixed(1)} s: ${total.uploads} ${run.noun}, ` +
      `${(total.simulatedMs / 86_400_000).toFixed(0)} simulated days, ${total.repeated} seeds run twice, ` +
      `${failed.size} failed, kept seeds ${broken === 0 ? 'hold' : `broken: ${broken}`}`,
  );
  const [first = null] = [...failed].sort(([one], [other]) => one - other);
  return { code: failed.size + broken + crashed > 0 ? 1 : 0, first };
}

/** Runs the kept seeds, prints those that fail, and returns their number. */
async function brokenOf<Scenario>({ kept: all, violationsOf }: SeedRun<Scenario>): Promise<number> {
  let broken = 0;
  for (const { name, kept } of all) {
    const [violation] = await violationsOf(kept.scenario);
    if (violation === undefined) continue;
    broken += 1;
    console.error(`kept seed ${name} fails again: ${violation.rule}: ${violation.text}`);
  }
  return broken;
}

/** Prints for each guard the seed that fails without it. Returns 1 when there is none for one of the guards. */
export async function runWithoutEach(
  guards: readonly { name: string }[],
  failureWithout: (name: string) => Promise<{ seed: number | string; rule: string; text: string } | null>,
): Promise<number> {
  let unnoticed = 0;
  for (const { name } of guards) {
    const failure = await failureWithout(name);
    if (failure === null) unnoticed += 1;
    console.log(
      `${name}: ${failure === null ? 'not noticed' : `seed ${failure.seed} breaks ${failure.rule}: ${failure.text}`}`,
    );
  }
  return unnoticed > 0 ? 1 : 0;
}
