// The real app in a real Electron, for end-to-end tests. Needs a screen (desktop-session-setup.ts).
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { _electron, type ElectronApplication, type Page } from 'playwright';
import { launchCommand } from '../../../build/electron-launch.ts';
import { resolveElectronRuntime } from '../../../build/electron-runtime.ts';
import { isAttachTimeout } from './attach-timeout.ts';
import { slowDown, watchWindow } from './window-report.ts';

export const projectDir = resolve(import.meta.dirname, '..', '..', '..');
const startWithinMs = 30_000;
/** A start takes one to five seconds. When Playwright does not attach within this time, the app is started once more. */
const attachWithinMs = 12_000;
const closeWithinMs = 15_000;

export interface LaunchOptions {
  /** The profile folder; by default a new one that is removed on close. */
  profileDir?: string;
  env?: Record<string, string>;
  /** Command-line arguments of the app. */
  args?: readonly string[];
  /** Size of the page in pixels. */
  size?: { width: number; height: number };
  /** Closing and quitting ask the user, as for a new user; by default the app quits without a question. */
  asksUser?: boolean;
  /** Returns the path of a program that starts the app in its place, and passes its arguments on. */
  launcher?: (executablePath: string) => string;
}

export interface DesktopApp {
  app: ElectronApplication;
  window: Page;
  profileDir: string;
  /** What the main process wrote to stdout and stderr so far. */
  output(): string;
  /** Quits as a user would; kills the process when that takes too long. Idempotent. */
  close(): Promise<void>;
  /** Kills the main process at once, like a crash. */
  kill(): Promise<void>;
}

function plainEnv(extra: Record<string, string> = {}): Record<string, string> {
  // With this variable Electron would run as plain Node. Vitest's variables must not reach the app.
  const { ELECTRON_RUN_AS_NODE: _node, NODE_OPTIONS: _options, VITEST: _vitest, ...env } = process.env;
  return { ...(env as Record<string, string>), ...extra };
}

/** Resolves when the process has exited. */
function whenGone(process: ReturnType<ElectronApplication['process']>): Promise<void> {
  if (process.exitCode !== null || process.signalCode !== null) return Promise.resolve();
  return new Promise((done) => process.once('exit', () => done()));
}

/** The command that starts the app, for tests without Playwright. */
export async function appCommand(
  profileDir: string,
  args: readonly string[] = [],
): Promise<{ executablePath: string; args: string[] }> {
  const launch = await launchCommand(await resolveElectronRuntime(), projectDir);
  return { executablePath: launch.executablePath, args: [...launch.args, '--profile', profileDir, ...args] };
}

/** Starts the built app and waits until the shell and the screens in the window report that they are ready. */
export async function launchApp(options: LaunchOptions = {}): Promise<DesktopApp> {
  const ownProfile = options.profileDir === undefined;
  const profileDir = options.profileDir ?? (await mkdtemp(join(tmpdir(), 'mediadesk-profile-')));
  if (options.asksUser !== true) await answerQuestions(profileDir);
  const command = await appCommand(profileDir, options.args);
  const launch = (timeout: number) =>
    _electron.launch({
      ...command,
      executablePath: options.launcher?.(command.executablePath) ?? command.executablePath,
      env: plainEnv(options.env),
      timeout,
      // Playwright would emulate a light color scheme; the tests need the app's own theme.
      colorScheme: null,
    });
  const app = await launch(attachWithinMs).catch((error: unknown) => {
    if (!isAttachTimeout(error)) throw error;
    console.warn(`Playwright did not attach to an app that runs; it is started once more.\n${String(error)}`);
    return launch(startWithinMs);
  });
  const child = app.process();
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString('utf8');
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    output += chunk.toString('utf8');
  });

  const forget = async () => {
    if (ownProfile) await rm(profileDir, { recursive: true, force: true, maxRetries: 5 });
  };
  const kill = async () => {
    child.kill('SIGKILL');
    await whenGone(child);
    await forget();
  };
  const close = async () => {
    const force = setTimeout(() => child.kill('SIGKILL'), closeWithinMs);
    try {
      // The connection ends with the process, as intended here.
      await app.evaluate(({ app: shell }) => shell.quit()).catch(() => undefined);
      await whenGone(child);
    } finally {
      clearTimeout(force);
    }
    await forget();
  };

  try {
    const window = await app.firstWindow({ timeout: startWithinMs });
    await waitForFlag(app);
    await window.locator('html[data-ready]').waitFor({ timeout: startWithinMs });
    if (options.size) {
      await app.evaluate(({ BrowserWindow }, { width, height }) => {
        BrowserWindow.getAllWindows()[0]?.setContentSize(width, height);
      }, options.size);
    }
    watchWindow(window);
    await slowDown(window);
    return { app, window, profileDir, output: () => output, close, kill };
  } catch (error) {
    await kill();
    throw new Error(`The app did not start. Its output:\n${output.slice(-4_000)}`, { cause: error });
  }
}

/** Answers the questions about closing and quitting in advance, in a profile without such answers. */
async function answerQuestions(profileDir: string): Promise<void> {
  await mkdir(profileDir, { recursive: true, mode: 0o700 });
  const answers = JSON.stringify({ whenClosed: 'quit', askBeforeQuit: false });
  await writeFile(join(profileDir, 'desktop.json'), answers, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

/** Waits in the main process for the flag that the shell sets when it is ready. */
async function waitForFlag(app: ElectronApplication): Promise<void> {
  await app.evaluate(async (_electron, limitMs) => {
    const giveUpAt = Date.now() + limitMs;
    const flags = globalThis as { __mediadeskReady?: boolean };
    while (!flags.__mediadeskReady) {
      if (Date.now() > giveUpAt) throw new Error('The shell did not get ready in time.');
      await new Promise((next) => setTimeout(next, 10));
    }
  }, startWithinMs);
}
