// The first hour of a new user in the real app: what the walk by mouse and the one by keyboard share.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { expect } from 'vitest';
import { ask } from '../../../build/demo/window-steps.ts';
import type { ServiceProcess } from '../service/service-process.ts';
import { isLongRun } from '../test-extent.ts';
import { type DesktopApp, launchApp } from './desktop-app.ts';
import { createFocusProbe, cutOffIn } from './focus-probe.ts';

export type HourKind = 'mouse' | 'keyboard';

/** A window in which the hour is walked. `zoom` is a factor: CSS pixels become as much larger. */
export interface HourSize {
  name: string;
  width: number;
  height: number;
  zoom: number;
}

const HOUR_SIZES: readonly HourSize[] = [
  { name: '960x600', width: 960, height: 600, zoom: 1 },
  { name: '1280x800', width: 1280, height: 800, zoom: 1 },
  { name: '1920x1080', width: 1920, height: 1080, zoom: 1 },
  { name: '1280x800-zoom-200', width: 1280, height: 800, zoom: 2 },
];

/** The sizes in which an hour is walked: all in the long tests; otherwise by mouse those that are not walked by keyboard. */
export function hourSizes(kind: HourKind): readonly HourSize[] {
  return HOUR_SIZES.filter((_, index) => isLongRun || (index % 2 === 0) === (kind === 'mouse'));
}

/** Where to keep a picture of each step; none are taken without it. */
const PICTURES = process.env.MEDIADESK_WALK_PICTURES;
const STEP_MS = 20_000;
const ZOOM_STEPS_TO_DOUBLE = 5;

export interface Hour {
  desktop: DesktopApp;
  page: Page;
  size: HourSize;
  /** A name that no other walk uses: they share one service. */
  own(name: string): string;
  /** Writes a file of this name with contents that only this walk has. Returns its path. */
  file(name: string, contents?: string): Promise<string>;
  /** A new folder. */
  folder(name: string): Promise<string>;
  /** Native pickers answer with this path: Playwright can't reach them. */
  answerPicker(path: string): Promise<void>;
  /**
   * Ends a step: nothing reaches over an edge of the window, and the focus is on something. Takes a picture when the environment
   * asks for pictures.
   */
  step(name: string): Promise<void>;
  end(): Promise<void>;
}

/** Opens Mediadesk with a new profile in a window of this size. `kind` names the walk in pictures. */
export async function beginHour(service: ServiceProcess, size: HourSize, kind: HourKind): Promise<Hour> {
  const root = await mkdtemp(join(tmpdir(), 'mediadesk-hour-'));
  const { width, height } = size;
  const desktop = await launchApp({
    profileDir: join(root, 'profile'),
    env: { MEDIADESK_SITE: service.baseUrl, MEDIADESK_CLIENT_ID: service.clientId },
    size: { width, height },
  });
  const page = desktop.window;
  page.setDefaultTimeout(STEP_MS);
  if (size.zoom === 2) {
    for (let step = 0; step < ZOOM_STEPS_TO_DOUBLE; step += 1) await ask(page, 'shell.zoom', { change: 'in' });
  }
  await page.waitForFunction((wanted) => Math.abs(innerWidth - wanted) < 3, width / size.zoom);
  const probe = createFocusProbe(() => page);
  let steps = 0;
  return {
    desktop,
    page,
    size,
    own: (name) => `${name} ${size.name}`,
    async file(name, contents = name) {
      const path = join(root, name);
      await writeFile(path, `${contents} (${kind}, ${size.name})`);
      return path;
    },
    async folder(name) {
      const path = join(root, name);
      await mkdir(path);
      return path;
    },
    answerPicker: async (path) => {
      // The picker of the page is another one than that of the shell.
      page.removeAllListeners('filechooser');
      page.once('filechooser', (chooser) => void chooser.setFiles(path));
      await desktop.app.evaluate(({ dialog }, answer) => {
        Object.assign(dialog, { showOpenDialog: async () => ({ canceled: false, filePaths: [answer] }) });
      }, path);
    },
    async step(name) {
      steps += 1;
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (PICTURES !== undefined) {
        await mkdir(PICTURES, { recursive: true });
        const number = String(steps).padStart(2, '0');
        await writeFile(join(PICTURES, `${kind}-${size.name}-${number}-${name}.png`), await pictureOf(desktop));
      }
      expect(overflow, name).toBeLessThanOrEqual(0);
      // A drawer or a menu can still be closing.
      await expect.poll(() => cutOffIn(page), { message: name }).toEqual([]);
      await probe.expectFocus();
    },
    async end() {
      await desktop.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** The window as PNG. A screenshot of Playwright would show a part of a zoomed page only. */
async function pictureOf({ app }: DesktopApp): Promise<Buffer> {
  const png = await app.evaluate(async ({ BrowserWindow }) => {
    const image = await BrowserWindow.getAllWindows()[0]?.webContents.capturePage();
    return image?.toPNG().toString('base64') ?? '';
  });
  return Buffer.from(png, 'base64');
}
