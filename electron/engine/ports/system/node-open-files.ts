import { lstat, open, readdir, readlink, realpath } from 'node:fs/promises';
import type { OpenFiles } from '../open-files.ts';
import { systemPath } from './byte-paths.ts';

/** The maximum number of open files that one scan reads: 2 to 5 s of work. */
const MOST_LINKS = 30_000;
/** The number of links that are read in parallel; more would use up the threads that read recordings. */
const AT_ONCE = 2;
/** The owner's right to write on a link below `fd`: the file is open for writing. */
const WRITES = 0o200;

/**
 * Detects which files other programs have open. Linux lists the files of this user's programs, at 0.1 ms for each: requests
 * during a scan share the next scan. Windows refuses to open a file for writing that another program does not share. Other
 * systems report nothing without a separate program. Programs on other computers are never detected.
 */
export function createNodeOpenFiles(platform: string, procfs = '/proc'): OpenFiles {
  if (platform === 'linux') return new LinuxOpenFiles(procfs);
  return { isOpenForWriting: async (path) => (platform === 'win32' ? isRefused(path) : null) };
}

interface Request {
  path: string;
  answer(isOpen: boolean | null): void;
}

class LinuxOpenFiles implements OpenFiles {
  readonly #procfs: string;
  #waiting: Request[] = [];
  #isScanning = false;

  constructor(procfs: string) {
    this.#procfs = procfs;
  }

  async isOpenForWriting(path: string): Promise<boolean | null> {
    const real = await realpath(systemPath(path), { encoding: 'buffer' }).catch(() => null);
    if (real === null) return null;
    return new Promise((answer) => {
      this.#waiting.push({ path: real.toString('latin1'), answer });
      void this.#scanAll();
    });
  }

  async #scanAll(): Promise<void> {
    if (this.#isScanning) return;
    this.#isScanning = true;
    while (this.#waiting.length > 0) {
      const requests = this.#waiting;
      this.#waiting = [];
      const { written, isAll } = await scan(this.#procfs, new Set(requests.map(({ path }) => path)));
      for (const { path, answer } of requests) answer(written.has(path) ? true : isAll ? false : null);
    }
    this.#isScanning = false;
  }
}

interface Scan {
  /** The wanted paths that are open for writing. */
  written: Set<string>;
  /** Whether all programs could be read. */
  isAll: boolean;
}

async function scan(procfs: string, wanted: ReadonlySet<string>): Promise<Scan> {
  const result: Scan = { written: new Set(), isAll: true };
  const processes = (await readdir(procfs).catch(() => [])).filter((name) => /^\d+$/.test(name));
  if (processes.length === 0) return { ...result, isAll: false };
  let links = 0;
  const queue = processes[Symbol.iterator]();
  const lane = async () => {
    for (const process of queue) {
      if (result.written.size === wanted.size) return;
      const folder = `${procfs}/${process}/fd`;
      // The program belongs to another user, or has ended meanwhile.
      const names = await readdir(folder).catch(() => null);
      if (names === null || links > MOST_LINKS) {
        result.isAll = false;
        continue;
      }
      links += names.length;
      for (const name of names) await noteLink(`${folder}/${name}`, wanted, result.written);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return result;
}

async function noteLink(link: string, wanted: ReadonlySet<string>, written: Set<string>): Promise<void> {
  try {
    const path = (await readlink(link, { encoding: 'buffer' })).toString('latin1');
    if (wanted.has(path) && ((await lstat(link)).mode & WRITES) !== 0) written.add(path);
  } catch {
    // Closed meanwhile.
  }
}

/** Returns true when another program does not share the file for writing. Null otherwise, because most programs do share it. */
async function isRefused(path: string): Promise<boolean | null> {
  try {
    await (await open(systemPath(path), 'r+')).close();
    return null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EBUSY' ? true : null;
  }
}
