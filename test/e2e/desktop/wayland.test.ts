// The window on Wayland, where a hidden window paints nothing and programs can't read the positions of their windows.
import type { ElectronApplication } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type DesktopApp, launchApp } from '../../helpers/desktop/desktop-app.ts';
import { startTrayPanel, type TrayPanel } from '../../helpers/desktop/fake-bus-desktop.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import { hasWeston, startWaylandScreen, type WaylandScreen } from '../../helpers/desktop/wayland-screen.ts';

const windows = (app: ElectronApplication) =>
  app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map((each) => ({ isVisible: each.isVisible(), isMinimized: each.isMinimized() })),
  );
const closeWindow = (app: ElectronApplication) =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
const startAgain = (app: ElectronApplication) =>
  app.evaluate(({ app: shell }) => shell.emit('second-instance', {}, ['mediadesk'], '/'));

const SHOWN = [{ isVisible: true, isMinimized: false }];
const HIDDEN = [{ isVisible: false, isMinimized: false }];
const MINIMIZED = [{ isVisible: false, isMinimized: true }];

describe.skipIf(!hasWeston)('on Wayland', () => {
  let screen: WaylandScreen;
  beforeAll(async () => {
    screen = await startWaylandScreen();
  });
  afterAll(() => screen.stop());

  it('the sign-in window is shown: a hidden one would never paint its first frame', async () => {
    let shown: unknown;
    const opened: SignedInApp = await openSignedInApp({
      launch: { ...screen.launch, asksUser: true },
      async beforeSignIn({ desktop }) {
        await desktop.app.evaluate(({ app }) => {
          const seen: string[] = [];
          Object.assign(globalThis, { __shown: seen });
          app.on('browser-window-created', (_event, window) => window.once('show', () => seen.push(window.getTitle())));
        });
      },
    });
    try {
      shown = await opened.desktop.app.evaluate(() => (globalThis as unknown as { __shown: string[] }).__shown);
      expect(shown).toEqual([expect.stringContaining('127.0.0.1')]);
      expect((await opened.page.screenshot()).length).toBeGreaterThan(1000);
    } finally {
      await opened.close();
    }
  });

  describe('the window', () => {
    let panel: TrayPanel | null = null;
    let desktop: DesktopApp;
    const open = async (background: boolean) => {
      desktop = await launchApp({ ...screen.launch, asksUser: true });
      expect(await windows(desktop.app)).toEqual(SHOWN);
      if (background) {
        await desktop.window.evaluate(() =>
          (window as unknown as { mediadesk: { call(name: string, input: unknown): Promise<unknown> } }).mediadesk.call(
            'shell.setDesktop',
            { patch: { whenClosed: 'background' } },
          ),
        );
      }
    };
    beforeEach(() => {
      panel = null;
    });
    afterEach(async () => {
      await desktop.kill();
      panel?.close();
    });

    it('is hidden behind the icon when it is closed, and back after a second start', async () => {
      panel = await startTrayPanel();
      await open(true);
      await expect.poll(() => panel?.items()).toHaveLength(1);
      await closeWindow(desktop.app);
      await expect.poll(() => windows(desktop.app)).toEqual(HIDDEN);
      await startAgain(desktop.app);
      await expect.poll(() => windows(desktop.app)).toEqual(SHOWN);
      await closeWindow(desktop.app);
      await expect.poll(() => windows(desktop.app)).toEqual(HIDDEN);
      await panel.choose('Show Mediadesk');
      await expect.poll(() => windows(desktop.app)).toEqual(SHOWN);
    });

    it('is minimized when it is closed and there is no icon, and back after a second start', async () => {
      await open(true);
      await closeWindow(desktop.app);
      await expect.poll(() => windows(desktop.app)).toEqual(MINIMIZED);
      await startAgain(desktop.app);
      await expect.poll(() => windows(desktop.app)).toEqual(SHOWN);
    });
  });
});
