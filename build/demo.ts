// Demonstrates the main job on this machine: starts the library service with a small library in it, creates sample recordings,
// and opens Mediadesk on them. Without a screen, it runs the same job on a virtual one.
//
// npm run demo [-- --keep DIR] [--unattended]
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { openApp } from './demo/app-window.ts';
import { forgetSignIn, openForPerson } from './demo/attended.ts';
import { type DataFolder, openDataFolder } from './demo/data-folder.ts';
import { type LibraryService, startLibraryService } from './demo/library-service.ts';
import { projectDir } from './demo/project.ts';
import { buildReport } from './demo/report.ts';
import { Screens } from './demo/screens.ts';
import { accountName, doMainJob } from './demo/unattended.ts';
import { startDesktopSession } from './desktop-session.ts';
import type { ElectronRuntime } from './electron-runtime.ts';
import { MachineNotReady, prepare } from './prepare.ts';
import { CommandFailed, runOrThrow } from './processes.ts';
import { makeSamples, type Sample } from './samples/make-samples.ts';

const SCREENS_DIR = 'demo-output';
const WINDOW_SIZE = { width: 1360, height: 850 };

interface Demo {
  runtime: ElectronRuntime;
  service: LibraryService;
  folder: DataFolder;
  samples: Sample[];
  /** Whether the user wants to continue with this data later. */
  isKept: boolean;
  signal: AbortSignal;
}

const say = (line: string) => console.log(line);

/** Bundles the app, as `npm run build` does. */
async function buildApp(): Promise<void> {
  const manifest = createRequire(import.meta.url).resolve('electron-vite/package.json');
  await runOrThrow(process.execPath, [join(dirname(manifest), 'bin', 'electron-vite.js'), 'build'], {
    cwd: projectDir,
  });
}

/** Returns the values with which the app fills its sign-in form. */
function presets({ facts }: LibraryService): NodeJS.ProcessEnv {
  return { MEDIADESK_SITE: facts.base_url, MEDIADESK_CLIENT_ID: facts.client_id };
}

async function showToPerson(demo: Demo): Promise<boolean> {
  const { admin, base_url } = demo.service.facts;
  say(`
A media library with some content in it runs at ${base_url}, on this computer only.
Sign in to it in the window that opens now:

    Email address   ${admin.email_address}
    Password        ${admin.password}

Then choose a collection and drop this folder of sample recordings on the window:

    ${demo.folder.samples}

Close the window to end the demo.
`);
  const env = { ...process.env, ...presets(demo.service) };
  try {
    await openForPerson(demo.runtime, demo.folder.profile, env, demo.signal);
  } finally {
    if (!demo.isKept) await forgetSignIn(demo.folder.profile);
  }
  return true;
}

async function doUnattended(demo: Demo): Promise<boolean> {
  const { runtime, service, folder, samples, signal } = demo;
  say('Running the demo automatically: the real app on a virtual screen.');
  const desktop = await startDesktopSession({ size: { width: 1600, height: 1000 } });
  try {
    const env = { ...desktop.env, ...presets(service) };
    const window = await openApp({ runtime, profileDir: folder.profile, env, size: WINDOW_SIZE });
    const screens = new Screens(folder.screens);
    try {
      const job = { window, service, samples, samplesDir: folder.samples, screens, say, signal };
      const { text, good } = buildReport(await doMainJob(job));
      say(`\n${text}\n`);
      say(`Account: ${(await accountName(window.page)) ?? 'none'}. Screenshots: ${folder.screens}`);
      return good;
    } catch (error) {
      await screens.take(window.page, 'failure');
      throw error;
    } finally {
      await window.close();
    }
  } finally {
    await desktop.stop();
  }
}

/** Returns whether the user can see a window that this process opens. */
function hasScreen(): boolean {
  if (process.platform !== 'linux') return true;
  return Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}

async function runDemo(
  options: { keep: string | undefined; unattended: boolean },
  signal: AbortSignal,
): Promise<boolean> {
  const forPerson = hasScreen() && !options.unattended;
  const runtime = await prepare({ desktop: forPerson ? 'display' : 'virtual', say });
  if (!runtime) throw new Error('No Electron was found.');
  say('Building the app …');
  await buildApp();
  signal.throwIfAborted();

  const folder = await openDataFolder(options.keep, SCREENS_DIR, { isFresh: !forPerson });
  let service: LibraryService | undefined;
  try {
    say('Making sample recordings …');
    const samples = await makeSamples(folder.samples, { ffmpeg: 'auto' });
    say(`Starting the library service. Recordings: ${folder.samples}`);
    service = await startLibraryService(folder.service, folder.port);
    await folder.rememberPort(Number(new URL(service.facts.base_url).port));
    signal.throwIfAborted();
    const demo = { runtime, service, folder, samples, isKept: Boolean(options.keep), signal };
    const good = await (forPerson ? showToPerson(demo) : doUnattended(demo));
    if (options.keep) say(`Everything is kept in ${folder.root}`);
    return good;
  } finally {
    await service?.stop();
    await folder.dispose();
  }
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { keep: { type: 'string' }, unattended: { type: 'boolean', default: false } },
  });
  const interruption = new AbortController();
  // The first Ctrl-C ends the started processes; a second one ends this process immediately.
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => interruption.abort(new Error('The demo was interrupted.')));
  }
  const good = await runDemo({ keep: values.keep, unattended: values.unattended }, interruption.signal);
  return good ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  const isPlain = error instanceof MachineNotReady || error instanceof CommandFailed;
  console.error(isPlain ? error.message : error);
  process.exitCode = 1;
}
