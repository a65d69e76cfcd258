import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

interface Failure {
  seed: number;
  rule: string;
  text: string;
}

/** Runs seeds of stations on an engine without a guard. Returns the first seed that breaks a rule; null when none does. */
export async function firstFailureWithout(guard: string, from: number, to: number): Promise<Failure | null> {
  const worker = join(import.meta.dirname, 'guard-worker.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [worker, guard, String(from), String(to)]);
  return JSON.parse(stdout) as Failure | null;
}
