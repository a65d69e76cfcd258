// A helper program that a desktop session owns: started once, ended by its own process id.
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { findProgram } from '../processes.ts';

export interface Service {
  stop(): Promise<void>;
}

const timeoutMs = 5_000;

/** Ends one process: first with SIGTERM, then with SIGKILL. Resolves when it has ended. */
export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGTERM');
  const force = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  await gone;
  clearTimeout(force);
}

/**
 * Starts a helper that also ends when this process is killed outright, where the system can do that (util-linux on
 * Linux): a forgotten X server would hold a display number for ever.
 */
export async function spawnOwned(
  command: string,
  args: readonly string[],
  options: SpawnOptions,
): Promise<ChildProcess> {
  const setpriv = process.platform === 'linux' ? await findProgram('setpriv') : undefined;
  const child = setpriv
    ? spawn(setpriv, ['--pdeathsig', 'TERM', '--', command, ...args], options)
    : spawn(command, args, options);
  return child;
}

/**
 * Waits until `read` finds its value in the text that a helper writes. When the helper ends, or writes nothing for too long,
 * rejects with its text on stderr.
 */
export function waitForText<T>(
  child: ChildProcess,
  stream: NodeJS.ReadableStream,
  name: string,
  read: (text: string) => T | undefined,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let text = '';
    let complaints = '';
    const settle = (finish: () => void) => {
      clearTimeout(timer);
      stream.off('data', onData);
      child.off('exit', onExit);
      finish();
    };
    const fail = (why: string) => settle(() => reject(new Error(`${name} ${why}. ${complaints.trim()}`.trim())));
    const onData = (chunk: Buffer) => {
      text += chunk.toString('utf8');
      const found = read(text);
      if (found !== undefined) settle(() => resolve(found));
    };
    const onExit = (code: number | null, signal: string | null) => fail(`ended early (${signal ?? code})`);
    const timer = setTimeout(() => fail(`was not ready within ${timeoutMs * 4} ms`), timeoutMs * 4);
    child.stderr?.on('data', (chunk: Buffer) => {
      complaints = `${complaints}${chunk.toString('utf8')}`.slice(-2_000);
    });
    child.once('error', (error) => settle(() => reject(new Error(`${name} can't be started: ${error.message}`))));
    child.once('exit', onExit);
    stream.on('data', onData);
  });
}
