import { checkHistory, type Violation } from './checker/check-history.ts';
import { checkEdits } from './edits/check-edits.ts';
import { editScenarioFrom } from './edits/often.ts';
import { editTraceHash, simulateEdits } from './edits/simulate-edits.ts';
import { type ScenarioSource, scenarioFrom } from './scenario-source.ts';
import { simulate, traceHash } from './simulate.ts';

/** The task of a worker: seeds `from`, `from + step`, … below `to`. */
export interface Share {
  from: number;
  to: number;
  step: number;
  source: ScenarioSource;
}

export type Report =
  /** `uploads`: the number of uploads, or of records of edits. */
  | { kind: 'done'; seeds: number; uploads: number; simulatedMs: number; repeated: number }
  | { kind: 'failed'; seed: number; violations: Violation[] };

/** One seed in a hundred runs twice: the same seed must result in the same history. */
const REPEATED_EVERY = 100;
const REPORT_EVERY = 50;

/** Runs the seeds of a worker and reports the results. */
async function runShare(share: Share, tell: (report: Report) => void): Promise<void> {
  let done = { seeds: 0, uploads: 0, simulatedMs: 0, repeated: 0 };
  const flush = () => {
    tell({ kind: 'done', ...done });
    done = { seeds: 0, uploads: 0, simulatedMs: 0, repeated: 0 };
  };
  for (let seed = share.from; seed < share.to; seed += share.step) {
    const { violations, uploads, simulatedMs, repeated } = await runSeed(share.source, seed);
    if (violations.length > 0) tell({ kind: 'failed', seed, violations });
    done.seeds += 1;
    done.uploads += uploads;
    done.simulatedMs += simulatedMs;
    done.repeated += repeated ? 1 : 0;
    if (done.seeds >= REPORT_EVERY) flush();
  }
  flush();
}

async function runSeed(source: ScenarioSource, seed: number) {
  const repeated = seed % REPEATED_EVERY === 0;
  try {
    if (source.kind === 'edits') return await runEditSeed(source, seed, repeated);
    const scenario = scenarioFrom(source, seed);
    const history = await simulate(scenario);
    const violations = checkHistory(history);
    if (repeated && traceHash(await simulate(scenario)) !== traceHash(history)) {
      violations.push({ rule: 'sameSeedSameHistory', text: 'a second run took another course' });
    }
    return { violations, uploads: history.final.rows.length, simulatedMs: history.final.atMs, repeated };
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { violations: [{ rule: 'theRunItself', text }], uploads: 0, simulatedMs: 0, repeated };
  }
}

async function runEditSeed({ often = null }: ScenarioSource, seed: number, repeated: boolean) {
  const scenario = editScenarioFrom(seed, often);
  const history = await simulateEdits(scenario);
  const violations = checkEdits(history);
  if (repeated && editTraceHash(await simulateEdits(scenario)) !== editTraceHash(history)) {
    violations.push({ rule: 'sameSeedSameHistory', text: 'a second run took another course' });
  }
  const records = history.final.accounts.reduce((sum, account) => sum + account.records.length, 0);
  return { violations, uploads: records, simulatedMs: history.final.atMs, repeated };
}

if (process.send !== undefined && process.argv[1] === import.meta.filename) {
  // Most logged errors of a simulated world are intended; run a failed seed alone to see their causes.
  Error.stackTraceLimit = 0;
  process.once('message', async (share: Share) => {
    await runShare(share, (report) => process.send?.(report));
    process.disconnect();
  });
}
