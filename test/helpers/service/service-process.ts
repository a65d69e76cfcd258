import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { programPath } from '../system/programs.ts';
import { configFor } from './service-config.ts';
import { testProxy } from './test-proxy.ts';

const MAIN = new URL('../../../service/lab-main.ts', import.meta.url);

export interface ServiceStart {
  /** The data directory; by default a new one that `stop` removes. */
  dataDir?: string;
  /** 0 or absent: any free port; `restart` keeps it. */
  port?: number;
  /** `empty` by default. */
  seed?: 'demo' | 'empty' | `bulk:${number}:${number}`;
  dialect?: 'reference' | 'lean' | 'strict';
  /** The address to listen on; 127.0.0.1 by default. */
  host?: string;
  /** The path of a configuration file. */
  config?: string;
  env?: NodeJS.ProcessEnv;
  /** Hashes passwords at the normal cost, which takes about half a second each. */
  fullPasswordCost?: boolean;
  /** The public address of a proxy in front of it; `baseUrl` stays the address on which it listens. */
  publicUrl?: string;
  /** The source of the program; by default that of this version. */
  program?: string;
  /** More options of its command line, such as `--operations`. */
  options?: readonly string[];
}

export interface ServiceProcess {
  readonly baseUrl: string;
  readonly clientId: string;
  /** The seeded administrator; without an address in a service with `--first-user`. */
  readonly admin: { email_address: string; password: string };
  /** Where the first user sets a password; undefined when that was done, and without `--first-user`. */
  readonly firstUserLink: string | undefined;
  readonly controlUrl: string;
  /** Where the operations are served; undefined without `--operations`. */
  readonly operationsUrl: string | undefined;
  readonly controlToken: string;
  readonly pid: number;
  readonly dataDir: string;
  /** Everything that the service wrote to stderr, in all its runs. */
  log(): string;
  /** Stops it with SIGTERM (it must exit with 0) and removes the data directory if it was created here. */
  stop(): Promise<void>;
  /** Sends a signal; resolves with the exit code when it has ended. The data stays for `restart`. */
  end(signal: 'SIGTERM' | 'SIGINT'): Promise<number | null>;
  /** Sends a signal and does not wait. */
  signal(signal: NodeJS.Signals): void;
  /** Kills it with SIGKILL; the data stays for `restart`. */
  kill9(): Promise<void>;
  /** Starts it again on the same port with the same data; stops it first if it runs. */
  restart(): Promise<void>;
  /** Sends a request to the control port; resolves with the decoded body, rejects for a status of 400 or more. */
  control<T = unknown>(method: string, path: string, body?: unknown): Promise<T>;
}

interface ReadyLine {
  base_url: string;
  listen_url?: string;
  client_id: string;
  admin?: { email_address: string; password: string };
  first_user_link?: string;
  operations_url?: string;
  control_url: string;
  control_token: string;
}

interface Running {
  child: ChildProcess;
  ready: ReadyLine;
}

/** Starts the real service as a separate process and waits until it listens. */
export async function startService(given: ServiceStart = {}): Promise<ServiceProcess> {
  const proxy = given.publicUrl === undefined && given.host === undefined ? await testProxy() : undefined;
  const start = proxy === undefined ? given : { ...given, publicUrl: proxy.url };
  const dataDir = start.dataDir ?? (await mkdtemp(join(tmpdir(), 'library-service-')));
  const log: string[] = [];
  const main = await ServiceRun.start(start, dataDir, log);
  const first = main.ready;
  const twin = proxy === undefined ? undefined : await startTwin(start, dataDir, log);
  const runs = twin === undefined ? [main] : [main, twin];
  await proxy?.start(runs.map(({ port }) => port));

  return {
    baseUrl: proxy?.url ?? main.listenUrl,
    clientId: first.client_id,
    admin: first.admin ?? { email_address: '', password: '' },
    get firstUserLink() {
      return main.ready.first_user_link;
    },
    get controlUrl() {
      return main.ready.control_url;
    },
    get operationsUrl() {
      return main.ready.operations_url;
    },
    get controlToken() {
      return main.ready.control_token;
    },
    get pid() {
      return main.pid;
    },
    dataDir,
    log: () => log.join(''),
    async stop() {
      const stopped = await Promise.allSettled(runs.map((run) => run.stop('SIGTERM')));
      await proxy?.stop();
      if (start.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
      if (twin !== undefined) await rm(twin.dataDir, { recursive: true, force: true });
      for (const each of stopped) if (each.status === 'rejected') throw each.reason;
    },
    signal: (signal) => {
      for (const run of runs) run.signal(signal);
    },
    async end(signal) {
      await twin?.end(signal);
      return main.end(signal);
    },
    async kill9() {
      for (const run of runs) await run.stop('SIGKILL');
    },
    async restart() {
      for (const run of runs) await run.restart();
    },
    control: (method, path, body) => controlAll(runs, method, path, body),
  };
}

/**
 * With `MEDIADESK_TEST_PROCESSES=2`, starts a second process of the same library. It needs a database on a server, an object store and
 * the proxy. Services that a test starts in a special way have one process.
 */
async function startTwin(start: ServiceStart, dataDir: string, log: string[]): Promise<ServiceRun | undefined> {
  if (process.env.MEDIADESK_TEST_PROCESSES !== '2' || start.options !== undefined || start.program !== undefined)
    return undefined;
  const config = await configFor(start.config, dataDir);
  if (config === undefined) throw new Error('Two processes need a database on a server and an object store.');
  return ServiceRun.start({ ...start, config, port: 0 }, `${dataDir.replace(/\/+$/, '')}-twin`, log);
}

/** Sends a request to the control ports: settings and faults are those of each process, and each has a journal of its own. */
async function controlAll<T>(runs: readonly ServiceRun[], method: string, path: string, body: unknown): Promise<T> {
  const [main, ...others] = runs as [ServiceRun, ...ServiceRun[]];
  const answer = await main.control<T>(method, path, body);
  if (path.startsWith('/journal') && method === 'GET') {
    const journals = [answer, ...(await Promise.all(others.map((run) => run.control<T>(method, path))))];
    const items = journals.flatMap((journal) => (journal as { items: { at: number }[] }).items);
    return { items: items.sort((one, other) => one.at - other.at) } as T;
  }
  const isOfEach = method !== 'GET' && /^\/(settings|faults|journal)/.test(path);
  if (isOfEach) for (const run of others) await run.control(method, path, body);
  return answer;
}

/** One process of a service, in all its runs. */
class ServiceRun {
  readonly dataDir: string;
  readonly #start: ServiceStart;
  readonly #log: string[];
  /** The first run: the only one with an administrator who was just made. */
  readonly #first: ReadyLine;
  #running: Running | undefined;

  private constructor(start: ServiceStart, dataDir: string, log: string[], running: Running) {
    this.dataDir = dataDir;
    this.#start = start;
    this.#log = log;
    this.#first = running.ready;
    this.#running = running;
  }

  static async start(start: ServiceStart, dataDir: string, log: string[]): Promise<ServiceRun> {
    return new ServiceRun(start, dataDir, log, await launch(start, dataDir, start.port ?? 0, log));
  }

  get ready(): ReadyLine {
    return this.#running?.ready ?? this.#first;
  }

  get listenUrl(): string {
    return this.#first.listen_url ?? this.#first.base_url;
  }

  get port(): number {
    return Number(new URL(this.listenUrl).port);
  }

  get pid(): number {
    return this.#running?.child.pid ?? -1;
  }

  signal(signal: NodeJS.Signals): void {
    this.#running?.child.kill(signal);
  }

  async stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const ending = this.#running;
    this.#running = undefined;
    if (!ending || ending.child.exitCode !== null || ending.child.signalCode !== null) return;
    ending.child.kill(signal);
    const [code] = (await once(ending.child, 'exit')) as [number | null];
    // On Windows any signal from another process ends it at once.
    const isKilled = process.platform === 'win32' && code === null;
    if (signal === 'SIGTERM' && code !== 0 && !isKilled)
      throw new Error(`The service ended with ${code}:\n${this.#log.join('')}`);
  }

  async end(signal: 'SIGTERM' | 'SIGINT'): Promise<number | null> {
    const ending = this.#running;
    this.#running = undefined;
    if (!ending) return null;
    ending.child.kill(signal);
    if (ending.child.exitCode === null) await once(ending.child, 'exit');
    return ending.child.exitCode;
  }

  async restart(): Promise<void> {
    await this.stop('SIGTERM');
    this.#running = await launch(this.#start, this.dataDir, this.port, this.#log);
  }

  async control<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(this.ready.control_url + path, {
      method,
      headers: {
        authorization: `Bearer ${this.ready.control_token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }
}

async function launch(start: ServiceStart, dataDir: string, port: number, log: string[]): Promise<Running> {
  const args = [
    start.program ?? programPath(MAIN),
    '--port',
    String(port),
    '--data',
    dataDir,
    '--seed',
    start.seed ?? 'empty',
  ];
  if (!start.fullPasswordCost) args.push('--test-password-cost');
  if (start.host) args.push('--host', start.host);
  if (start.dialect) args.push('--dialect', start.dialect);
  if (start.publicUrl) args.push('--base-url', start.publicUrl);
  const config = await configFor(start.config, dataDir);
  if (config) args.push('--config', config);
  args.push(...(start.options ?? []));
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], env: start.env ?? process.env });
  child.stderr.on('data', (chunk: Buffer) => void log.push(chunk.toString('utf8')));
  const lines = createInterface({ input: child.stdout });
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`The service did not start (exit code ${code}):\n${log.join('')}`);
  });
  const [line] = (await Promise.race([once(lines, 'line'), failed])) as [string];
  failed.catch(() => {});
  return { child, ready: JSON.parse(line) as ReadyLine };
}
