import { chmodSync, closeSync, lstatSync, openSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The mode bits of all users except the owner. */
const OTHERS = 0o077;

/**
 * Creates a private file if it does not exist. SQLite gives its write-ahead log and shared memory the mode of the
 * database, so the database must have this mode before SQLite opens it. An existing file is not opened, because closing
 * it would release the locks of this process on it.
 */
export function createPrivately(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/**
 * Makes a file private, with its companions (`queue.db-wal`) and its renamed copies (`queue.db.damaged-…`). Returns the
 * paths that stay accessible, because the file system has no modes or the file belongs to another user. Windows has no
 * such modes: there the folder of the profile decides.
 */
export function makePrivate(path: string, platform: string = process.platform): string[] {
  if (platform === 'win32') return [];
  const [folder, name] = [dirname(path), basename(path)];
  return readdirSync(folder)
    .filter((each) => each === name || each.startsWith(`${name}-`) || each.startsWith(`${name}.`))
    .map((each) => join(folder, each))
    .filter((each) => !isPrivateNow(each));
}

/** A folder in which each user owns their own files, such as `/tmp`. */
const SHARED = 0o1000;

/**
 * Makes the folder of a profile private, which also contains the data of the window. A folder that is used for other things as well
 * keeps its mode: a shared one, that of a file system, a home folder, and one with files but without a queue.
 */
export function makeFolderPrivate(folder: string, home = process.env.HOME, platform: string = process.platform): void {
  if (platform === 'win32') return;
  const { mode, uid } = statSync(folder);
  const isOurs = uid === process.geteuid?.() && folder !== dirname(folder) && folder !== home;
  if (!isOurs || (mode & OTHERS) === 0 || (mode & SHARED) !== 0) return;
  const names = readdirSync(folder);
  if (names.length > 0 && !names.includes('queue.db')) return;
  try {
    chmodSync(folder, 0o700);
  } catch (error) {
    if (!UNCHANGEABLE.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
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
  // The mode of a link is that of another file, which is not changed.
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats === undefined || !stats.isFile() || (stats.mode & OTHERS) === 0;
}
