// Updates of the app, in the real window, from a server on this computer. The app runs as an AppImage would: the file that is
// replaced is a script, which notes that it was started.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ask, openView } from '../../../build/demo/window-steps.ts';
import type { CallOutput } from '../../../shared/contract/contract.ts';
import type { Feed } from '../../../shared/model/updates/feed-text.ts';
import { axeFindingsInThemes } from '../../helpers/desktop/axe.ts';
import { appCommand } from '../../helpers/desktop/desktop-app.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import { mayMount, mountSmallDisk, type SmallDisk } from '../../helpers/system/small-disk.ts';
import {
  type FeedServer,
  feedFile,
  makeFeed,
  makeFeedKeys,
  signedFeed,
  startFeedServer,
} from '../../helpers/updates/feed-server.ts';

type State = CallOutput<'shell.updates'>;
const NAME = 'Mediadesk-x86_64.AppImage';
const DAY = 24 * 3_600_000;

let server: FeedServer;
let folder: string;
let opened: SignedInApp;
beforeAll(async () => {
  server = await startFeedServer();
});
afterAll(() => server.close());

async function makeFolder(): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'mediadesk-updates-'));
}
async function closeAll(): Promise<void> {
  await opened?.close();
  await rm(folder, { recursive: true, force: true });
}

/** The old version: a script that notes that it was started, in `old-started`. */
const oldVersion = () => `#!/bin/sh\n: > '${folder}/old-started'\n`;

/** Starts the app from an AppImage at `path`; null: as an installed deb would. */
async function openFrom(path: string | null, hasFeed = true): Promise<void> {
  if (path !== null) writeFileSync(path, oldVersion(), { mode: 0o755 });
  const { executablePath } = await appCommand(folder);
  const env = {
    ...(hasFeed ? { MEDIADESK_UPDATE_FEED: server.url, MEDIADESK_UPDATE_KEYS: server.keys.publicKey } : {}),
    ...(path === null ? {} : { APPIMAGE: path, APPDIR: dirname(executablePath) }),
  };
  opened = await openSignedInApp({ service: { seed: 'demo' }, launch: { env } });
}

const state = () => ask<State>(opened.page, 'shell.updates', null);
const check = () => ask<State>(opened.page, 'shell.checkForUpdates', null);
const download = () => ask<State>(opened.page, 'shell.downloadUpdate', null);
const codeOf = ({ phase, problem }: State) => [phase, problem?.code ?? null];

/** A new version that notes its arguments in `started`. */
const newVersion = () =>
  Buffer.from(
    `#!/bin/sh\nprintf '%s\\n' "$@" > '${folder}/started.part'\nmv '${folder}/started.part' '${folder}/started'\n`,
  );

/** The server offers this content as the new version. */
function offer(content: Uint8Array, changes: Partial<Feed> = {}): void {
  server.put(NAME, content);
  server.putFeed(signedFeed(makeFeed({ files: [feedFile(NAME, content)], ...changes }), server.keys));
}

async function openUpdates(): Promise<void> {
  await openView(opened.page, 'Settings');
  await opened.page.getByRole('tab', { name: 'Updates' }).click();
}

/** The files in the folder for downloads that could be installed. */
const downloaded = () => {
  const pending = join(opened.folder, 'profile', 'updates', 'files', 'pending');
  return existsSync(pending) ? readdirSync(pending).filter((name) => name.includes('AppImage')) : [];
};

describe('an update', () => {
  beforeEach(makeFolder);
  afterEach(closeAll);

  it('is found, downloaded, installed by a restart and started, all in the window', async () => {
    const target = join(folder, 'Mediadesk.AppImage');
    await openFrom(target);
    const { page } = opened;
    const content = newVersion();
    offer(content, { releaseNotes: 'Faster uploads.\n<b>Not bold</b>' });

    await openUpdates();
    await page.getByRole('button', { name: 'Check now' }).click();
    await page.getByText('Version 0.2.0 is available').first().waitFor();
    expect(await page.getByTestId('update-notes').innerText()).toBe('Faster uploads.\n<b>Not bold</b>');
    expect(await page.getByTestId('update-line').innerText()).toBe('Version 0.2.0 is available');
    expect(server.asked.filter((path) => path.endsWith('.AppImage'))).toEqual([]);
    expect(await axeFindingsInThemes(page)).toEqual([]);

    await page.getByRole('button', { name: 'Download' }).click();
    await page.getByText('Version 0.2.0 is ready').first().waitFor();
    expect(readFileSync(target, 'utf8')).toBe(oldVersion());

    await page.getByRole('button', { name: 'Restart and update…' }).click();
    const child = opened.desktop.app.process();
    const question = page.getByRole('alertdialog');
    await question.waitFor();
    expect(await axeFindingsInThemes(page)).toEqual([]);
    await question.getByRole('button', { name: 'Restart and update' }).click();
    await expect.poll(() => existsSync(join(folder, 'started'))).toBe(true);
    expect(readFileSync(target).equals(content)).toBe(true);
    expect(readFileSync(join(folder, 'started'), 'utf8')).toContain(`--profile=${join(opened.folder, 'profile')}`);
    await expect.poll(() => child.exitCode ?? child.signalCode).not.toBeNull();
    expect(readdirSync(folder).sort()).toEqual(['Mediadesk.AppImage', 'started']);
  });

  it('waits while an upload runs, with the reason on its button', async () => {
    await openFrom(join(folder, 'Mediadesk.AppImage'));
    const { page, desktop } = opened;
    offer(newVersion());
    await check();
    expect(codeOf(await download())).toEqual(['ready', null]);
    await ask(page, 'settings.set', { patch: { limitBytesPerSecond: 20_000 } });
    const [site] = await ask<CallOutput<'sites.list'>>(page, 'sites.list', null);
    const siteId = site?.id ?? '';
    const [top] = await ask<CallOutput<'library.collections'>>(page, 'library.collections', { siteId, parentId: null });
    const path = join(opened.folder, 'lecture.bin');
    writeFileSync(path, randomBytes(400_000));
    await ask(page, 'uploads.add', { siteId, collectionId: top?.id, paths: [path] });
    await expect.poll(async () => (await state()).running?.uploads).toBe(1);

    await openUpdates();
    await page.getByText('Waits for 1 upload.').first().waitFor();
    expect(await axeFindingsInThemes(page)).toEqual([]);
    const button = page.getByRole('button', { name: 'Restart and update…' });
    expect(await button.getAttribute('aria-disabled')).toBe('true');
    await button.click({ force: true });
    expect(await page.getByRole('alertdialog').count()).toBe(0);
    await expect(ask(page, 'shell.installUpdate', null)).rejects.toThrow('update.busy');
    expect(desktop.app.process().exitCode).toBeNull();

    await ask(page, 'settings.set', { patch: { limitBytesPerSecond: null } });
    await expect.poll(async () => (await state()).running?.uploads).toBe(0);
    await page.getByText('The download was verified.').first().waitFor();
    expect(await button.getAttribute('aria-disabled')).toBeNull();
  });

  it('is only named where a package manager installs it', async () => {
    await openFrom(null);
    const { page } = opened;
    offer(newVersion(), { files: [feedFile('mediadesk_0.2.0_amd64.deb', Buffer.from('deb'))] });
    await openUpdates();
    await page.getByRole('button', { name: 'Check now' }).click();
    await page.getByText('Version 0.2.0 is available').first().waitFor();
    await page.getByText('Your system’s package manager installs it').waitFor();
    expect(await page.getByRole('button', { name: 'Download' }).count()).toBe(0);
    await expect(download()).rejects.toThrow('update.not-available');
  });

  it('is never looked for by a build that knows no server, which says so', async () => {
    const before = server.asked.length;
    await openFrom(join(folder, 'Mediadesk.AppImage'), false);
    const { page } = opened;
    await openUpdates();
    await page.getByText('This build can’t update itself').waitFor();
    expect(await page.getByRole('button', { name: 'Check now' }).count()).toBe(0);
    await expect(check()).rejects.toThrow('update.not-available');
    expect(server.asked.length).toBe(before);

    await page.getByRole('tab', { name: 'This computer' }).click();
    await page.getByRole('button', { name: 'About…' }).click();
    const about = page.getByRole('dialog', { name: 'About Mediadesk' });
    const { electron, node } = await desktopVersions();
    await about.getByText(electron, { exact: true }).waitFor();
    await about.getByText(node, { exact: true }).waitFor();
    await about.getByRole('button', { name: 'Show licenses' }).click();
    await about.getByText('This build has no list of licenses').waitFor();
    expect(await axeFindingsInThemes(page)).toEqual([]);
  });
});

const desktopVersions = () =>
  opened.desktop.app.evaluate(() => ({ ...process.versions }) as Record<'electron' | 'node', string>);

describe('what a server offers', () => {
  let target: string;
  beforeAll(async () => {
    await makeFolder();
    target = join(folder, 'Mediadesk.AppImage');
    await openFrom(target);
    await openUpdates();
  });
  afterAll(closeAll);
  beforeEach(() => {
    server.asked.length = 0;
    server.put(NAME, newVersion());
  });

  /** The window shows the state, the server was asked for nothing but the feed, and the old version is there. */
  async function expectNothingTaken(shown: string): Promise<void> {
    await opened.page.getByText(shown).first().waitFor();
    expect((await state()).offer).toBeNull();
    expect(server.asked).toEqual(['/updates/latest-linux.yml']);
    expect(readFileSync(target, 'utf8')).toBe(oldVersion());
    expect(downloaded()).toEqual([]);
  }

  it('is nothing when it has this version', async () => {
    server.putFeed(signedFeed(makeFeed({ version: '0.1.0' }), server.keys));
    expect(codeOf(await check())).toEqual(['current', null]);
    await expectNothingTaken('Mediadesk is up to date');
  });

  const text = (changes: Partial<Feed> = {}) => signedFeed(makeFeed(changes), server.keys);
  const dated = (ms: number) => new Date(Date.now() + ms).toISOString();
  const FORGED: readonly [string, () => string, string][] = [
    ['without a signature', () => text().replace(/signature: .*\n/, ''), 'update.feed-unsigned'],
    ['signed by a stranger', () => signedFeed(makeFeed(), makeFeedKeys()), 'update.signature-wrong'],
    ['with a changed version', () => text().replace('"0.2.0"', '"0.9.0"'), 'update.signature-wrong'],
    ['with a changed size', () => text().replace('"size":15', '"size":16'), 'update.signature-wrong'],
    ['with a member twice', () => text().replace('channel:', 'version: "0.9.0"\nchannel:'), 'update.feed-malformed'],
    ['with an unknown member', () => text().replace('channel:', 'packages: {}\nchannel:'), 'update.feed-malformed'],
    ['that is a web page', () => '<!doctype html>', 'update.feed-malformed'],
    ['that is too large', () => `${text()}${' '.repeat(70_000)}`, 'update.feed-too-large'],
    ['that is 31 days old', () => text({ releaseDate: dated(-31 * DAY) }), 'update.feed-expired'],
    ['from the future', () => text({ releaseDate: dated(2 * DAY) }), 'update.feed-in-future'],
    ['older than the one before', () => text({ releaseDate: dated(-DAY) }), 'update.feed-replayed'],
    ['for Windows', () => text({ platform: 'win32' }), 'update.other-system'],
    ['with an older version', () => text({ version: '0.0.9' }), 'update.version-older'],
    ['with a version that it blocks', () => text({ blocked: ['0.2.0'] }), 'update.version-blocked'],
    ['that blocks this version', () => text({ blocked: ['0.1.0'] }), 'update.own-version-blocked'],
    ['for newer versions', () => text({ minimumVersion: '0.1.9' }), 'update.version-too-new'],
    ['with a path', () => text({ files: [feedFile('../a.AppImage', Buffer.from('a'))] }), 'update.file-name-refused'],
    [
      'with another host',
      () => text({ files: [feedFile('//evil.test/a.AppImage', Buffer.from('a'))] }),
      'update.file-name-refused',
    ],
    ['without a file for it', () => text({ files: [] }), 'update.no-package'],
  ];
  it.each(FORGED)('is refused when it is a feed %s', async (_what, feed, code) => {
    server.putFeed(feed());
    const answer = await check();
    expect(codeOf(answer)).toEqual(['refused', code]);
    await expectNothingTaken(answer.problem?.message ?? '');
    await expect(ask(opened.page, 'shell.installUpdate', null)).rejects.toThrow('update.not-available');
  });

  it('is readable in both themes when it is refused', async () => {
    server.putFeed(signedFeed(makeFeed(), makeFeedKeys()));
    await check();
    await opened.page.getByText('The update was refused').waitFor();
    expect(await axeFindingsInThemes(opened.page)).toEqual([]);
  });

  it('is said to be missing when the server has no feed, has an error, or ends its answer early', async () => {
    server.putFeed((_request, response) => void response.writeHead(404).end());
    expect(codeOf(await check())).toEqual(['failed', 'update.no-feed']);
    server.putFeed((_request, response) => void response.writeHead(503).end());
    expect(codeOf(await check())).toEqual(['failed', 'update.unreachable']);
    server.putFeed((_request, response) => {
      response.writeHead(200, { 'content-length': 5_000 });
      response.write(text().slice(0, 500), () => response.destroy());
    });
    expect(codeOf(await check())).toEqual(['failed', 'update.download-cut']);
    server.putFeed((_request, response) => void response.writeHead(302, { location: 'ftp://127.0.0.1/' }).end());
    expect(codeOf(await check())).toEqual(['refused', 'update.address-insecure']);
  });

  it('is offered to someone who asks, also while it is meant for others', async () => {
    server.putFeed(text({ stagingPercentage: 0 }));
    expect(codeOf(await check())).toEqual(['available', null]);
  });

  it('is not kept when its file is another one, is cut, or is longer than signed', async () => {
    const content = newVersion();
    offer(content);
    await check();
    const other = Buffer.from(content);
    other[0] = 0;
    server.put(NAME, other);
    expect(codeOf(await download())).toEqual(['refused', 'update.file-differs']);
    server.put(NAME, Buffer.concat([content, Buffer.from('#')]));
    expect(codeOf(await download())).toEqual(['refused', 'update.file-differs']);
    server.put(NAME, (_request, response) => {
      response.writeHead(200, { 'content-length': content.length });
      response.write(content.subarray(0, 20), () => response.destroy());
    });
    expect(codeOf(await download())).toEqual(['failed', 'update.download-cut']);
    server.put(NAME, content.subarray(0, 20));
    expect(codeOf(await download())).toEqual(['failed', 'update.download-cut']);
    expect(downloaded()).toEqual([]);
    expect(readdirSync(folder)).toEqual(['Mediadesk.AppImage']);
    expect(readFileSync(target, 'utf8')).toBe(oldVersion());

    server.put(NAME, content);
    expect(codeOf(await download())).toEqual(['ready', null]);
    // It is withdrawn before it is installed.
    offer(content, { blocked: ['0.2.0'] });
    expect(codeOf(await check())).toEqual(['refused', 'update.version-blocked']);
    expect(downloaded()).toEqual([]);
    expect(readdirSync(folder)).toEqual(['Mediadesk.AppImage']);
    await expect(ask(opened.page, 'shell.installUpdate', null)).rejects.toThrow('update.not-available');
  });

  it('is remembered: the switch, the last check and the newest feed', async () => {
    await opened.page.getByRole('switch', { name: 'Look for updates' }).press('Space');
    await expect.poll(async () => (await state()).isAutomatic).toBe(false);
    const { checkedAt } = await state();
    const again = await opened.reopen();
    const after = await ask<State>(again.page, 'shell.updates', null);
    expect(after).toMatchObject({ isAutomatic: false, checkedAt, phase: 'unknown' });
    server.putFeed(text({ releaseDate: dated(-DAY) }));
    const answer = await ask<State>(again.page, 'shell.checkForUpdates', null);
    expect(codeOf(answer)).toEqual(['refused', 'update.feed-replayed']);
  });
});

describe.skipIf(!mayMount())('a drive with the app', () => {
  let disk: SmallDisk;
  beforeEach(async () => {
    await makeFolder();
    disk = mountSmallDisk(1);
  });
  afterEach(async () => {
    await closeAll();
    disk.remove();
  });
  const remount = (how: 'ro' | 'rw') => execFileSync('mount', ['-o', `remount,${how}`, disk.path]);

  it('keeps the old version while it is full or read-only, and lets it start again when the installation fails', async () => {
    const target = join(disk.path, 'Mediadesk.AppImage');
    await openFrom(target);
    offer(randomBytes(2_000_000));
    await check();
    expect(codeOf(await download())).toEqual(['failed', 'update.disk-full']);
    expect(readdirSync(disk.path)).toEqual(['Mediadesk.AppImage']);

    // Noticed before anything is downloaded.
    remount('ro');
    offer(newVersion());
    server.asked.length = 0;
    await check();
    expect(codeOf(await download())).toEqual(['failed', 'update.target-read-only']);
    expect(server.asked).toEqual(['/updates/latest-linux.yml']);

    remount('rw');
    expect(codeOf(await download())).toEqual(['ready', null]);
    remount('ro');
    const child = opened.desktop.app.process();
    await ask(opened.page, 'shell.installUpdate', null);
    await expect.poll(() => existsSync(join(folder, 'old-started'))).toBe(true);
    await expect.poll(() => child.exitCode ?? child.signalCode).not.toBeNull();
    expect(readFileSync(target, 'utf8')).toBe(oldVersion());

    const { page } = await opened.reopen();
    await page.getByText('The update wasn’t installed').waitFor();
    const after = await ask<State>(page, 'shell.updates', null);
    expect(codeOf(after)).toEqual(['failed', 'update.not-installed']);
    expect(after.problem?.details).toMatchObject({ code: 'update.target-read-only' });
  });
});
