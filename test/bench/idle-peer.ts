import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/**
 * Starts an idle process beside what is measured. The returned function ends it and returns the 99th percentile of its
 * event-loop delay in milliseconds: the delay that the machine's other work causes in any process.
 */
export async function startIdlePeer(): Promise<() => Promise<number>> {
  const worker = join(import.meta.dirname, 'workers', 'idle.ts');
  const child = spawn(process.execPath, [worker], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  await lines.next();
  return async () => {
    child.stdin.end();
    return Number((await lines.next()).value);
  };
}
