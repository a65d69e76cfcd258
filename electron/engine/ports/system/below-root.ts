import { constants } from 'node:fs';
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { appError } from '../../../../shared/contract/app-error.ts';
import { stepsBelow } from '../rooted-files.ts';
import { pathOfBytes, systemPath } from './byte-paths.ts';

/** Linux: opens a folder without the right to list it. Node has no name for it. */
const O_PATH = 0o10000000;
const { O_CREAT, O_DIRECTORY = 0, O_NOFOLLOW = 0, O_RDONLY, O_TRUNC, O_WRONLY } = constants;

/** Returns the error of a link on the way to a path. */
export function linkError(path: string, link: string) {
  return appError('file.is-link', { details: { path, link } });
}

/**
 * Throws `file.is-link` when a folder on the way from `root` to `path`, or with `isLast` the last name, is a link. `root` itself
 * may be one, or contain some. A path that is not below `root` is not checked. A missing folder is no error here.
 */
export async function assertNoLinks(root: string, path: string, { isLast }: { isLast: boolean }): Promise<void> {
  const steps = stepsBelow(root, path);
  const folders = isLast ? steps : steps.slice(0, -1);
  if (folders.length === 0) return;
  // On Linux this keeps the given spelling of names, and is one call for all folders. Other systems correct letter case.
  if (process.platform === 'linux') {
    const [top, real] = await Promise.all([realOrNull(root), realOrNull(join(root, ...folders))]);
    if (top !== null && real === join(top, ...folders)) return;
  }
  let at = root;
  for (const name of folders) {
    at = join(at, name);
    const isLink = await lstat(systemPath(at)).then(
      (stats) => stats.isSymbolicLink(),
      () => false,
    );
    if (isLink) throw linkError(path, at);
  }
}

async function realOrNull(path: string): Promise<string | null> {
  try {
    return pathOfBytes(await realpath(systemPath(path), { encoding: 'buffer' }));
  } catch {
    // Missing or unreadable: each name is checked then, and the caller's own call reports the reason.
    return null;
  }
}

/**
 * Calls `use` with a form of `path` for system calls in which no folder below `root` is a link, and the last name is not followed
 * by calls that are asked not to. On Linux no other program can change that between the check and the call: the folders are
 * opened one after the other. Elsewhere they are checked before and after the call. Throws `file.is-link`.
 */
export async function belowRoot<T>(
  root: string,
  path: string,
  use: (path: string | Buffer) => Promise<T>,
  onLate: (value: T) => Promise<void> = async () => {},
): Promise<T> {
  const steps = stepsBelow(root, path);
  if (steps.length === 0) return use(systemPath(path));
  if (process.platform === 'linux') return belowOpenFolders(root, path, steps, use);
  await assertNoLinks(root, path, { isLast: true });
  const value = await use(systemPath(path));
  try {
    await assertNoLinks(root, path, { isLast: false });
    return value;
  } catch (error) {
    await onLate(value);
    throw error;
  }
}

async function belowOpenFolders<T>(
  root: string,
  path: string,
  steps: readonly string[],
  use: (path: string | Buffer) => Promise<T>,
): Promise<T> {
  let folder = await open(systemPath(root), O_PATH | O_DIRECTORY);
  try {
    let at = root;
    for (const name of steps.slice(0, -1)) {
      at = join(at, name);
      const above = folder;
      folder = await openFolder(above, name, path, at);
      await above.close();
    }
    return await use(inFolder(folder, steps.at(-1) ?? ''));
  } finally {
    await folder.close();
  }
}

async function openFolder(folder: FileHandle, name: string, path: string, at: string): Promise<FileHandle> {
  const step = inFolder(folder, name);
  try {
    return await open(step, O_PATH | O_DIRECTORY | O_NOFOLLOW);
  } catch (error) {
    const isLink = await lstat(step).then(
      (stats) => stats.isSymbolicLink(),
      () => false,
    );
    throw isLink ? linkError(path, at) : error;
  }
}

/** Returns the path of a name in an open folder. */
function inFolder({ fd }: FileHandle, name: string): string | Buffer {
  const bytes = systemPath(name);
  const folder = `/proc/self/fd/${fd}/`;
  return typeof bytes === 'string' ? `${folder}${bytes}` : Buffer.concat([Buffer.from(folder), bytes]);
}

/** The flags with which a file below a root is opened. O_NONBLOCK: otherwise a pipe without a writer would block. */
export const OPEN_BELOW = O_RDONLY | O_NOFOLLOW | (constants.O_NONBLOCK ?? 0);

/** The flags with which a copy is written: in a folder that several users share, another one may have put a link at its path. */
export const REPLACE_FILE = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW;
