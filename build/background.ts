// Work that gets only the processor time that nothing else wants.
import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

const IMPOSSIBLE = new Set(['ESRCH', 'ENOENT', 'EACCES', 'EPERM', 'EROFS']);
const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Linux divides the processors between groups of processes first, and has such a priority for each group. */
const groupPriority = (pid: number) => `/proc/${pid}/autogroup`;

/**
 * Gives a child process, and all that it starts from now on, the lowest priority. On Linux the child must have been started with
 * `detached: true`: then it has a group of its own. Windows of Chromium have groups, too, so that a low priority of the process
 * alone would let it compete with them as an equal. A detached child is ended with this process.
 */
export function putInBackground(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined) return;
  unlessImpossible(() => setPriority(pid, constants.priority.PRIORITY_LOW));
  if (process.platform === 'linux')
    unlessImpossible(() => writeFileSync(groupPriority(pid), `${constants.priority.PRIORITY_LOW}`));
  const end = () => unlessImpossible(() => process.kill(-pid, 'SIGTERM'));
  const interrupt = (signal: NodeJS.Signals) => {
    end();
    process.removeListener(signal, interrupt);
    process.kill(process.pid, signal);
  };
  process.once('exit', end);
  for (const signal of ENDING) process.on(signal, interrupt);
  child.once('close', () => {
    process.removeListener('exit', end);
    for (const signal of ENDING) process.removeListener(signal, interrupt);
  });
}

/** The process may have ended before; a system may have no such groups, or not let its users change them. */
function unlessImpossible(action: () => void): void {
  try {
    action();
  } catch (error) {
    const { code = '', info } = error as NodeJS.ErrnoException & { info?: { code?: string } };
    if (!IMPOSSIBLE.has(info?.code ?? code)) throw error;
  }
}
