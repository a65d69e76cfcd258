// How an app folder is started on a runtime.
//
// The official Electron has a default app that takes the app's folder as an argument. The runtime made from npm has
// none: it starts what stands at resources/app beside the program. One cached runtime serves every clone on the
// machine, so the app can't be put there. Each project gets a launch copy of its own under .cache/electron-app: hard
// links to the runtime's files, which cost no space and a few milliseconds, plus a resources/app link to the project.
// Symbolic links would not do: Electron finds its folder through /proc/self/exe, which leads back to the cache. Where
// the cache is on another file system the files are copied (by reflink where possible). The copy is rebuilt when the
// cached program changes and vanishes with the project.
import { existsSync } from 'node:fs';
import {
  constants,
  copyFile,
  cp,
  link,
  mkdir,
  readdir,
  readFile,
  readlink,
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
    // Another file system, or one without hard links, or a system that forbids linking others' files.
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

/** Identifies the cached program that a copy was made of; a rebuilt cache yields another one. */
async function stampOf(executablePath: string): Promise<string> {
  const { ino, size, mtimeMs } = await stat(executablePath);
  return JSON.stringify({ executablePath, ino, size, mtimeMs });
}

async function isCurrent(copy: string, stamp: string, appDir: string): Promise<boolean> {
  try {
    const linked = await readlink(join(copy, 'resources', 'app'));
    return linked === appDir && (await readFile(join(copy, stampName), 'utf8')) === stamp;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** Makes the launch copy, or returns the one that stands. Safe to run twice at once. */
async function ensureLaunchCopy(runtime: ElectronRuntime, appDir: string, projectDir: string): Promise<string> {
  const runtimeDir = dirname(runtime.executablePath);
  const parent = join(projectDir, '.cache', 'electron-app');
  const copy = join(parent, runtime.version);
  const stamp = await stampOf(runtime.executablePath);
  if (await isCurrent(copy, stamp, appDir)) return copy;
  await mkdir(parent, { recursive: true });
  const work = join(parent, `work-${process.pid}-${Date.now().toString(36)}`);
  try {
    await mirrorFolder(runtimeDir, work);
    await mkdir(join(work, 'resources'), { recursive: true });
    await symlink(appDir, join(work, 'resources', 'app'));
    await writeFile(join(work, stampName), stamp);
    for (let attempt = 1; ; attempt += 1) {
      try {
        await rename(work, copy);
        return copy;
      } catch (error) {
        const code = (error as NodeJS.ErrnoException).code;
        if ((code !== 'ENOTEMPTY' && code !== 'EEXIST') || attempt === 5) throw error;
      }
      if (await isCurrent(copy, stamp, appDir)) return copy;
      await rename(copy, `${work}-old-${attempt}`);
    }
  } finally {
    for (const name of await readdir(parent)) {
      if (name.startsWith(`work-${process.pid}-`)) await rm(join(parent, name), { recursive: true, force: true });
    }
  }
}

/**
 * What to execute so that `runtime` runs the app at `appDir` (a folder with a package.json).
 * `projectDir` is where the launch copy may be kept.
 */
export async function launchCommand(
  runtime: ElectronRuntime,
  appDir: string,
  projectDir = appDir,
): Promise<LaunchCommand> {
  // Chromium refuses to start its sandbox as root; as anyone else the sandbox stays on.
  const sandboxArgs = process.platform === 'linux' && isRoot() ? ['--no-sandbox'] : [];
  const runtimeDir = dirname(runtime.executablePath);
  if (process.platform !== 'linux' || existsSync(join(runtimeDir, 'resources', 'default_app.asar'))) {
    return { executablePath: runtime.executablePath, args: [...sandboxArgs, resolve(appDir)] };
  }
  const copy = await ensureLaunchCopy(runtime, resolve(appDir), resolve(projectDir));
  return { executablePath: join(copy, 'electron'), args: sandboxArgs };
}
