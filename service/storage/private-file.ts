import { chmodSync, closeSync, openSync, statSync } from 'node:fs';

/** Bits that let anyone but the owner read, write or run a file. */
const OTHERS = 0o077;

/** Takes away what others may do with a file, or with a folder; nothing happens where there is none. */
export function makePrivate(path: string): void {
  if (process.platform === 'win32') return;
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats && (stats.mode & OTHERS) !== 0) chmodSync(path, stats.mode & 0o700);
}

/**
 * Makes a database file for its owner alone before SQLite opens it, or closes an existing one to others: SQLite gives the
 * files beside it (`-wal`, `-shm`, `-journal`) the mode of the database. An existing file is not opened here, because closing
 * it would release the locks that this process holds on it.
 */
export function makeDatabasePrivate(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  for (const suffix of ['', '-wal', '-shm', '-journal']) makePrivate(file + suffix);
}
