import { chmodSync, closeSync, openSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Bits that let anyone but the owner read, write or run a file. */
const OTHERS = 0o077;

/**
 * Makes a file for its owner alone if it is not there yet. SQLite gives its write-ahead log and its shared memory the mode
 * of the database, so the database must have this mode before SQLite opens it. An existing file is not opened: closing it
 * again would release the locks that this process holds on it.
 */
export function createPrivately(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/**
 * Takes away what others may do with a file, with its companions (`queue.db-wal`) and with its copies that were set aside
 * (`queue.db.damaged-…`). Returns the paths that stay open to others because the file system keeps no modes or the file
 * belongs to someone else. Windows has no such modes: there the profile's folder decides.
 */
export function makePrivate(path: string): string[] {
  if (process.platform === 'win32') return [];
  const [folder, name] = [dirname(path), basename(path)];
  return readdirSync(folder)
    .filter((each) => each === name || each.startsWith(`${name}-`) || each.startsWith(`${name}.`))
    .map((each) => join(folder, each))
    .filter((each) => !isPrivateNow(each));
}

function isPrivateNow(path: string): boolean {
  if (isPrivate(path)) return true;
  try {
    chmodSync(path, 0o600);
  } catch (error) {
    if (!UNCHANGEABLE.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
  return isPrivate(path);
}

const UNCHANGEABLE: ReadonlySet<string> = new Set(['EPERM', 'EROFS', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'ENOENT']);

function isPrivate(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined || !stats.isFile() || (stats.mode & OTHERS) === 0;
}
