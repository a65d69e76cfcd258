// Runs once before the tests (`globalSetup` in vitest.config.ts): bundles the programs that they start. A bundle is kept until
// a source changes.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { build } from 'vite';
import { loadBuiltinsDirectly } from '../build/packages/builtin-imports.ts';
import { BUNDLES, bundleName, PROGRAMS } from './helpers/system/programs.ts';

const ROOT = resolve(import.meta.dirname, '..');
/** Not below node_modules, where Node accepts no TypeScript. */
const CACHE = join(ROOT, '.cache', 'test-programs');
const SOURCES = [
  'electron',
  'service',
  'shared',
  'test/helpers',
  'test/torture',
  'test/unusual-servers',
  'test/bundle-programs.ts',
  'build/packages/builtin-imports.ts',
  'package-lock.json',
];
/** Another run may still start programs from a bundle that is younger. */
const KEPT_MS = 24 * 3_600_000;

/** Bundles the programs and sets the environment variable by which the tests find them. */
export async function setup(): Promise<void> {
  const folder = join(CACHE, await stampOf(SOURCES));
  if (!existsSync(folder)) await bundleInto(folder);
  await utimes(folder, new Date(), new Date());
  process.env[BUNDLES] = folder;
  await removeOld();
}

/** Returns a digest of the names, sizes and times of all files. */
async function stampOf(sources: readonly string[]): Promise<string> {
  const files = (await Promise.all(sources.map(filesOf))).flat().sort();
  const lines = files.map(async (file) => {
    const { mtimeMs, size } = await stat(file);
    return `${file} ${size} ${mtimeMs}`;
  });
  const digest = createHash('sha256').update((await Promise.all(lines)).join('\n'));
  return digest.digest('hex').slice(0, 16);
}

/** Returns the absolute paths of all files of a folder, or of the one file. */
async function filesOf(source: string): Promise<string[]> {
  const path = join(ROOT, source);
  if ((await stat(path)).isFile()) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** Bundles into a folder beside the target, so that two runs never share a half-written one. */
async function bundleInto(target: string): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const folder = await mkdtemp(join(CACHE, 'new-'));
  await build({
    configFile: false,
    plugins: [loadBuiltinsDirectly()],
    root: ROOT,
    logLevel: 'warn',
    // These have binaries that are found relative to their own folders.
    ssr: { noExternal: true, external: ['@photostructure/sqlite', 'keytar', 'sharp'] },
    build: {
      ssr: true,
      target: 'node24',
      minify: false,
      outDir: folder,
      rolldownOptions: {
        input: {
          ...Object.fromEntries(PROGRAMS.map((program) => [bundleName(program), join(ROOT, program)])),
          // Three parts start a thread or a process by its path relative to their own.
          keytar: join(ROOT, 'electron/engine/ports/system/keytar-main.ts'),
          'media-tags': join(ROOT, 'electron/engine/media-tags/thread-main.ts'),
          'picture-worker': join(ROOT, 'service/processing/tools/picture-worker.ts'),
        },
        output: {
          format: 'es',
          entryFileNames: ({ name }) => PLACES[name] ?? 'programs/[name].js',
          chunkFileNames: 'programs/[name]-[hash].js',
        },
      },
    },
  });
  await rename(folder, target).catch(async (error: NodeJS.ErrnoException) => {
    // Another run was faster.
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    await rm(folder, { recursive: true });
  });
}

const PLACES: Readonly<Record<string, string>> = {
  keytar: 'threads/keytar.js',
  'media-tags': 'threads/media-tags.js',
  'picture-worker': 'threads/picture-worker.js',
};

async function removeOld(): Promise<void> {
  for (const name of await readdir(CACHE)) {
    const path = join(CACHE, name);
    const facts = await stat(path).catch((error: NodeJS.ErrnoException) => {
      // Another run renamed or removed its folder meanwhile.
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    if (facts !== null && Date.now() - facts.mtimeMs > KEPT_MS) await rm(path, { recursive: true, force: true });
  }
}
