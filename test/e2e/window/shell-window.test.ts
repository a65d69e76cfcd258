// The main window: its privileges, its menu before a sign-in, the pages that may use its bridge, and its restored position.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appCommand, type DesktopApp, launchApp } from '../../helpers/desktop/desktop-app.ts';
import { whenOverlayFocused } from '../../helpers/desktop/window-actions.ts';

const START_URL = 'app://mediadesk/index.html';

let desktop: DesktopApp;
beforeAll(async () => {
  desktop = await launchApp();
});
afterAll(() => desktop?.close());

describe('the window', () => {
  it('is sandboxed, isolated and without Node, and has no further privilege', async () => {
    const preferences = await desktop.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().map((window) => {
        // Electron has this for its own tests and leaves it out of its types.
        const contents = window.webContents as unknown as { getLastWebPreferences(): Record<string, unknown> };
        return { ...contents.getLastWebPreferences() };
      }),
    );
    expect(preferences).toHaveLength(1);
    expect(preferences[0]).toMatchObject({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      webviewTag: false,
      experimentalFeatures: false,
    });
    const harmless = [undefined, false, ''];
    for (const name of ['nodeIntegrationInWorker', 'navigateOnDragDrop', 'plugins', 'enableBlinkFeatures']) {
      expect(harmless).toContain(preferences[0]?.[name]);
    }
  });

  it('gives the page one object and nothing of Node or Electron', async () => {
    const seen = await desktop.window.evaluate(() => ({
      types: ['require', 'process', 'Buffer', 'module', 'global', 'ipcRenderer', 'electron'].map(
        (name) => typeof (globalThis as Record<string, unknown>)[name],
      ),
      bridge: Object.keys((globalThis as unknown as { mediadesk: object }).mediadesk).sort(),
      frozen: Object.isFrozen((globalThis as unknown as { mediadesk: object }).mediadesk),
    }));
    expect(new Set(seen.types)).toEqual(new Set(['undefined']));
    expect(seen.bridge).toEqual(['call', 'on', 'pathForFile', 'platform']);
    expect(seen.frozen).toBe(true);
  });

  it('passes only the data of an event to listeners', async () => {
    await desktop.window.evaluate(() => {
      const page = globalThis as unknown as {
        mediadesk: { on(name: string, listener: (...all: unknown[]) => void): () => void };
        heard: Promise<unknown[]>;
      };
      page.heard = new Promise((resolve) => {
        const dispose = page.mediadesk.on('onDidMenuCommand', (...all) => {
          dispose();
          resolve(all);
        });
      });
    });
    await desktop.app.evaluate(({ Menu }) => Menu.getApplicationMenu()?.getMenuItemById('refresh')?.click());
    const heard = await desktop.window.evaluate(() => (globalThis as unknown as { heard: Promise<unknown[]> }).heard);
    expect(heard).toEqual([{ command: 'refresh' }]);
  });
});

describe('the menu before a sign-in', () => {
  const menu = (id: string) =>
    desktop.app.evaluate(({ Menu }, item) => Menu.getApplicationMenu()?.getMenuItemById(item)?.click(), id);

  it('opens the dialogs about the app and its updates, and says that other entries need an account', async () => {
    const { window } = desktop;
    await menu('about');
    await window.getByRole('dialog', { name: 'About Mediadesk' }).waitFor();
    await whenOverlayFocused(window);
    await window.keyboard.press('Escape');
    await window.getByRole('dialog').waitFor({ state: 'detached' });
    // A newer version may be what makes the sign-in work.
    await menu('check-for-updates');
    const updates = window.getByRole('dialog', { name: 'Updates' });
    await updates.getByText('This build can’t update itself').waitFor();
    await whenOverlayFocused(window);
    await window.keyboard.press('Escape');
    await updates.waitFor({ state: 'detached' });
    await menu('show-settings');
    await window.getByText('You’re not signed in.').first().waitFor();
  });
});

describe('the bridge', () => {
  it('accepts calls only from the app’s own page', async () => {
    const reply = await desktop.app.evaluate(async ({ app, BrowserWindow }, url) => {
      const stranger = new BrowserWindow({
        show: false,
        webPreferences: {
          preload: `${app.getAppPath()}/out/preload/preload.cjs`,
          sandbox: true,
          contextIsolation: true,
        },
      });
      try {
        await stranger.loadURL(url);
        return (await stranger.webContents.executeJavaScript("mediadesk.call('sites.list', null)")) as unknown;
      } finally {
        stranger.destroy();
      }
    }, START_URL);
    expect(reply).toMatchObject({ ok: false, error: { code: 'input.invalid' } });
  });

  it('refuses a call that does not exist or has invalid input', async () => {
    const replies = await desktop.window.evaluate(async () => {
      const { mediadesk } = globalThis as unknown as {
        mediadesk: { call(name: unknown, input: unknown): Promise<{ ok: boolean; error?: { code: string } }> };
      };
      return Promise.all([
        mediadesk.call('no.such.call', null),
        mediadesk.call('__proto__', null),
        mediadesk.call('shell.openExternal', { url: 7 }),
        mediadesk.call('shell.openExternal', { url: 'file:///etc/passwd' }),
        mediadesk.call('shell.showInFolder', { path: 'relative' }),
      ]);
    });
    expect(replies.map((reply) => [reply.ok, reply.error?.code])).toEqual(Array(5).fill([false, 'input.invalid']));
  });
});

describe('a second start with the same profile', () => {
  it('shows the window of the running app, and ends its own process', async () => {
    await desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());
    const second = await appCommand(desktop.profileDir);
    const { stdout } = await promisify(execFile)(second.executablePath, second.args, { timeout: 60_000 });
    expect(stdout).toBe('');
    await desktop.window.waitForFunction(() => document.visibilityState === 'visible');
    const windows = await desktop.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().map((window) => window.isVisible()),
    );
    expect(windows).toEqual([true]);
  });
});

describe('the window after a restart', () => {
  it('has its previous position and size', async () => {
    const profileDir = await mkdtemp(join(tmpdir(), 'mediadesk-profile-'));
    try {
      const bounds = { x: 120, y: 90, width: 1100, height: 720 };
      const first = await launchApp({ profileDir });
      await first.app.evaluate(({ BrowserWindow }, wanted) => {
        BrowserWindow.getAllWindows()[0]?.setBounds(wanted);
      }, bounds);
      // The screen moves the window when it appears; the app stores its final position.
      const file = join(profileDir, 'window.json');
      await expect
        .poll(() => existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).bounds, { timeout: 60_000 })
        .toEqual(bounds);
      await first.close();
      expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ bounds });
      const second = await launchApp({ profileDir });
      const seen = await second.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds());
      await second.close();
      expect(seen).toEqual(bounds);
    } finally {
      await rm(profileDir, { recursive: true, force: true });
    }
  });
});
