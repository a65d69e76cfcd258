import { appError } from '../../../../shared/contract/app-error.ts';
import type { Clock } from '../clock.ts';
import type { Files, OpenFile } from '../files.ts';

/** A sleeping disk needs up to ten seconds; after this time it counts as not answering. */
export const FILE_TIMEOUT_MS = 30_000;
/** The maximum number of concurrent calls to one disk or share. Each blocks one of a few threads. */
const AT_ONCE = 4;

interface Disk {
  running: number;
  /** The number of calls that timed out and have not returned since. */
  hung: number;
  waiting: (() => void)[];
}

/**
 * Adds timeouts to `files`: a call that a disk or share does not answer within `FILE_TIMEOUT_MS` ends with `file.disk-hangs`.
 * Until the hanging call returns, other calls to the same disk fail immediately, so that one unreachable share does not use up
 * the threads. `diskOf` returns the name of a path's disk.
 */
export function withTimeouts(files: Files, clock: Clock, diskOf: (path: string) => string): Files {
  const disks = new Map<string, Disk>();

  async function ask<T>(path: string, work: () => Promise<T>, onLate: (value: T) => void = () => {}): Promise<T> {
    const name = diskOf(path);
    const disk = disks.get(name) ?? { running: 0, hung: 0, waiting: [] };
    disks.set(name, disk);
    if (disk.running >= AT_ONCE && disk.hung === 0) await new Promise<void>((resolve) => disk.waiting.push(resolve));
    if (disk.hung > 0) throw hangs(path);
    disk.running += 1;
    return new Promise((resolve, reject) => {
      let isLate = false;
      const cancel = clock.schedule(FILE_TIMEOUT_MS, () => {
        isLate = true;
        disk.hung += 1;
        // Calls that wait for a thread would hang as well: they fail now.
        for (const go of disk.waiting.splice(0)) go();
        reject(hangs(path));
      });
      const end = (settle: () => void) => {
        cancel();
        disk.running -= 1;
        if (isLate) disk.hung -= 1;
        const next = disk.waiting.shift();
        if (next) next();
        else if (disk.running === 0) disks.delete(name);
        settle();
      };
      work().then(
        (value) => end(() => (isLate ? onLate(value) : resolve(value))),
        (error: unknown) => end(() => reject(error)),
      );
    });
  }

  const timed = (files: Files): Files => ({
    facts: (path) => ask(path, () => files.facts(path)),
    assertReadable: (path) => ask(path, () => files.assertReadable(path)),
    list: (folder) => ask(folder, () => files.list(folder)),
    async open(path) {
      // Closes a file that was opened after the timeout, because no caller has it.
      const file = await ask(
        path,
        () => files.open(path),
        (late) => void late.close().catch(() => {}),
      );
      return {
        read: (buffer, offset, length, position) => ask(path, () => file.read(buffer, offset, length, position)),
        facts: () => ask(path, () => file.facts()),
        path: () => file.path(),
        close: () => file.close(),
      } satisfies OpenFile;
    },
    within: (root) => timed(files.within(root)),
  });
  return timed(files);
}

function hangs(path: string) {
  return appError('file.disk-hangs', { details: { path } });
}
