import { chmodSync, closeSync, openSync, statSync } from 'node:fs';

/** Permission bits of everyone but the owner. */
const OTHERS = 0o077;

/** Makes a file or a folder private to its owner; does nothing when it does not exist. */
export function makePrivate(path: string): void {
  if (process.platform === 'win32') return;
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats && (stats.mode & OTHERS) !== 0) chmodSync(path, stats.mode & 0o700);
}

/**
 * Creates a private database file before SQLite opens it, or makes an existing one private: SQLite gives the files beside it
 * (`-wal`, `-shm`, `-journal`) the mode of the database. An existing file is not opened by this function, because closing it
 * would release the locks that this process holds on it.
 */
export function makeDatabasePrivate(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  for (const suffix of ['', '-wal', '-shm', '-journal']) makePrivate(file + suffix);
}
