// Real workers of a service, in processes of their own.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programPath } from '../system/programs.ts';

const MAIN = new URL('../../../service/main.ts', import.meta.url);

export const WORKER_TOKEN = 'token-of-the-workers-in-tests-0123456789';

export interface WorkerProcess {
  readonly pid: number;
  /** Everything that the worker wrote to stderr. */
  log(): string;
  /** Resolves with the exit code; null after a kill. */
  readonly exited: Promise<number | null>;
  /** Sends SIGTERM and resolves with the exit code. */
  stop(): Promise<number | null>;
  kill9(): Promise<void>;
}

export interface WorkerStart {
  token?: string;
  parallel?: number;
  /** The folder of its temporary files. */
  scratch?: string;
  env?: NodeJS.ProcessEnv;
}

/** Starts a worker for the service at this address. */
export function startWorker(service: string, start: WorkerStart = {}): WorkerProcess {
  const args = [programPath(MAIN), 'work', '--service', service, '--token-env', 'TEST_WORKER_TOKEN'];
  if (start.parallel !== undefined) args.push('--parallel', String(start.parallel));
  if (start.scratch !== undefined) args.push('--scratch', start.scratch);
  const child: ChildProcess = spawn(process.execPath, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...(start.env ?? process.env), TEST_WORKER_TOKEN: start.token ?? WORKER_TOKEN },
  });
  let log = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    log += chunk.toString('utf8');
  });
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return exited;
  };
  return {
    pid: child.pid ?? -1,
    log: () => log,
    exited,
    stop: () => end('SIGTERM'),
    kill9: async () => void (await end('SIGKILL')),
  };
}

/** Writes the configuration of a service with workers; call `remove` at the end. */
export async function workersConfig(
  more: object = {},
): Promise<{ file: string; folder: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'library-workers-'));
  const token = join(folder, 'token');
  await writeFile(token, `${WORKER_TOKEN}\n`);
  const file = join(folder, 'config.json');
  await writeFile(file, JSON.stringify({ workers: { token_file: token, ...more } }));
  return { file, folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
