// What Linux desktops do to the window and show of it: taskbars, tray icons, screens, window managers, sleep.
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openView } from '../../../build/demo/window-steps.ts';
import { endProcess, spawnOwned } from '../../../build/desktop/service.ts';
import { findProgram } from '../../../build/processes.ts';
import {
  add,
  answerQuestions,
  closeWindow,
  leaveWindow,
  limitSpeed,
  questions,
  totals,
  whenSending,
  windowState,
} from '../../helpers/desktop/background-steps.ts';
import { appCommand } from '../../helpers/desktop/desktop-app.ts';
import { startNotificationDaemon, startTrayPanel } from '../../helpers/desktop/fake-bus-desktop.ts';
import { hasLauncherLibrary, startLauncher } from '../../helpers/desktop/fake-launcher.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';

const missing: string[] = [];
for (const name of ['xrandr', 'openbox', 'xdotool']) if ((await findProgram(name)) === undefined) missing.push(name);
if (missing.length > 0) console.warn(`Not installed: ${missing.join(', ')}. Their tests are skipped.`);
const has = (...names: string[]) => !names.some((name) => missing.includes(name));

let opened: SignedInApp;
const open = async (launch: { env?: Record<string, string>; asksUser?: boolean } = { asksUser: true }) => {
  opened = await openSignedInApp({ service: { seed: 'demo' }, launch });
};
const close = async () => {
  await opened.desktop.kill();
  await opened.close();
};
const log = () => readFileSync(join(opened.desktop.profileDir, 'logs', 'mediadesk.log'), 'utf8');

describe('the icon in the taskbar', () => {
  afterEach(close);

  it.skipIf(!hasLauncherLibrary)(
    'shows the sent share while files are uploaded, then the number that need the user',
    async () => {
      const launcher = await startLauncher();
      try {
        await open();
        await limitSpeed(opened, 20_000);
        await add(opened, 2, 60_000);
        await whenSending(opened);
        await expect.poll(() => launcher.states.at(-1)?.progress).toBeGreaterThan(0);
        // This one disappears before it is sent.
        rmSync(join(opened.folder, 'lecture-2.txt'));
        await limitSpeed(opened, null);
        await expect.poll(async () => (await totals(opened.page)).counts.complete, { timeout: 300_000 }).toBe(1);
        await expect.poll(() => launcher.states.at(-1)).toMatchObject({ progress: null, count: 1 });
        expect(launcher.states.map(({ progress }) => progress ?? 0).filter((share) => share < 0 || share > 1)).toEqual(
          [],
        );
      } finally {
        launcher.close();
      }
    },
  );
});

describe('a desktop with a watcher of tray icons and no host that shows them', () => {
  it('gets no icon, and the window is minimized instead of hidden', async () => {
    const leftover = await startTrayPanel(false);
    try {
      await open();
      const { background } = (await opened.page.evaluate(() =>
        (
          window as unknown as { mediadesk: { call(name: string, input: unknown): Promise<{ value: unknown }> } }
        ).mediadesk
          .call('shell.desktop', null)
          .then(({ value }) => value),
      )) as { background: string };
      expect(background).toBe('minimized');
      expect(leftover.items()).toEqual([]);
    } finally {
      await close();
      leftover.close();
    }
  });
});

describe('a screen that is disconnected', () => {
  afterEach(async () => {
    await close();
    execFileSync('xrandr', ['--output', 'screen', '--mode', '1920x1080']);
  });

  it.skipIf(!has('xrandr'))('leaves no window behind: its title bar is on a screen again', async () => {
    await open();
    const bounds = () =>
      opened.desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds());
    await opened.desktop.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.setBounds({ x: 1100, y: 800, width: 800, height: 600 }),
    );
    await expect.poll(bounds).toMatchObject({ x: 1100, y: 800 });
    execFileSync('xrandr', ['--newmode', 'small', '60', ...Array(4).fill('1024'), ...Array(4).fill('768')]);
    execFileSync('xrandr', ['--addmode', 'screen', 'small']);
    execFileSync('xrandr', ['--output', 'screen', '--mode', 'small']);
    await expect.poll(async () => ((await bounds())?.x ?? 9999) + 400).toBeLessThan(1024);
    expect((await bounds())?.y).toBeLessThan(768);
  });
});

describe('a window manager', () => {
  it.skipIf(!has('openbox', 'xdotool'))('puts the window in front when Mediadesk is started again', async () => {
    const manager = await spawnOwned('openbox', [], { stdio: 'ignore' });
    const other = await spawnOwned('xev', ['-name', 'Another program'], { stdio: 'ignore' });
    const active = () => {
      try {
        return execFileSync('xdotool', ['getactivewindow', 'getwindowname'], {
          encoding: 'utf8',
          stdio: 'pipe',
        }).trim();
      } catch {
        return null;
      }
    };
    try {
      await open();
      await opened.desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.minimize());
      await expect.poll(() => windowState(opened)).toMatchObject({ isMinimized: true });
      execFileSync('xdotool', ['search', '--sync', '--name', 'Another program', 'windowactivate', '--sync']);
      expect(active()).toBe('Another program');
      const { executablePath, args } = await appCommand(opened.desktop.profileDir);
      const second = spawn(executablePath, args, { stdio: 'ignore' });
      expect(await new Promise((resolve) => second.once('exit', resolve))).toBe(0);
      await expect.poll(active).toBe('Mediadesk');
      expect(await windowState(opened)).toMatchObject({ isVisible: true, isMinimized: false });
    } finally {
      await close();
      await endProcess(other);
      await endProcess(manager);
    }
  });
});

describe('a notification', () => {
  let notifications: Awaited<ReturnType<typeof startNotificationDaemon>>;
  beforeEach(async () => {
    notifications = await startNotificationDaemon();
    await open();
  });
  afterEach(async () => {
    await close();
    notifications.close();
  });

  it('is not urgent and asks for no sound, and its click works after the program has tidied its memory', async () => {
    await leaveWindow(opened);
    await add(opened, 1, 500);
    await expect.poll(() => notifications.shown.length, { timeout: 300_000 }).toBe(1);
    const [shown] = notifications.shown;
    expect([null, 0, 1]).toContain(shown?.urgency);
    expect(shown?.hasSound).toBe(false);
    await opened.desktop.app.evaluate(async () => {
      const { setFlagsFromString } = process.getBuiltinModule('node:v8');
      const { runInNewContext } = process.getBuiltinModule('node:vm');
      setFlagsFromString('--expose-gc');
      const collect = runInNewContext('gc') as () => void;
      for (let round = 0; round < 3; round += 1) collect();
    });
    await opened.page
      .getByRole('tab', { name: 'Watched folders' })
      .or(opened.page.getByText('Watched folders'))
      .first()
      .click();
    notifications.click(shown?.id ?? 0);
    await opened.page.locator('[data-upload-id]').first().waitFor();
  });
});

describe('a desktop that keeps no computer awake', () => {
  it('gets the lock of systemd, which ends when no byte moves any more', async () => {
    const folder = join(process.env.XDG_RUNTIME_DIR ?? '', 'programs');
    const held = join(folder, 'held');
    mkdirSync(folder);
    // systemd-inhibit holds its lock as long as the program runs that it starts.
    writeFileSync(join(folder, 'systemd-inhibit'), `#!/bin/sh\necho "$@" > ${held}\nshift 4\n"$@"\nrm ${held}\n`);
    chmodSync(join(folder, 'systemd-inhibit'), 0o755);
    await open({ env: { PATH: `${folder}:${process.env.PATH}` } });
    try {
      await limitSpeed(opened, 20_000);
      await add(opened, 1, 60_000);
      await expect.poll(() => existsSync(held) && readFileSync(held, 'utf8')).toContain('--what=idle');
      await limitSpeed(opened, null);
      await expect.poll(async () => (await totals(opened.page)).counts.complete, { timeout: 300_000 }).toBe(1);
      await expect.poll(() => existsSync(held)).toBe(false);
    } finally {
      await close();
    }
  });
});

describe('the end of a session on Windows', () => {
  it('asks nothing, and leaves a complete log and every upload in the queue', async () => {
    await open();
    try {
      await limitSpeed(opened, 20_000);
      await add(opened, 1, 3_000_000);
      await whenSending(opened);
      await answerQuestions(opened, 'Cancel');
      const child = opened.desktop.app.process();
      const gone = new Promise((resolve) => child.once('exit', resolve));
      // Windows reports it to the window, and ends the program a moment later.
      await opened.desktop.app.evaluate(({ BrowserWindow }) => {
        BrowserWindow.getAllWindows()[0]?.emit('session-end', {});
      });
      await closeWindow(opened);
      expect(await questions(opened).catch(() => [])).toEqual([]);
      await gone;
      expect(log()).toContain('shell.ready');
      const again = await opened.reopen();
      const { counts } = await totals(again.page);
      await again.desktop.kill();
      expect(counts.complete).toBe(0);
      expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(1);
    } finally {
      await close();
    }
  });
});

describe('an AppImage', () => {
  it('is put into the menu and opens links after the user switched that on in the settings', async () => {
    const { executablePath } = await appCommand('');
    // The variables that the starter of an AppImage sets; without them there is no such setting.
    await open({ env: { APPIMAGE: '/home/a/Mediadesk.AppImage', APPDIR: dirname(executablePath) } });
    try {
      const { page } = opened;
      await openView(page, 'Settings');
      await page.getByRole('tab', { name: 'Desktop' }).click();
      const inMenu = page.getByRole('switch', { name: 'Menu and links' });
      await inMenu.press('Space');
      const file = join(process.env.XDG_DATA_HOME ?? '', 'applications', 'org.mediadesk.Mediadesk.desktop');
      await page.getByText(file).waitFor();
      expect(readFileSync(file, 'utf8')).toContain('Exec="/home/a/Mediadesk.AppImage" %U');
      const query = ['query', 'default', 'x-scheme-handler/mediadesk'];
      expect(execFileSync('xdg-mime', query, { encoding: 'utf8' }).trim()).toBe('org.mediadesk.Mediadesk.desktop');
      await page.locator('label').filter({ has: inMenu }).click();
      await expect.poll(() => existsSync(file)).toBe(false);
    } finally {
      await close();
    }
  });
});
