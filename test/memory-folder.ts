// Runs once before the tests (`globalSetup`): places their temporary files in memory. The databases of the engine and the service
// wait for the disk at each commit, which takes an eighth of the time of the integration tests. No test depends on the disk: tests
// end processes, and never the computer.
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { availableMemory } from 'node:process';
import type { TestProject } from 'vitest/node';

const MEMORY = '/dev/shm';
/** Begins the name of the folder; the id of the process that removes it follows. Sockets lie in it, so it is short. */
const NAME = 'mediadesk-tests-';
/** The tests use up to half a gigabyte at the same time. */
const FREE_BYTES = 2 * 2 ** 30;
const FREE_MEMORY_BYTES = 8 * 2 ** 30;

/**
 * Sets `TMPDIR` for the tests of a project to a new folder in memory, if there is enough, and not for those of other projects.
 * Returns what removes it.
 */
export function setup(project: TestProject): (() => void) | undefined {
  if (!mayUse()) return undefined;
  removeAbandoned();
  const folder = mkdtempSync(join(MEMORY, `${NAME}${process.pid}-`));
  // Like that of /tmp: some tests start servers as other users.
  chmodSync(folder, 0o1777);
  project.config.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

/** Whether the folder is in memory, large enough, and may contain programs: some tests write one and start it. */
function mayUse(): boolean {
  if (process.platform !== 'linux') return false;
  const mount = mounts().find(([, path, type]) => path === MEMORY && type === 'tmpfs');
  if (mount === undefined || mount[3]?.split(',').includes('noexec')) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= FREE_BYTES && availableMemory() >= FREE_MEMORY_BYTES;
}

/** Returns the words of each line of the table of mounts: device, path, type, options. */
function mounts(): string[][] {
  return readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '));
}

/** Removes the folders of runs that were killed, except those in which such a run left a mounted disk. */
function removeAbandoned(): void {
  const mounted = mounts().map(([, path = '']) => path);
  for (const name of readdirSync(MEMORY)) {
    const pid = Number(new RegExp(`^${NAME}(\\d+)-`).exec(name)?.[1]);
    const folder = join(MEMORY, name);
    if (!Number.isInteger(pid) || isRunning(pid) || mounted.some((path) => path.startsWith(`${folder}/`))) continue;
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch (error) {
      // A mount that only another namespace or another root shows.
      console.warn(`${folder} is left as it is: ${(error as Error).message}`);
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
