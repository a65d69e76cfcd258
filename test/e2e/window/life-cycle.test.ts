// The reactions of the app to a start that is impossible, to its end, and to crashes.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { appCommand, launchApp } from '../../helpers/desktop/desktop-app.ts';
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
