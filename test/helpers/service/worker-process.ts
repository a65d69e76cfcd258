// Real workers of a service, in processes of their own.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programPath } from '../system/programs.ts';
import { clientFor, type ServiceClient } from './service-client.ts';
import { type ServiceProcess, startService } from './service-process.ts';

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

/** A service that leaves its files to workers, with an item for them. */
export interface WorkersLibrary {
  service: ServiceProcess;
  admin: ServiceClient;
  /** The path of an item. */
  item: string;
  /** A folder with the temporary files of its workers. */
  folder: string;
  /** Starts a worker, which `stopWorkers` and `close` stop. */
  work(start?: WorkerStart): WorkerProcess;
  /** Sends a request of a worker; `path` follows that of all claims. */
  request(method: string, path: string, body?: unknown, token?: string): Promise<Response>;
  stopWorkers(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a service for workers. `options`: more of its command line. */
export async function openWorkersLibrary(options: readonly string[] = []): Promise<WorkersLibrary> {
  const folder = await mkdtemp(join(tmpdir(), 'library-workers-'));
  const token = join(folder, 'token');
  await writeFile(token, `${WORKER_TOKEN}\n`);
  const config = join(folder, 'config.json');
  await writeFile(config, JSON.stringify({ workers: { token_file: token } }));
  const service = await startService({ config, options });
  const admin = await clientFor(service);
  const workers: WorkerProcess[] = [];
  const stopWorkers = async () => {
    for (const worker of workers) await worker.stop();
  };
  return {
    stopWorkers,
    service,
    admin,
    folder,
    item: await admin.createItem('For workers'),
    work(start) {
      const worker = startWorker(service.baseUrl, { scratch: folder, ...start });
      workers.push(worker);
      return worker;
    },
    request: (method, path, body, given = WORKER_TOKEN) =>
      fetch(`${service.baseUrl}/workers/claims${path}`, {
        method,
        headers: { authorization: `Bearer ${given}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    async close() {
      await stopWorkers();
      await service.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
