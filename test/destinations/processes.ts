// What all store recipes share: a private folder, free ports, processes that are ended by their id, bounded waits.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { delimiter, join } from 'node:path';

/** Stores refuse to run as root, or behave differently then: Debian's unprivileged user takes over. */
const NOBODY = { uid: 65_534, gid: 65_534, name: 'nobody' };
const SEARCHED = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/bin', '/sbin', '/bin'];

/** The path of a program; null when it is not on this machine. */
export function programPath(name: string): string | null {
  return SEARCHED.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null;
}

/** Which of these programs are not on this machine. */
export function missingPrograms(names: readonly string[]): string[] {
  return names.filter((name) => programPath(name) === null);
}

/** The processes and files of one store. */
export class StoreRun {
  /** Belongs to the user that the store runs as. */
  readonly dir: string;
  readonly user: { uid?: number; gid?: number; name: string };
  readonly #children: ChildProcess[] = [];
  readonly #isKept: boolean;

  /** `dir`: a folder that stays at the end; omitted: a new one that does not. */
  constructor(name: string, dir?: string) {
    const isRoot = process.getuid?.() === 0;
    this.user = isRoot ? NOBODY : { name: userInfo().username };
    this.#isKept = dir !== undefined;
    this.dir = dir ?? mkdtempSync(join(tmpdir(), `mediadesk-${name}-`));
    mkdirSync(this.dir, { recursive: true });
    chmodSync(this.dir, 0o700);
    if (isRoot) chownSync(this.dir, NOBODY.uid, NOBODY.gid);
  }

  /** Runs a program to its end and answers what it printed. Throws with its output when it fails or takes too long. */
  run(program: string, args: readonly string[], timeoutMs = 120_000): string {
    const { uid, gid } = this.user;
    const ended = spawnSync(programPath(program) ?? program, args, {
      cwd: this.dir,
      encoding: 'utf8',
      timeout: timeoutMs,
      env: this.#environment(),
      ...(uid === undefined ? {} : { uid, gid }),
    });
    if (ended.status === 0) return ended.stdout;
    throw new Error(`${program} ${args.join(' ')}: ${ended.error ?? ended.signal ?? ended.status}\n${ended.stderr}`);
  }

  /** Starts a program that stays in the foreground; its output goes to `<name>.log`. */
  start(name: string, program: string, args: readonly string[]): ChildProcess {
    const log = openSync(join(this.dir, `${name}.log`), 'a');
    const { uid, gid } = this.user;
    try {
      const child = spawn(programPath(program) ?? program, args, {
        cwd: this.dir,
        stdio: ['ignore', log, log],
        env: this.#environment(),
        detached: true,
        ...(uid === undefined ? {} : { uid, gid }),
      });
      child.on('error', () => {}); // Its exit shows in the wait for it.
      this.#children.push(child);
      return child;
    } finally {
      closeSync(log);
    }
  }

  /** Resident memory of all processes of the store, in bytes. */
  residentBytes(): number {
    return this.#children.reduce((sum, { pid }) => sum + (pid === undefined ? 0 : residentBytesOf(pid)), 0);
  }

  /** Polls until `isReady` answers true. Throws with the end of the logs when that takes too long. */
  async until(what: string, isReady: () => Promise<boolean>, timeoutMs = 30_000): Promise<void> {
    const endsAt = performance.now() + timeoutMs;
    while (!(await isReady().catch(() => false))) {
      if (performance.now() > endsAt) throw new Error(`${what} took longer than ${timeoutMs} ms.`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Ends one process for good, as a crash would. */
  async kill(child: ChildProcess): Promise<void> {
    endGroup(child, 'SIGKILL');
    await this.until('the end of a process', async () => hasEnded(child));
  }

  /** Ends all processes, the last first, and removes the folder. */
  async close(): Promise<void> {
    const open = this.#children.filter((child) => !hasEnded(child)).reverse();
    for (const child of open) endGroup(child, 'SIGTERM');
    await this.until('the end of the processes', async () => open.every(hasEnded), 5000).catch(() => {});
    for (const child of open) endGroup(child, 'SIGKILL');
    await this.until('the end of the processes', async () => open.every(hasEnded));
    if (!this.#isKept) rmSync(this.dir, { recursive: true, force: true });
  }

  #environment(): NodeJS.ProcessEnv {
    return { PATH: SEARCHED.join(delimiter), HOME: this.dir, TMPDIR: this.dir, LANG: 'C.UTF-8' };
  }
}

function hasEnded({ exitCode, signalCode, pid }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null || pid === undefined;
}

/** The process and its workers: each store process leads a group of its own. */
function endGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // It has already ended.
  }
}

/** Resident memory of a process and its children, in bytes; 0 once it has ended. */
function residentBytesOf(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const own = Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    return (
      own + (children === '' ? 0 : children.split(' ').reduce((sum, each) => sum + residentBytesOf(Number(each)), 0))
    );
  } catch {
    return 0;
  }
}

/** Ports of loopback that are free now. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  const ports = await Promise.all(
    servers.map(
      (server) =>
        new Promise<number>((resolve, reject) => {
          server.once('error', reject);
          server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
        }),
    ),
  );
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

/** Whether a server answers this address at all. */
export async function answers(url: string): Promise<boolean> {
  return (await fetch(url, { signal: AbortSignal.timeout(2000) })).status < 500;
}
