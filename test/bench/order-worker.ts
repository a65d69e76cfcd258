import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** The product runs compiled: what the stripping of types takes, in memory and time, is paid by the first run only. */
const COMPILED = join(tmpdir(), 'mediadesk-bench-compiled');

/** Runs a worker in a process of its own with `order` as its input; answers what it said last. */
export async function orderWorker<T>(name: string, order: unknown): Promise<T> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'workers', name)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILED },
  });
  child.stdin.end(JSON.stringify(order));
  const said = await text(child.stdout);
  const last = said.trim().split('\n').at(-1) ?? '';
  if (!last.startsWith('{')) throw new Error(`${name} said ${JSON.stringify(said.slice(-500))}`);
  return JSON.parse(last) as T;
}
