// The reactions of the app to a start that is impossible, to its end, and to crashes.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { ask } from '../../../build/demo/window-steps.ts';
import type { CallOutput } from '../../../shared/contract/contract.ts';
import { appCommand, launchApp } from '../../helpers/desktop/desktop-app.ts';
import { openSignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import { createTestProfile } from '../../helpers/engine/engine-host.ts';

const anyone = { admin: { email_address: 'a@example.org', password: 'a' } };

describe('a profile that another process uses', () => {
  it('is not opened: the app reports it and ends with exit code 4', async () => {
    const profile = createTestProfile(anyone);
    const owner = await profile.open();
    try {
      const command = await appCommand(profile.dir);
      const child = spawn(command.executablePath, command.args, { stdio: ['ignore', 'ignore', 'pipe'] });
      const gone = new Promise<number | null>((resolve) => child.once('exit', resolve));
      try {
        let said = '';
        await new Promise<void>((resolve, reject) => {
          child.stderr.on('data', (chunk: Buffer) => {
            said += chunk.toString('utf8');
            if (said.includes('profile.in-use')) resolve();
          });
          child.once('exit', () => reject(new Error(`It ended without a message:\n${said}`)));
        });
        // The message box waits for the user; a request to quit has the same effect as its button.
        child.kill('SIGTERM');
        expect(await gone).toBe(4);
      } finally {
        child.kill('SIGKILL');
        await gone;
      }
      // The owner of the profile was not affected.
      expect(await owner.call('sites.list', null)).toEqual([]);
    } finally {
      await owner.stop();
      profile.remove();
    }
  });

  it('is free again as soon as the app has quit', async () => {
    const profile = createTestProfile(anyone);
    try {
      const app = await launchApp({ profileDir: profile.dir });
      await expect(profile.open()).rejects.toMatchObject({ code: 'profile.in-use' });
      await app.close();
      const engine = await profile.open();
      await engine.stop();
    } finally {
      profile.remove();
    }
  });
});

describe('a page that crashes', () => {
  it('is loaded again automatically, on the same engine', async () => {
    const desktop = await launchApp();
    try {
      // Playwright gives up on a crashed page permanently, so the test calls the new page through the main process.
      const reply = await desktop.app.evaluate(async ({ BrowserWindow }) => {
        const contents = BrowserWindow.getAllWindows()[0]?.webContents;
        if (!contents) throw new Error('There is no window.');
        const reloaded = new Promise((done) => contents.once('did-finish-load', () => done(undefined)));
        contents.forcefullyCrashRenderer();
        await reloaded;
        return (await contents.executeJavaScript(`new Promise((done) => {
          const look = () => document.documentElement.dataset.ready
            ? done(mediadesk.call('sites.list', null))
            : setTimeout(look, 10);
          look();
        })`)) as unknown;
      });
      expect(reply).toEqual({ ok: true, value: [] });
    } finally {
      await desktop.close();
    }
  });
});

describe('a page that hangs', () => {
  it('is asked about after a while, and loaded again when the user wants it', async () => {
    const desktop = await launchApp();
    try {
      const found = await desktop.app.evaluate(async ({ BrowserWindow, dialog }) => {
        const [window] = BrowserWindow.getAllWindows();
        if (!window) throw new Error('There is no window.');
        const { webContents } = window;
        const asked = new Promise<string>((resolve) => {
          dialog.showMessageBox = async (...args: unknown[]) => {
            const { message, detail } = args.at(-1) as { message: string; detail: string };
            resolve(`${message} ${detail}`);
            return { response: 0, checkboxChecked: false };
          };
        });
        const ended = new Promise<string>((resolve) =>
          webContents.once('render-process-gone', (_event, { reason }) => resolve(reason)),
        );
        const reloaded = new Promise<void>((resolve) => webContents.once('did-finish-load', () => resolve()));
        // Never resolves: the page does not get to its next task.
        void webContents.executeJavaScript('for (;;) {}').catch(() => undefined);
        // Chromium reports a hang when a page does not take what the user enters, which a test can't enter.
        webContents.emit('unresponsive');
        const [question, reason] = await Promise.all([asked, ended, reloaded]);
        return { question, reason };
      });
      expect(found.question).toBe('The window isn’t responding. Uploads, downloads and watched folders go on.');
      expect(['killed', 'crashed']).toContain(found.reason);
    } finally {
      await desktop.close();
    }
  });
});

describe('a page that crashes 20 times while files are uploaded', () => {
  it('is usable again each time, and no transfer is interrupted', async () => {
    const opened = await openSignedInApp({ service: { seed: 'demo' } });
    try {
      const { desktop, folder, page } = opened;
      const path = join(folder, 'long.txt');
      await writeFile(path, 'A long recording. '.repeat(200_000));
      const [site] = await ask<CallOutput<'sites.list'>>(page, 'sites.list', null);
      const found = await ask<CallOutput<'library.findCollections'>>(page, 'library.findCollections', {
        siteId: site?.id ?? '',
        text: 'Optics',
        limit: 1,
      });
      await ask(page, 'settings.set', { patch: { limitBytesPerSecond: 10_000 } });
      await ask(page, 'uploads.add', {
        siteId: site?.id ?? '',
        collectionId: found[0]?.collection.id ?? '',
        paths: [path],
      });
      const outcome = await desktop.app.evaluate(async ({ BrowserWindow, dialog }) => {
        // After some crashes in a minute, the system asks whether to open the page again.
        let asked = 0;
        Object.assign(dialog, {
          showMessageBox: async () => {
            asked += 1;
            return { response: 0, checkboxChecked: false };
          },
        });
        const contents = BrowserWindow.getAllWindows()[0]?.webContents;
        if (!contents) throw new Error('There is no window.');
        const uploads = () =>
          contents.executeJavaScript(`new Promise((done) => {
            const look = () => document.documentElement.dataset.ready
              ? mediadesk.call('uploads.list', {}).then(({ value }) => done(value.rows[0]))
              : setTimeout(look, 5);
            look();
          })`) as Promise<{ state: string; sentBytes: number; attempts: number }>;
        const seen: { state: string; sentBytes: number; attempts: number }[] = [await uploads()];
        for (let crash = 0; crash < 20; crash += 1) {
          const loaded = new Promise((done) => contents.once('did-finish-load', () => done(undefined)));
          contents.forcefullyCrashRenderer();
          await loaded;
          seen.push(await uploads());
        }
        return { asked, seen };
      });
      expect(outcome.asked).toBeGreaterThan(0);
      const sent = outcome.seen.map(({ sentBytes }) => sentBytes);
      // A transfer that started again would have sent less than before.
      expect(sent).toEqual([...sent].sort((a, b) => a - b));
      expect(outcome.seen.at(-1)).toMatchObject({ state: 'sending', attempts: 0 });
    } finally {
      await opened.close();
    }
  });
});

describe('an error in the main process that nothing handles', () => {
  it('leads to a report that the window names until the user dismisses it', async () => {
    const opened = await openSignedInApp({ service: { seed: 'demo' } });
    try {
      const faults = join(opened.folder, 'profile', 'faults');
      await opened.desktop.app.evaluate(() => {
        setTimeout(() => {
          throw new Error('A fault for this test.');
        });
      });
      const notice = (page: Page) =>
        page.getByRole('note').filter({ hasText: 'Something went wrong inside Mediadesk' });
      await notice(opened.page).waitFor();
      const [name = ''] = readdirSync(faults);
      const report = readFileSync(join(faults, name), 'utf8');
      expect(report).toContain('A fault for this test.');
      expect(report).toContain('shell.ready');
      const { page } = await opened.reopen();
      await notice(page).getByRole('button', { name: 'Dismiss' }).click();
      await notice(page).waitFor({ state: 'detached' });
      const again = await opened.reopen();
      expect(await ask(again.page, 'shell.faults', null)).toEqual([]);
    } finally {
      await opened.close();
    }
  });
});

describe('the log', () => {
  it('reports when the app was ready and how long that took', async () => {
    const profile = createTestProfile(anyone);
    try {
      const desktop = await launchApp({ profileDir: profile.dir });
      await desktop.close();
      const file = join(profile.dir, 'logs', 'mediadesk.log');
      expect(existsSync(file)).toBe(true);
      const lines = readFileSync(file, 'utf8').trim().split('\n');
      const events = lines.map((line) => JSON.parse(line) as { event: string; afterMs?: number });
      expect(events.find(({ event }) => event === 'shell.ready')?.afterMs).toBeGreaterThan(0);
    } finally {
      profile.remove();
    }
  });
});
