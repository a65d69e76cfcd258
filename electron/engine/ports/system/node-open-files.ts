import { lstat, open, readdir, readFile, readlink, stat } from 'node:fs/promises';
import type { Clock } from '../clock.ts';
import type { AskedFile, OpenFiles } from '../open-files.ts';
import { systemPath } from './byte-paths.ts';

/** The maximum number of open files that one scan reads: 2 to 5 s of work. */
const MOST_LINKS = 30_000;
/** The number of links that are read in parallel; more would use up the threads that read recordings. */
const AT_ONCE = 2;
/** The owner's right to write on a link below `fd`: the file is open for writing. */
const WRITES = 0o200;
/** The result of a scan is used for this time, because many files may become quiet at the same time. */
const FRESH_MS = 1000;
/** A mount that has not answered after this time is not asked again until it has. */
const MOUNT_TIMEOUT_MS = 2000;

/**
 * Detects which files other programs have open. Linux lists the files of this user's programs, at 0.1 ms for each. They are
 * compared by their numbers, because another program may have opened the file by another name (a hard link), or in a container,
 * where its path differs. Windows refuses to open a file for writing that another program does not share. Other systems report
 * nothing without a separate program. Programs on other computers are never detected.
 */
export function createNodeOpenFiles(platform: string, clock: Clock, procfs = '/proc'): OpenFiles {
  if (platform === 'linux') return new LinuxOpenFiles(procfs, clock);
  return { isOpenForWriting: async ({ path }) => (platform === 'win32' ? isRefused(path) : null) };
}

class LinuxOpenFiles implements OpenFiles {
  readonly #procfs: string;
  readonly #clock: Clock;
  readonly #mounts: AnsweringMounts;
  /** The latest scan, which may still run. */
  #scan: Promise<Scan> | null = null;
  #startedAtMs = 0;

  constructor(procfs: string, clock: Clock) {
    this.#procfs = procfs;
    this.#clock = clock;
    this.#mounts = new AnsweringMounts(clock);
  }

  async isOpenForWriting({ identity }: AskedFile): Promise<boolean | null> {
    // A file without a number of its own can't be recognized.
    if (/:0$/.test(identity)) return null;
    const { written, isAll } = await this.#freshScan();
    return written.has(identity) ? true : isAll ? false : null;
  }

  async #freshScan(): Promise<Scan> {
    for (;;) {
      const running = this.#scan;
      const askedAtMs = this.#clock.monotonic();
      if (running === null || askedAtMs - this.#startedAtMs > FRESH_MS) {
        // One scan at a time: requests during a long one share the next.
        if (running !== null) await running;
        if (this.#scan !== running) continue;
        this.#startedAtMs = this.#clock.monotonic();
        this.#scan = scan(this.#procfs, this.#mounts);
      }
      return this.#scan as Promise<Scan>;
    }
  }
}

interface Scan {
  /** The numbers of the files that are open for writing, as `FileFacts.identity`. */
  written: Set<string>;
  /** Whether all programs could be read. */
  isAll: boolean;
}

async function scan(procfs: string, mounts: AnsweringMounts): Promise<Scan> {
  const result: Scan = { written: new Set(), isAll: true };
  const processes = (await readdir(procfs).catch(() => [])).filter((name) => /^\d+$/.test(name));
  if (processes.length === 0) return { ...result, isAll: false };
  let links = 0;
  const queue = processes[Symbol.iterator]();
  const lane = async () => {
    for (const process of queue) {
      const folder = `${procfs}/${process}`;
      const names = await readdir(`${folder}/fd`).catch(hasEnded);
      // Otherwise the program belongs to another user.
      if (names === null || links > MOST_LINKS) {
        result.isAll = false;
        continue;
      }
      links += names.length;
      for (const name of names) {
        const identity = await writtenFile(folder, name, mounts);
        if (identity === 'unknown') result.isAll = false;
        else if (identity !== null) result.written.add(identity);
      }
      for (const identity of await mappedFiles(folder)) result.written.add(identity);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return result;
}

/** Returns no names when the program has ended meanwhile; null when its files can't be read. */
function hasEnded(error: NodeJS.ErrnoException): string[] | null {
  return error.code === 'ENOENT' || error.code === 'ESRCH' ? [] : null;
}

/** Returns the number of a file that a program has open for writing; null for anything else; `unknown`: no answer from its disk. */
async function writtenFile(process: string, name: string, mounts: AnsweringMounts): Promise<string | null> {
  const link = `${process}/fd/${name}`;
  try {
    const target = await readlink(link, { encoding: 'buffer' });
    // Sockets, pipes and the like have no path.
    if (target[0] !== 0x2f || ((await lstat(link)).mode & WRITES) === 0) return null;
    const mount = /^mnt_id:\t(\d+)$/m.exec(await readFile(`${process}/fdinfo/${name}`, 'utf8'))?.[1] ?? '';
    const stats = await mounts.ask(mount, () => stat(link, { bigint: true }));
    if (stats === null) return 'unknown';
    return stats.isFile() ? `${stats.dev}:${stats.ino}` : null;
  } catch {
    // Closed meanwhile.
    return null;
  }
}

/**
 * Returns the numbers of the files that a program has mapped for shared writing: it may have closed them since, and writes all the
 * same. None when they can't be read, as those of a program with more rights whose open files can be: a closed but mapped file is too
 * rare to make every file wait for it. Where the kernel shows another device than `stat` (btrfs, overlay), they are not found.
 */
async function mappedFiles(process: string): Promise<string[]> {
  const maps = await readFile(`${process}/maps`, 'utf8').catch(() => '');
  return maps.split('\n').flatMap((line) => {
    // Such as `7f0a1000-7f0a2000 rw-s 00000000 fe:00 1234 /in/take.mov`.
    const [, rights = '', , device = '', inode = '0'] = line.split(' ', 5);
    if (rights[1] !== 'w' || rights[3] !== 's' || inode === '0') return [];
    const [major = 0n, minor = 0n] = device.split(':').map((part) => BigInt(`0x${part}`));
    return [`${deviceNumber(major, minor)}:${inode}`];
  });
}

/** Returns the number of a device as `stat` reports it. */
function deviceNumber(major: bigint, minor: bigint): bigint {
  return (minor & 0xffn) | ((major & 0xfffn) << 8n) | ((minor & ~0xffn) << 12n) | ((major & ~0xfffn) << 32n);
}

/**
 * Asks mounts about their files. A disconnected share may never answer, and each call occupies one of a few threads: after the
 * first call that is late, the mount is not asked again until that call returns.
 */
class AnsweringMounts {
  readonly #clock: Clock;
  readonly #hung = new Set<string>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the result; null when the mount does not answer. */
  ask<T>(mount: string, work: () => Promise<T>): Promise<T | null> {
    if (this.#hung.has(mount)) return Promise.resolve(null);
    return new Promise((resolve, reject) => {
      const cancel = this.#clock.schedule(MOUNT_TIMEOUT_MS, () => {
        this.#hung.add(mount);
        resolve(null);
      });
      work()
        .then(resolve, reject)
        .finally(() => {
          cancel();
          this.#hung.delete(mount);
        });
    });
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
