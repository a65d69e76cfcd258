// Mediadesk without its window: closing, quitting, the icon in the tray, notifications and sleep.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ask, openView } from '../../../build/demo/window-steps.ts';
import type { CallOutput } from '../../../shared/contract/contract.ts';
import type { Desktop } from '../../../shared/contract/desktop.ts';
import {
  add,
  answerQuestions,
  closeWindow,
  endOf,
  leaveWindow,
  limitSpeed,
  questions,
  totals,
  whenSending,
  windowState,
} from '../../helpers/desktop/background-steps.ts';
import { appCommand } from '../../helpers/desktop/desktop-app.ts';
import {
  type NotificationDaemon,
  type SleepInhibitor,
  startLoginManager,
  startNotificationDaemon,
  startSessionManager,
  startTrayPanel,
  type TrayPanel,
} from '../../helpers/desktop/fake-bus-desktop.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import { answerNativeDialogs } from '../../helpers/desktop/window-actions.ts';
import { startService } from '../../helpers/service/service-process.ts';

let notifications: NotificationDaemon;
let sleep: SleepInhibitor;
beforeAll(async () => {
  notifications = await startNotificationDaemon();
  sleep = await startSessionManager();
});
afterAll(() => {
  notifications.close();
  sleep.close();
});

let opened: SignedInApp;
const open = async () => {
  opened = await openSignedInApp({ service: { seed: 'demo' }, launch: { asksUser: true } });
};

describe('on a desktop with a tray', () => {
  let panel: TrayPanel;
  beforeEach(async () => {
    panel = await startTrayPanel();
    await open();
    await expect.poll(() => panel.items()).toHaveLength(1);
  });
  afterEach(async () => {
    await opened.desktop.kill();
    await opened.close();
    panel.close();
  });

  it('closing the window asks once, then uploads continue behind the icon until a click shows the window', async () => {
    await limitSpeed(opened, 20_000);
    await add(opened, 3, 60_000);
    const labels = async () => (await panel.menu()).map(({ label }) => label);
    await whenSending(opened);
    await expect.poll(labels).toEqual(expect.arrayContaining([expect.stringMatching(/^3 uploads · \d+ %$/)]));
    await answerQuestions(opened, 'Keep running in the background', true);
    await closeWindow(opened);
    await expect.poll(() => windowState(opened)).toMatchObject({ isVisible: false });
    const [question, ...others] = await questions(opened);
    expect(others).toEqual([]);
    expect(question?.detail).toContain('3 uploads');
    expect(question?.detail).toContain('icon in the tray');

    await expect.poll(labels).toEqual(expect.arrayContaining([expect.stringMatching(/^3 uploads · \d+ %$/)]));
    await limitSpeed(opened, null);
    await expect.poll(async () => (await totals(opened.page)).counts.complete, { timeout: 300_000 }).toBe(3);
    await expect.poll(labels).toEqual(expect.arrayContaining(['Nothing to do']));

    await panel.choose('Show Mediadesk');
    await expect.poll(() => windowState(opened)).toMatchObject({ isVisible: true });
    // Remembered: the next time nothing is asked.
    await closeWindow(opened);
    await expect.poll(() => windowState(opened)).toMatchObject({ isVisible: false });
    expect(await questions(opened)).toHaveLength(1);
  });

  it('the menu of the icon pauses and resumes the uploads', async () => {
    await panel.choose('Pause uploads');
    await expect.poll(async () => (await totals(opened.page)).paused).toBe(true);
    await expect.poll(async () => (await panel.menu()).map(({ label }) => label)).toContain('Resume uploads');
    await panel.choose('Resume uploads');
    await expect.poll(async () => (await totals(opened.page)).paused).toBe(false);
  });

  it('the window is back in the taskbar when the tray ends while it is hidden', async () => {
    await ask(opened.page, 'shell.setDesktop', { patch: { whenClosed: 'background' } });
    await closeWindow(opened);
    await expect.poll(() => windowState(opened)).toMatchObject({ isVisible: false });
    panel.close();
    // Without a window manager, a minimized window stays visible.
    await expect.poll(() => windowState(opened)).toMatchObject({ isVisible: true });
    expect((await ask<Desktop>(opened.page, 'shell.desktop', null)).background).toBe('minimized');
  });

  it('a second start shows the hidden window', async () => {
    await ask(opened.page, 'shell.setDesktop', { patch: { whenClosed: 'background' } });
    await closeWindow(opened);
    await expect.poll(() => windowState(opened)).toMatchObject({ isVisible: false });
    await opened.desktop.app.evaluate(({ app }) => app.emit('second-instance', {}, ['mediadesk'], '/'));
    await expect.poll(() => windowState(opened)).toMatchObject({ isVisible: true });
  });

  it('quitting names the file that starts again, and quits by itself when the uploads have ended', async () => {
    await limitSpeed(opened, 20_000);
    await add(opened, 1, 60_000);
    await whenSending(opened);
    await answerQuestions(opened, 'Don’t quit');
    await opened.desktop.app.evaluate(({ app }) => app.quit());
    await expect.poll(() => questions(opened)).toHaveLength(1);
    const [question] = await questions(opened);
    expect(question?.message).toBe('Quit before 1 upload is finished?');
    expect(question?.detail).toContain('This file starts again from the beginning: lecture-1.txt.');
    expect(await windowState(opened)).toMatchObject({ isVisible: true });

    const hasQuit = endOf(opened);
    await answerQuestions(opened, 'Quit when finished');
    await opened.desktop.app.evaluate(({ app }) => app.quit());
    await expect.poll(() => windowState(opened)).toMatchObject({ isVisible: false });
    const isChecked = async () => (await panel.menu()).find(({ label }) => label === 'Quit when finished')?.isChecked;
    await expect.poll(isChecked).toBe(true);
    await limitSpeed(opened, null);
    await expect.poll(hasQuit, { timeout: 300_000 }).toBe(true);
    const again = await opened.reopen();
    expect((await totals(again.page)).counts.complete).toBe(1);
  });

  it('one notification reports the batch when it has ended, and a click shows it', async () => {
    await leaveWindow(opened);
    const before = notifications.shown.length;
    const [taken, held] = [sleep.taken(), sleep.held()];
    await add(opened, 12, 2_000);
    await expect.poll(() => notifications.shown.length, { timeout: 300_000 }).toBe(before + 1);
    const shown = notifications.shown.at(-1);
    expect(shown?.title).toBe('12 uploads complete');
    await openView(opened.page, 'Watched folders');
    notifications.click(shown?.id ?? 0);
    await opened.page.locator('[data-upload-id]').first().waitFor();
    // Taken while bytes moved, and given back.
    expect(sleep.taken()).toBeGreaterThan(taken);
    await expect.poll(() => sleep.held()).toBe(held);
  });
});

describe('what reaches Mediadesk from outside', () => {
  beforeAll(open);
  afterAll(() => opened.close());

  const startAgain = ({ desktop }: SignedInApp, args: readonly string[]) =>
    desktop.app.evaluate(({ app }, given) => app.emit('second-instance', {}, ['mediadesk', ...given], '/'), args);

  it('files of a second start are offered in the sheet for uploads, and nothing is added by itself', async () => {
    const path = join(opened.folder, 'interview.txt');
    await writeFile(path, 'An interview.');
    await startAgain(opened, ['--enable-logging', path, `file://${path}`, 'javascript:alert(1)']);
    const { page } = opened;
    await page.getByRole('dialog').waitFor();
    await page.getByRole('dialog').getByText('interview.txt').first().waitFor();
    expect((await totals(page)).counts.queued).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('a link to an item shows the item; a link to another library says that nobody is signed in there', async () => {
    const { page, service } = opened;
    const [site] = await ask<CallOutput<'sites.list'>>(page, 'sites.list', null);
    const { rows } = await ask<CallOutput<'library.mediaWindow'>>(page, 'library.mediaWindow', {
      query: { siteId: site?.id ?? '' },
      offset: 0,
      limit: 1,
    });
    const [item] = rows;
    const link = (library: string) => `mediadesk://open?library=${encodeURIComponent(library)}&item=${item?.id}`;
    await startAgain(opened, [link(service.baseUrl)]);
    await page
      .locator('[data-inspector]')
      .getByText(item?.title ?? '')
      .first()
      .waitFor();
    // The player would stay in front of what the next link shows.
    await page.getByRole('grid', { name: 'Items' }).getByRole('row').nth(1).click();
    await page.keyboard.press('Space');
    await page.getByRole('dialog').waitFor();
    await startAgain(opened, [link(service.baseUrl)]);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await startAgain(opened, ['mediadesk://delete?everything']);
    await page.getByText('Mediadesk doesn’t understand this link.').first().waitFor();
    await startAgain(opened, [link('https://elsewhere.example')]);
    await page.getByText('This link leads to elsewhere.example').first().waitFor();
  });

  it('starts at login after it was switched on in the settings, and the settings name the file that says so', async () => {
    const { page } = opened;
    await openView(page, 'Settings');
    await page.getByRole('tab', { name: 'Desktop' }).click();
    const atLogin = page.getByRole('switch', { name: 'Start at login' });
    await atLogin.press('Space');
    const file = join(process.env.XDG_CONFIG_HOME ?? '', 'autostart', 'org.mediadesk.Mediadesk.desktop');
    await page.getByText(file).waitFor();
    expect(await readFile(file, 'utf8')).toMatch(/^Exec=".+" .*"--hidden"$/m);
    await page.locator('label').filter({ has: atLogin }).click();
    await expect.poll(() => existsSync(file)).toBe(false);
  });
});

describe('a start at login', () => {
  it('opens no window: the icon leads to it', async () => {
    const panel = await startTrayPanel();
    const profileDir = await mkdtemp(join(tmpdir(), 'mediadesk-hidden-'));
    const { executablePath, args } = await appCommand(profileDir, ['--hidden']);
    const child = spawn(executablePath, args, { stdio: 'ignore' });
    const gone = new Promise((resolve) => child.once('exit', resolve));
    try {
      const windows = () => execFileSync('xwininfo', ['-root', '-tree'], { encoding: 'utf8' });
      await expect.poll(() => panel.items()).toHaveLength(1);
      await expect.poll(async () => (await panel.menu())[0]?.label).toBe('Nothing to do');
      // The engine runs: its profile belongs to this process.
      await expect.poll(() => readFileSync(join(profileDir, 'logs', 'mediadesk.log'), 'utf8')).toContain('shell.ready');
      expect(windows()).not.toMatch(/"Mediadesk": \("mediadesk/i);
      await panel.choose('Show Mediadesk');
      await expect.poll(windows).toMatch(/"Mediadesk": \(/);
      // It may end before it answers.
      await panel.choose('Quit Mediadesk').catch(() => undefined);
      expect(await gone).toBe(0);
    } finally {
      child.kill('SIGKILL');
      await gone;
      panel.close();
      await rm(profileDir, { recursive: true, force: true });
    }
  });

  it('shows a window whose first frame Electron does not report', async () => {
    const panel = await startTrayPanel();
    const profileDir = await mkdtemp(join(tmpdir(), 'mediadesk-frame-'));
    const app = await _electron.launch({ ...(await appCommand(profileDir, ['--hidden'])), colorScheme: null });
    const log = () => readFileSync(join(profileDir, 'logs', 'mediadesk.log'), 'utf8');
    try {
      await expect.poll(() => panel.items()).toHaveLength(1);
      await app.evaluate(({ app: shell }) => {
        shell.once('browser-window-created', (_event, window) => {
          const emit = window.emit.bind(window);
          window.emit = (name: string | symbol, ...rest: unknown[]) =>
            name !== 'ready-to-show' && emit(name as never, ...(rest as []));
        });
      });
      await panel.choose('Show Mediadesk');
      await expect
        .poll(() => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map((each) => each.isVisible())))
        .toEqual([true]);
      expect(log()).toContain('shell.first-frame-missing');
    } finally {
      app.process().kill('SIGKILL');
      panel.close();
      await rm(profileDir, { recursive: true, force: true, maxRetries: 5 });
    }
  });

  it('reports a sign-in that ended meanwhile', async () => {
    const panel = await startTrayPanel();
    const signedIn = await openSignedInApp({ service: { seed: 'demo' } });
    const profileDir = join(signedIn.folder, 'profile');
    await signedIn.desktop.close();
    await signedIn.service.stop();
    // Another library at the same address doesn't know the tokens.
    const other = await startService({ seed: 'demo', port: Number(new URL(signedIn.service.baseUrl).port) });
    const before = notifications.shown.length;
    const { executablePath, args } = await appCommand(profileDir, ['--hidden']);
    const child = spawn(executablePath, args, { stdio: 'ignore' });
    const gone = new Promise((resolve) => child.once('exit', resolve));
    try {
      await expect.poll(() => notifications.shown.at(before)?.title).toBe('Sign in to your library again');
    } finally {
      child.kill('SIGKILL');
      await gone;
      await other.stop();
      await signedIn.close();
      panel.close();
    }
  });
});

describe('a computer that sleeps', () => {
  it('is noticed when it wakes: the queue continues at once', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mediadesk-bus-'));
    const computer = await startLoginManager(folder);
    opened = await openSignedInApp({ launch: { env: { DBUS_SYSTEM_BUS_ADDRESS: computer.address } } });
    try {
      const log = () => readFileSync(join(opened.desktop.profileDir, 'logs', 'mediadesk.log'), 'utf8');
      computer.sleep();
      computer.wake();
      await expect.poll(log).toContain('"event":"engine.came-back","cause":"woke"');
    } finally {
      await opened.close();
      await computer.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describe('a complete download', () => {
  it('can be dragged out of the window as a file', async () => {
    await open();
    try {
      const { desktop, page, folder } = opened;
      await add(opened, 1, 500);
      await expect.poll(async () => (await totals(page)).counts.complete, { timeout: 300_000 }).toBe(1);
      const { rows } = await ask<CallOutput<'uploads.list'>>(page, 'uploads.list', {});
      const [row] = rows;
      await answerNativeDialogs(desktop, folder);
      await ask(page, 'shell.chooseFolder', { title: 'Download' });
      await ask(page, 'downloads.start', {
        siteId: row?.siteId ?? '',
        files: [{ mediaId: row?.mediaId ?? '', fileId: null }],
        folder,
      });
      const downloads = () => ask<CallOutput<'downloads.list'>>(page, 'downloads.list', null);
      await expect.poll(async () => (await downloads())[0]?.state).toBe('complete');
      await desktop.app.evaluate(({ BrowserWindow }) => {
        const contents = BrowserWindow.getAllWindows()[0]?.webContents;
        if (contents === undefined) throw new Error('There is no window.');
        Object.assign(contents, {
          startDrag: (item: { file: string }) => Object.assign(globalThis, { __dragged: item }),
        });
      });
      const [download] = await downloads();
      await ask(page, 'shell.dragDownload', { id: download?.id ?? '' });
      const dragged = await desktop.app.evaluate(
        () => (globalThis as unknown as { __dragged: { file: string } }).__dragged,
      );
      expect(dragged.file).toBe(download?.path);
      await expect(ask(page, 'shell.dragDownload', { id: 'another' })).rejects.toThrow();
    } finally {
      await opened.close();
    }
  });
});

describe('on a desktop without a tray', () => {
  beforeEach(open);
  afterEach(async () => {
    await opened.desktop.kill();
    await opened.close();
  });

  it('closing the window says that it is minimized, and never hides it', async () => {
    await limitSpeed(opened, 20_000);
    await add(opened, 1, 3_000_000);
    await whenSending(opened);
    await answerQuestions(opened, 'Keep running in the background');
    await closeWindow(opened);
    await expect.poll(() => questions(opened)).toHaveLength(1);
    expect((await questions(opened))[0]?.detail).toContain('no tray icons');
    expect(await windowState(opened)).not.toBeNull();
    const hasQuit = endOf(opened);
    await answerQuestions(opened, 'Quit');
    await closeWindow(opened);
    await expect.poll(hasQuit).toBe(true);
  });

  it('closing the window quits without a question when nothing runs', async () => {
    const hasQuit = endOf(opened);
    await answerQuestions(opened, 'Cancel');
    await closeWindow(opened);
    await expect.poll(hasQuit).toBe(true);
  });
});
