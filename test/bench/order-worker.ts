import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** The cache of compiled code. The app runs compiled, so removing types may take time and memory in the first run only. */
const COMPILED = join(tmpdir(), 'mediadesk-bench-compiled');

/** Runs a worker in a process of its own with `order` as its input; resolves with its last output. */
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
