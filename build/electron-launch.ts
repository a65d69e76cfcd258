// How an app folder is started on a runtime.
//
// The official Electron has a default app that takes the app's folder as an argument. The runtime made from npm has
// none: it starts the app at resources/app beside the program. One cached runtime serves every clone on the
// machine, so the app can't be put there. Each project gets a launch copy of its own under .cache/electron-app: hard
// links to the runtime's files, which cost no space and a few milliseconds, plus a resources/app link to the project.
// Symbolic links would not do: Electron finds its folder through /proc/self/exe, which leads back to the cache. Where
// the cache is on another file system the files are copied (by reflink where possible). A runtime that is created again in the
// cache gets a new copy. The copies are in the project's folder, so they are deleted together with it.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  constants,
  copyFile,
  cp,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { ElectronRuntime } from './electron-runtime.ts';
import { isRoot } from './install-packages.ts';

export interface LaunchCommand {
  executablePath: string;
  /** Arguments that Electron needs before the app's own. */
  args: string[];
}

const stampName = 'launch-copy.json';

async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    // The copy is on another file system, on one without hard links, or the system forbids links to other users' files.
    if (code !== 'EXDEV' && code !== 'EPERM' && code !== 'ENOTSUP') throw error;
    await copyFile(from, to, constants.COPYFILE_FICLONE);
  }
}

async function mirrorFolder(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    const target = join(to, entry.name);
    if (entry.isDirectory()) await mirrorFolder(source, target);
    else if (entry.isFile()) await linkOrCopy(source, target);
    else await cp(source, target, { verbatimSymlinks: true });
  }
}

interface Stamp {
  executablePath: string;
  ino: number;
  size: number;
  mtimeMs: number;
  appDir: string;
}

/** Returns a stamp of the contents of a copy: after the cache was created again, the stamp differs. */
async function stampOf(executablePath: string, appDir: string): Promise<Stamp> {
  const { ino, size, mtimeMs } = await stat(executablePath);
  return { executablePath, ino, size, mtimeMs, appDir };
}

async function readStamp(copy: string): Promise<Stamp | undefined> {
  try {
    return JSON.parse(await readFile(join(copy, stampName), 'utf8')) as Stamp;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Removes copies of runtimes that no longer exist: each occupies 280 MB. */
async function removeOutdated(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const stamp = await readStamp(join(parent, name));
    if (!stamp) continue;
    const isGone = !existsSync(stamp.executablePath);
    if (isGone || JSON.stringify(await stampOf(stamp.executablePath, stamp.appDir)) !== JSON.stringify(stamp)) {
      await rm(join(parent, name), { recursive: true, force: true });
    }
  }
}

/**
 * Creates the launch copy, or returns the existing one. A copy is named after its contents and never changes, so two copies that
 * are created at the same time are equal, and either of them can stay.
 */
async function ensureLaunchCopy(runtime: ElectronRuntime, appDir: string, projectDir: string): Promise<string> {
  const parent = join(projectDir, '.cache', 'electron-app');
  const stamp = JSON.stringify(await stampOf(runtime.executablePath, appDir));
  const copy = join(parent, `${runtime.version}-${createHash('sha256').update(stamp).digest('hex').slice(0, 12)}`);
  if (await readStamp(copy)) return copy;
  await mkdir(parent, { recursive: true });
  await removeOutdated(parent);
  const work = await mkdtemp(join(parent, 'work-'));
  try {
    const made = join(work, 'copy');
    await mirrorFolder(dirname(runtime.executablePath), made);
    await mkdir(join(made, 'resources'), { recursive: true });
    await symlink(appDir, join(made, 'resources', 'app'));
    await writeFile(join(made, stampName), stamp);
    await rename(made, copy);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return copy;
}

/**
 * Returns the command with which `runtime` runs the app at `appDir` (a folder with a package.json). `projectDir`: the folder in
 * which the launch copy may be stored.
 */
export async function launchCommand(
  runtime: ElectronRuntime,
  appDir: string,
  projectDir = appDir,
): Promise<LaunchCommand> {
  // Chromium refuses to start its sandbox as root; for all other users, the sandbox stays on.
  const sandboxArgs = process.platform === 'linux' && isRoot() ? ['--no-sandbox'] : [];
  const runtimeDir = dirname(runtime.executablePath);
  if (process.platform !== 'linux' || existsSync(join(runtimeDir, 'resources', 'default_app.asar'))) {
    return { executablePath: runtime.executablePath, args: [...sandboxArgs, resolve(appDir)] };
  }
  const copy = await ensureLaunchCopy(runtime, resolve(appDir), resolve(projectDir));
  return { executablePath: join(copy, 'electron'), args: sandboxArgs };
}
