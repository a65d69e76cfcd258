// The main job in the window: the real app in a real Electron, the real service, the real Secret Service.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { seenStates, watchStates } from '../../../build/demo/seen-states.ts';
import {
  addDropped,
  ask,
  chooseCollection,
  decide,
  dropFiles,
  expandBatches,
  keepSidecarsApart,
  listUploads,
  openSignIn,
  openView,
  typeCredentials,
  whenReady,
  whenSignedIn,
} from '../../../build/demo/window-steps.ts';
import { makeSamples, type Sample } from '../../../build/samples/make-samples.ts';
import type { CallOutput } from '../../../shared/contract/contract.ts';
import type { UploadRow } from '../../../shared/contract/uploads.ts';
import { type DesktopApp, launchApp } from '../../helpers/desktop/desktop-app.ts';
import { clearJournal, journalOf } from '../../helpers/service/journal.ts';
import { type ServiceProcess, startService } from '../../helpers/service/service-process.ts';
import { type Eavesdropper, eavesdrop } from '../../helpers/wire/eavesdropper.ts';

const COLLECTION = 'Optics';

let folder: string;
let samplesDir: string;
let samples: Sample[];
let service: ServiceProcess;
let profileDir: string;
let desktop: DesktopApp | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mediadesk-uploads-'));
  samplesDir = join(folder, 'recordings');
  samples = await makeSamples(samplesDir, { ffmpeg: 'auto', sizes: 'small' });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

beforeEach(async () => {
  profileDir = await mkdtemp(join(folder, 'profile-'));
  service = await startService({ seed: 'demo' });
});
afterEach(async () => {
  await desktop?.close();
  desktop = undefined;
  await service?.stop();
});

async function openWindow(baseUrl = service.baseUrl): Promise<Page> {
  desktop = await launchApp({
    profileDir,
    env: { MEDIADESK_SITE: baseUrl, MEDIADESK_CLIENT_ID: service.clientId },
    size: { width: 1280, height: 800 },
  });
  await whenReady(desktop.window);
  return desktop.window;
}

async function signInByTyping(page: Page, baseUrl = service.baseUrl): Promise<void> {
  if (!desktop) throw new Error('The window is not open.');
  const signIn = await openSignIn(desktop.app, page, { baseUrl, clientId: service.clientId });
  await typeCredentials(signIn, service.admin);
  await decide(signIn, 'approve');
  await whenSignedIn(page);
}

async function dropRecordings(page: Page): Promise<void> {
  await chooseCollection(page, COLLECTION);
  await dropFiles(page, [samplesDir]);
  await keepSidecarsApart(page);
  await watchStates(page);
  await addDropped(page);
}

/** Slows down every later transfer, so that the test can act during a transfer. */
function slowTransfers(ms: number): Promise<unknown> {
  return service.control('POST', '/faults', {
    method: 'POST',
    path: '^/upload/',
    times: null,
    action: { kind: 'delay', ms },
  });
}

/** Waits until the window shows at least `count` rows in this state. */
async function whenShown(page: Page, state: string, count = 1): Promise<void> {
  await page
    .locator(`[data-upload-id][data-state="${state}"]`)
    .nth(count - 1)
    .waitFor({ timeout: 300_000 });
}

/** Checks that the bytes of every recording are in the library, each exactly once. */
async function expectAllStoredOnce(page: Page): Promise<void> {
  const uploads = await listUploads(page);
  expect(uploads.map(({ fileName }) => fileName).sort()).toEqual(samples.map(({ fileName }) => fileName).sort());
  for (const upload of uploads) {
    const sample = samples.find(({ path }) => path === upload.path);
    const stored = await service.control<{ sha256: string; size: number }>('GET', `/files/${upload.fileId}/sha256`);
    expect({ name: upload.fileName, state: upload.state, ...stored }).toMatchObject({
      state: 'complete',
      sha256: sample?.sha256,
      size: sample?.size,
    });
  }
  const [site] = await ask<CallOutput<'sites.list'>>(page, 'sites.list', null);
  const [row] = await ask<UploadRow[]>(page, 'uploads.list', {
    filter: 'all',
    batchId: null,
    offset: 0,
    limit: 1,
  }).then((list) => (list as unknown as { rows: UploadRow[] }).rows);
  const query = {
    siteId: site?.id,
    collectionId: row?.collectionId,
    search: '',
    type: null,
    status: null,
    sort: 'created_on',
    order: 'desc',
  };
  await ask(page, 'library.refresh', { siteId: site?.id });
  const list = await ask<CallOutput<'library.mediaWindow'>>(page, 'library.mediaWindow', {
    query,
    offset: 0,
    limit: 200,
  });
  const titles = list.rows.map(({ title }) => title);
  for (const title of new Set(samples.map(({ fileName }) => fileName.replace(/\.\w+$/, '')))) {
    const expected = samples.filter(({ fileName }) => fileName.startsWith(`${title}.`)).length;
    expect({ title, items: titles.filter((each) => each === title).length }).toEqual({ title, items: expected });
  }
  for (const { mediaId } of uploads) {
    const { files } = await ask<CallOutput<'library.media'>>(page, 'library.media', { siteId: site?.id, mediaId });
    expect(files.filter(({ status }) => status === 'complete')).toHaveLength(1);
  }
}

/** Returns the paths of files below `dir` that contain one of the secrets, in UTF-8 or UTF-16. */
async function filesWith(dir: string, secrets: readonly string[]): Promise<string[]> {
  const needles = secrets.flatMap((secret) => [Buffer.from(secret, 'utf8'), Buffer.from(secret, 'utf16le')]);
  const found: string[] = [];
  for (const entry of await readdir(dir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = await readFile(path);
    if (needles.some((needle) => bytes.includes(needle))) found.push(path);
  }
  return found;
}

/** Returns all secrets of the app in the keychain, read in the app's process. */
async function keychainSecrets({ app }: DesktopApp): Promise<string[]> {
  return app.evaluate(async ({ app: shell }) => {
    const { createRequire } = process.getBuiltinModule('node:module');
    const keytar = createRequire(`${shell.getAppPath()}/package.json`)('keytar') as typeof import('keytar');
    return (await keytar.findCredentials('mediadesk')).map(({ password }) => password);
  });
}

describe('uploads in the window', () => {
  let relay: Eavesdropper | undefined;
  afterEach(() => relay?.stop());

  it('store the same bytes after a typed sign-in, stay listed after a restart, and leave no token in a file', async () => {
    relay = await eavesdrop(service.baseUrl);
    await service.control('PATCH', '/settings', { processing: { delay_ms: 1_500 } });
    await slowTransfers(700);
    const page = await openWindow(relay.baseUrl);
    await signInByTyping(page, relay.baseUrl);
    await dropRecordings(page);
    await whenShown(page, 'complete', samples.length);

    // The window showed each of these states while it lasted.
    const seen = await seenStates(page);
    expect(Object.keys(seen)).toHaveLength(samples.length);
    for (const states of Object.values(seen)) {
      expect(states).toEqual(expect.arrayContaining(['sending', 'processing', 'complete']));
      expect(states.at(-1)).toBe('complete');
    }
    await expectAllStoredOnce(page);

    // The refresh token is in the keychain, and no token is anywhere on the disk.
    const kept = await keychainSecrets(desktop as DesktopApp);
    expect(kept.length).toBeGreaterThan(0);
    const refreshTokens = kept.flatMap((secret) => secret.match(/[\w-]{20,}/g) ?? []);
    expect(refreshTokens.length).toBeGreaterThan(0);
    expect(relay.tokens().length).toBeGreaterThan(0);
    const secrets = [...refreshTokens, ...relay.tokens()];
    expect(await filesWith(profileDir, [service.clientId])).not.toEqual([]);
    const places = [profileDir, process.env.HOME, process.env.XDG_CONFIG_HOME, process.env.XDG_STATE_HOME];
    for (const place of places) if (place) expect(await filesWith(place, secrets)).toEqual([]);
    expect(desktop?.output()).not.toMatch(new RegExp(secrets.join('|')));

    // After a restart: the user is still signed in, no question is asked, the uploads are listed.
    await desktop?.close();
    await clearJournal(service);
    const again = await openWindow(relay.baseUrl);
    await whenSignedIn(again);
    await openView(again, 'Uploads');
    await expandBatches(again);
    await whenShown(again, 'complete', samples.length);
    expect(desktop?.app.windows()).toHaveLength(1);
    const paths = (await journalOf(service)).map(({ path }) => path ?? '');
    expect(paths.filter((path) => path.includes('/oauth/access_token'))).not.toEqual([]);
    expect(paths.filter((path) => /authorize|login|consent/.test(path))).toEqual([]);
    for (const place of places) {
      if (place) expect(await filesWith(place, [...secrets, ...relay.tokens()])).toEqual([]);
    }
  });

  it('complete each file exactly once when the app is killed during a transfer and started again', async () => {
    const page = await openWindow();
    await signInByTyping(page);
    await slowTransfers(20_000);
    await dropRecordings(page);
    await whenShown(page, 'sending', 2);
    await desktop?.kill();
    await service.control('DELETE', '/faults');

    const again = await openWindow();
    await whenSignedIn(again);
    await openView(again, 'Uploads');
    await expandBatches(again);
    await whenShown(again, 'complete', samples.length);
    await expectAllStoredOnce(again);
  });

  it('complete each file exactly once when the service is killed during a transfer and started again', async () => {
    const page = await openWindow();
    await signInByTyping(page);
    await slowTransfers(20_000);
    await dropRecordings(page);
    await whenShown(page, 'sending', 2);
    await service.kill9();
    await whenShown(page, 'waiting');
    await service.restart();
    await whenShown(page, 'complete', samples.length);
    await expectAllStoredOnce(page);
  });
});

describe('a sign-in that the user does not complete', () => {
  it('is reported when the user denies it, and can be tried again', async () => {
    const page = await openWindow();
    const signIn = await openSignIn((desktop as DesktopApp).app, page, service);
    await typeCredentials(signIn, service.admin);
    await decide(signIn, 'deny');
    await page.getByText('Access was denied on the sign-in page.').first().waitFor();
    expect(await signedInSites(page)).toEqual([]);
    await signInByTyping(page);
  });

  it('is reported when the user closes the window, and can be tried again', async () => {
    const page = await openWindow();
    const signIn = await openSignIn((desktop as DesktopApp).app, page, service);
    await signIn.close();
    await page.getByText('The sign-in window was closed').first().waitFor();
    await signInByTyping(page);
  });
});

/** Returns the ids of the sites where a user is signed in. */
async function signedInSites(page: Page): Promise<string[]> {
  const sites = await ask<CallOutput<'sites.list'>>(page, 'sites.list', null);
  return sites.filter(({ state }) => state === 'signed-in').map(({ id }) => id);
}
