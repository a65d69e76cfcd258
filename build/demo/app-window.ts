// The built app in its real Electron, under Playwright.
import { _electron, type ElectronApplication, type Page } from 'playwright';
import { launchCommand } from '../electron-launch.ts';
import type { ElectronRuntime } from '../electron-runtime.ts';
import { projectDir } from './project.ts';
import { whenReady } from './window-steps.ts';

export interface AppWindow {
  app: ElectronApplication;
  page: Page;
  close(): Promise<void>;
}

export interface AppOptions {
  runtime: ElectronRuntime;
  profileDir: string;
  env: NodeJS.ProcessEnv;
  size: { width: number; height: number };
}

const CLOSE_WITHIN_MS = 15_000;

/** Returns the command that starts the app on this profile. */
export async function appCommand(
  runtime: ElectronRuntime,
  profileDir: string,
): Promise<{ executablePath: string; args: string[] }> {
  const { executablePath, args } = await launchCommand(runtime, projectDir);
  return { executablePath, args: [...args, '--profile', profileDir] };
}

/** Starts the app and waits until its window shows the real state. */
export async function openApp({ runtime, profileDir, env, size }: AppOptions): Promise<AppWindow> {
  const { ELECTRON_RUN_AS_NODE: _node, NODE_OPTIONS: _options, ...appEnv } = env;
  const command = await appCommand(runtime, profileDir);
  // Playwright would simulate a light system; the pictures have to show the app's own theme.
  const app = await _electron.launch({ ...command, env: appEnv as Record<string, string>, colorScheme: null });
  const child = app.process();
  let complaints = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    complaints = `${complaints}${chunk.toString('utf8')}`.slice(-4_000);
  });
  const close = async () => {
    const gone =
      child.exitCode !== null || child.signalCode !== null
        ? Promise.resolve()
        : new Promise<void>((resolve) => child.once('exit', () => resolve()));
    const force = setTimeout(() => child.kill('SIGKILL'), CLOSE_WITHIN_MS);
    // The connection ends together with the process, as intended.
    await app.evaluate(({ app: shell }) => shell.quit()).catch(() => undefined);
    await gone;
    clearTimeout(force);
  };
  try {
    const page = await app.firstWindow();
    await app.evaluate(({ BrowserWindow }, { width, height }) => {
      BrowserWindow.getAllWindows()[0]?.setContentSize(width, height);
    }, size);
    await whenReady(page);
    return { app, page, close };
  } catch (error) {
    await close();
    throw new Error(`The window did not open. The app said:\n${complaints}`, { cause: error });
  }
}
