import type { UnusualCase } from './case.ts';
import { runCase } from './run-case.ts';
import { ServerProcess } from './server-process.ts';
import type { CaseResult } from './table.ts';

/** Most of the time of a case is spent waiting. */
const PARALLEL = 10;

/** Runs the cases, a few at a time, against servers in one separate process. */
export async function runCases(
  cases: readonly UnusualCase[],
  onResult: (result: CaseResult) => void = () => {},
): Promise<CaseResult[]> {
  const servers = new ServerProcess();
  const waiting = [...cases];
  const results: CaseResult[] = [];
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const startedAt = performance.now();
      const wrong = await runCase(next, servers);
      const result = { case: next, wrong, tookMs: Math.round(performance.now() - startedAt) };
      results.push(result);
      onResult(result);
    }
  };
  try {
    await Promise.all(Array.from({ length: PARALLEL }, worker));
  } finally {
    await servers.stop();
  }
  const order = new Map(cases.map(({ id }, index) => [id, index]));
  return results.sort((a, b) => (order.get(a.case.id) ?? 0) - (order.get(b.case.id) ?? 0));
}
