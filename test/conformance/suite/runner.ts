import type { World } from '../world/world.ts';
import type { Case } from './case.ts';
import { Failure, Skip } from './failure.ts';

export interface CaseResult {
  case: Case;
  status: 'passed' | 'failed' | 'skipped';
  /** Why it failed or was skipped; empty when it passed. */
  reason: string;
  durationMs: number;
}

/** The time limit of a case, so that a server that never answers leads to a report. */
const CASE_LIMIT_MS = 90_000;

/**
 * Runs the cases one after the other. When `stop` is aborted, the current case fails, and the rest is neither run nor
 * reported.
 */
export async function runCases(
  cases: readonly Case[],
  world: World,
  stop: AbortSignal,
  onResult: (result: CaseResult) => void,
): Promise<CaseResult[]> {
  const results: CaseResult[] = [];
  for (const each of cases) {
    if (stop.aborted) break;
    const result = await runOne(each, world, stop);
    results.push(result);
    onResult(result);
  }
  return results;
}

async function runOne(each: Case, world: World, stop: AbortSignal): Promise<CaseResult> {
  const startedAt = performance.now();
  const end = (status: CaseResult['status'], reason: string): CaseResult => {
    return { case: each, status, reason, durationMs: Math.round(performance.now() - startedAt) };
  };
  try {
    await Promise.race([each.run(world), overdue(stop)]);
    return end('passed', '');
  } catch (error) {
    if (error instanceof Skip) return end('skipped', error.message);
    if (error instanceof Failure) return end('failed', error.message);
    return end('failed', explain(error));
  }
}

/** Describes an unexpected error by its stack and its cause, for example a lost connection. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : `\nbecause of ${String(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}

function overdue(stop: AbortSignal): Promise<never> {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(CASE_LIMIT_MS)]);
  return new Promise((_resolve, reject) => {
    const fail = () =>
      reject(new Failure(stop.aborted ? 'The run was stopped.' : `No end after ${CASE_LIMIT_MS / 1000} s.`));
    if (signal.aborted) fail();
    signal.addEventListener('abort', fail, { once: true });
  });
}
