import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** The space that an open profile needs at least: the shared memory and the first pages of the write-ahead log. */
const NEEDED_BYTES = 64 * 1024;
const FULL: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EDQUOT']);

/**
 * Returns whether the disk of a folder, or the quota of the user on it, is used up. Writes a file and removes it: SQLite reports a
 * full disk in several ways, and the number of free bytes does not include quotas.
 */
export function isDiskFull(folder: string): boolean {
  const path = join(folder, `.space-${randomUUID()}.tmp`);
  try {
    const file = openSync(path, 'wx', 0o600);
    try {
      writeSync(file, Buffer.alloc(NEEDED_BYTES));
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    return false;
  } catch (error) {
    return FULL.has((error as NodeJS.ErrnoException).code);
  } finally {
    rmSync(path, { force: true });
  }
}
