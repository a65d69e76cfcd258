// The environment of the pictures: the real app on the demo library, on a virtual screen.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright';
import { type AppWindow, openApp } from '../demo/app-window.ts';
import { type LibraryService, startLibraryService } from '../demo/library-service.ts';
import { projectDir } from '../demo/project.ts';
import { ask } from '../demo/window-steps.ts';
import type { ElectronRuntime } from '../electron-runtime.ts';
import { citedPictures } from './picture-sources.ts';
import { type SlowRelay, startSlowRelay } from './slow-relay.ts';
import { smallPng } from './small-png.ts';

/** The sizes of the window in pictures. Names of pictures in the default size contain no size. */
export const SIZES = {
  usual: { width: 1280, height: 800 },
  wide: { width: 1920, height: 1080 },
  small: { width: 960, height: 600 },
} as const;
/** The limit for pictures that are committed. */
const MOST_BYTES = 200 * 1024;

type Theme = 'light' | 'dark';
export type Size = keyof typeof SIZES;

/** Where pictures go. */
export interface PictureStore {
  dir: string;
  themes: readonly Theme[];
  sizes: readonly Size[];
  /** The names of the pictures that are saved; null: all. */
  only: ReadonlySet<string> | null;
}

/** Returns the store for the documentation: light pictures only, and only those that a page cites. */
export async function documentationStore(): Promise<PictureStore> {
  const only = await citedPictures(projectDir);
  return { dir: join(projectDir, 'docs', 'screenshots'), themes: ['light'], sizes: ['usual'], only };
}

export interface Studio {
  /** The file names of the pictures taken so far. */
  readonly taken: readonly string[];
  service: LibraryService;
  relay: SlowRelay;
  /** A folder for recordings that are uploaded in the pictures. */
  folder: string;
  /** Starts the app on a new profile, or on the profile of an earlier call with this name; closes the previous app. */
  open(env?: NodeJS.ProcessEnv, profile?: string): Promise<AppWindow>;
  /** Closes the app, which `open` starts again. */
  close(): Promise<void>;
  /** The database of a profile that `open` got by this name. */
  queueOf(profile: string): string;
  /** The next native dialogs that choose a file answer with this path: Playwright can't reach them. */
  answerDialogs(path: string): Promise<void>;
  /** Changes the behavior of the service. */
  control(method: string, path: string, body?: unknown): Promise<void>;
  /** Takes one picture in each theme and size of the store. `page`: default: the main window. */
  take(name: string, page?: Page): Promise<void>;
  /** Takes one picture in the size `wide`, unless `take` already does so. */
  takeWide(name: string): Promise<void>;
  /** Saves a picture of the current window in the temporary folder, for debugging. */
  takeFailure(): Promise<void>;
  dispose(): Promise<void>;
}

export interface StudioOptions {
  runtime: ElectronRuntime;
  env: NodeJS.ProcessEnv;
  store: PictureStore;
  say(line: string): void;
}

/** Call `dispose` in a `finally`. */
export async function openStudio({ runtime, env, store, say }: StudioOptions): Promise<Studio> {
  const folder = await mkdtemp(join(tmpdir(), 'mediadesk-pictures-'));
  const service = await startLibraryService(join(folder, 'service'), 0);
  const relay = await startSlowRelay(service.facts.base_url);
  let window: AppWindow | null = null;
  let runs = 0;
  const taken: string[] = [];
  const profileDirOf = (name: string) => join(folder, `profile-${name}`);
  const current = (): AppWindow => {
    if (window === null) throw new Error('No window is open.');
    return window;
  };
  const resize = async (name: Size) => {
    const { app, page } = current();
    const size = SIZES[name];
    const apply = () =>
      app.evaluate(({ BrowserWindow }, { width, height }) => {
        // The pages of the library have separate windows.
        const main = BrowserWindow.getAllWindows().find(({ webContents }) => webContents.getURL().startsWith('app:'));
        main?.setContentSize(width, height);
      }, size);
    // On a busy computer Electron sometimes collects the promise of a call before Playwright has its result.
    await apply().catch((error: Error) => {
      if (!error.message.includes('garbage collected')) throw error;
      return apply();
    });
    await page.waitForFunction(({ width, height }) => innerWidth === width && innerHeight === height, size);
  };

  const takeSize = async (name: string, size: Size, page?: Page) => {
    const { page: main } = current();
    const seen = page ?? main;
    if (size !== 'usual') await resize(size);
    for (const theme of store.themes) {
      await ask(main, 'shell.setTheme', { theme });
      await seen.waitForFunction((wanted) => matchMedia(`(prefers-color-scheme: ${wanted})`).matches, theme);
      const fileName = `${name}${size === 'usual' ? '' : `-${size}`}-${theme}.png`;
      if (store.only?.has(fileName) === false) continue;
      await save(seen, join(store.dir, fileName), store.only !== null);
      taken.push(fileName);
      say(`  ${fileName}`);
    }
    if (size !== 'usual') await resize('usual');
  };

  const studio: Studio = {
    taken,
    service,
    relay,
    folder,
    async open(more = {}, profile) {
      await studio.close();
      runs += 1;
      const presets = { MEDIADESK_SITE: relay.baseUrl, MEDIADESK_CLIENT_ID: service.facts.client_id };
      const profileDir = profileDirOf(profile ?? String(runs));
      window = await openApp({ runtime, profileDir, env: { ...env, ...presets, ...more }, size: SIZES.usual });
      await resize('usual');
      return window;
    },
    async close() {
      await window?.close();
      window = null;
    },
    queueOf: (profile) => join(profileDirOf(profile), 'queue.db'),
    async answerDialogs(path) {
      await current().app.evaluate(({ dialog }, chosen) => {
        Object.assign(dialog, { showOpenDialog: async () => ({ canceled: false, filePaths: [chosen] }) });
      }, path);
    },
    async control(method, path, body) {
      const answer = await fetch(new URL(path, service.facts.control_url), {
        method,
        headers: {
          authorization: `Bearer ${service.facts.control_token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    },
    async take(name, page) {
      // A page of the library has a window of its own, which keeps its size.
      for (const size of page === undefined ? store.sizes : (['usual'] as const)) await takeSize(name, size, page);
    },
    async takeWide(name) {
      if (!store.sizes.includes('wide')) await takeSize(name, 'wide');
    },
    async takeFailure() {
      // While a window is being replaced, there is no picture: only the error of the scene is reported.
      if (window === null) return;
      const path = join(tmpdir(), 'mediadesk-screenshots-failure.png');
      await current().page.screenshot({ path });
      say(`What the window shows: ${path}`);
    },
    async dispose() {
      await studio.close();
      await relay.stop();
      await service.stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  return studio;
}

async function save(page: Page, path: string, isCommitted: boolean): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  const png = smallPng(await page.screenshot({ animations: 'disabled', caret: 'hide' }));
  if (isCommitted && png.length > MOST_BYTES)
    throw new Error(`${path} has ${png.length} bytes; at most ${MOST_BYTES} are allowed.`);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, png);
}
