import { accessSync, constants, lstatSync, mkdirSync, readdirSync, type Stats, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type AppError, appError } from '../../../shared/contract/app-error.ts';

/** The files that Mediadesk opens by name in a profile, and their companions (`queue.db-wal`). */
const OPENED = [
  'profile.lock',
  'queue.db',
  'queue.rows',
  'queue.edits',
  'sign-ins.sealed',
  'window.json',
  'mediadesk.log',
  'mediadesk.previous.log',
];
/** The folders that contain them, below the profile. */
const FOLDERS = ['', 'logs'];

/**
 * Makes the profile folder, and checks the files in it before one is opened: opening a pipe waits for ever, a link leads the change
 * of a mode or a truncation to another file, and a file of another user can be changed or locked by that user. Throws
 * `profile.not-own`, and the errors of the file system.
 */
export function prepareProfile(profileDir: string): void {
  makeFolder(profileDir);
  const folder = statSync(profileDir);
  if (!folder.isDirectory()) throw notOwn(profileDir, 'it isn’t a folder');
  checkOwner(profileDir, folder);
  for (const name of FOLDERS) checkFiles(join(profileDir, name));
}

/**
 * Makes a folder with its parents, one after the other. The recursive form of Node never ends where a file system reports that
 * a parent is missing although it exists, such as `/proc`.
 */
function makeFolder(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process made it in the meantime.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function checkFiles(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) return;
  for (const name of readdirSync(folder)) {
    if (!OPENED.some((opened) => name === opened || name.startsWith(`${opened}-`))) continue;
    const path = join(folder, name);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) continue;
    if (stats.isSymbolicLink()) throw notOwn(path, 'it’s a link');
    if (!stats.isFile()) throw notOwn(path, 'it isn’t a file');
    // The file of the lock is truncated when its contents are damaged.
    if (name === 'profile.lock' && stats.nlink > 1) throw notOwn(path, 'it’s a link');
    checkOwner(path, stats);
  }
}

/**
 * Accepts what belongs to this user, and what root made for this user. Root's files in the folder of another user would keep that
 * user from starting.
 */
function checkOwner(path: string, { uid }: Stats): void {
  const own = process.geteuid?.();
  if (own === undefined || uid === own) return;
  if (uid === 0 && isWritable(path)) return;
  throw notOwn(path, `it belongs to the user with the number ${uid}, not to ${own}`);
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function notOwn(path: string, reason: string): AppError {
  return appError('profile.not-own', { details: { path, reason } });
}
