import { mkdir, open, stat, unlink } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { belowRoot } from './below-root.ts';
import { shownName, systemPath } from './byte-paths.ts';
import { renameFile } from './rename-file.ts';

export interface TrashOptions {
  env: NodeJS.ProcessEnv;
  homeDir: string;
  uid: number;
  now(): Date;
}

/**
 * Moves a file to the trash by the freedesktop.org specification: the home trash for files on its disk, `.Trash-<uid>`
 * at the mount point for all other disks. Nothing is copied, and no file in the trash is replaced. `root`: below it no link is
 * followed. Throws `file.is-link`.
 */
export async function trashFile(path: string, root = path, options: TrashOptions = systemOptions()): Promise<void> {
  const home = join(options.env.XDG_DATA_HOME || join(options.homeDir, '.local', 'share'), 'Trash');
  await mkdir(join(home, 'files'), { recursive: true, mode: 0o700 });
  const device = (await stat(systemPath(dirname(path)))).dev;
  if ((await stat(home)).dev === device) return putInto(home, { path, root, knownAs: resolve(path) }, options);
  const top = await topOf(path, device);
  const trash = join(top, `.Trash-${options.uid}`);
  await mkdir(systemPath(join(trash, 'files')), { recursive: true, mode: 0o700 });
  return putInto(trash, { path, root, knownAs: relative(top, resolve(path)) }, options);
}

async function putInto(
  trash: string,
  { path, root, knownAs }: { path: string; root: string; knownAs: string },
  { now }: TrashOptions,
): Promise<void> {
  await mkdir(systemPath(join(trash, 'info')), { recursive: true, mode: 0o700 });
  const name = shownName(basename(path));
  const info = `[Trash Info]\nPath=${knownAs.split('/').map(percentEncoded).join('/')}\nDeletionDate=${localTime(now())}\n`;
  for (let number = 1; ; number += 1) {
    const given = number === 1 ? name : `${name}.${number}`;
    const infoPath = systemPath(join(trash, 'info', `${given}.trashinfo`));
    try {
      // The info file is created first, which reserves the name: two programs never choose the same one.
      const handle = await open(infoPath, 'wx', 0o600);
      await handle.writeFile(info);
      await handle.close();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw error;
    }
    try {
      if (await isThere(join(trash, 'files', given))) {
        await unlink(infoPath);
        continue;
      }
      await belowRoot(root, path, (source) => renameFile(source, systemPath(join(trash, 'files', given))));
      return;
    } catch (error) {
      await unlink(infoPath);
      throw error;
    }
  }
}

/** Returns the mount point of a file's disk. */
async function topOf(path: string, device: number): Promise<string> {
  for (let folder = dirname(resolve(path)); ; folder = dirname(folder)) {
    const above = dirname(folder);
    if (above === folder || (await stat(systemPath(above))).dev !== device) return folder;
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(systemPath(path));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** Encodes a name for a URL: byte by byte when it is not UTF-8. */
function percentEncoded(name: string): string {
  const bytes = systemPath(name);
  if (typeof bytes === 'string') return encodeURIComponent(bytes);
  return Array.from(bytes, (byte) =>
    byte < 0x80 ? encodeURIComponent(String.fromCharCode(byte)) : `%${byte.toString(16).toUpperCase()}`,
  ).join('');
}

/** Local time without a zone, as the specification requires. */
function localTime(at: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

function systemOptions(): TrashOptions {
  return { env: process.env, homeDir: homedir(), uid: process.getuid?.() ?? 0, now: () => new Date() };
}
