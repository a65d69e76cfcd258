import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { Site } from '../../../../shared/contract/sites.ts';
import { batchDefaultsSchema, type UploadRow } from '../../../../shared/contract/uploads.ts';
import { isEnded } from '../../../../shared/model/uploads/upload-states.ts';
import { type Desk, deskTest } from '../../../helpers/engine/desk.ts';
import { makerOf, SharedBrowser } from '../../../helpers/engine/library-people.ts';
import { takeQueueBack } from '../../../helpers/engine/queue-of-version.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';
import { fastClock } from '../../../helpers/time/fast-clock.ts';

/** Each test uploads the same files into the same library, so duplicates are uploaded. */
const DEFAULTS = batchDefaultsSchema.parse({ duplicates: 'upload' });

const it = deskTest()
  .extend('browser', () => new SharedBrowser())
  .extend('otherService', { scope: 'file' }, async ({ serviceStart }, { onCleanup }) => {
    const otherService = await startService(serviceStart);
    onCleanup(() => otherService.stop());
    return otherService;
  });
it.override('site', () => null);
it.override('host', ({ browser }) => ({ openers: { embedded: browser, system: browser } }));

let here: ServiceProcess;
let there: ServiceProcess;
let browser: SharedBrowser;
let desk: Desk;
it.beforeEach(({ service, otherService, browser: itsBrowser, desk: itsDesk }) => {
  [here, there, browser, desk] = [service, otherService, itsBrowser, itsDesk];
});

async function topOf(siteId: string): Promise<string> {
  const [top] = await desk.engine.call('library.collections', { siteId, parentId: null });
  return top?.id ?? '';
}

/** Queues `count` files whose bytes contain the name of their owner. */
async function add(siteId: string, owner: string, count: number, titleTemplate = DEFAULTS.titleTemplate) {
  const paths = Array.from({ length: count }, (_, index) => {
    return desk.put(`${owner}-${index}.bin`, Buffer.alloc(100_000 + index, `${owner} ${index} `));
  });
  const defaults = { ...DEFAULTS, titleTemplate };
  return desk.engine.call('uploads.add', { siteId, collectionId: await topOf(siteId), paths, defaults });
}

async function expectStored(service: ServiceProcess, row: UploadRow, { userId }: Site): Promise<void> {
  const { sha256 } = await service.control<{ sha256: string }>('GET', `/files/${row.fileId}/sha256`);
  const index = Number(/-(\d+)\.bin$/.exec(row.fileName)?.[1]);
  const owner = row.fileName.replace(/-\d+\.bin$/, '');
  const bytes = Buffer.alloc(100_000 + index, `${owner} ${index} `);
  expect({ error: row.error, state: row.state, maker: await makerOf(service, row.mediaId), sha256 }).toEqual({
    error: null,
    state: 'complete',
    maker: userId,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  });
}

const rowsOf = async (siteId: string) => (await desk.rows()).filter((row) => row.siteId === siteId);

/** Collects the announced reasons why the queue is idle, as long as this account has uploads that are not complete. */
async function standstillsOver(siteId: string): Promise<string[]> {
  const reported: string[] = [];
  const open = new Set((await rowsOf(siteId)).map(({ id }) => id));
  desk.engine.on('onDidChangeUploads', ({ rows, totals }) => {
    for (const { id, state } of rows) if (state === 'complete') open.delete(id);
    if (open.size > 0 && totals.blockedBy !== null) reported.push(totals.blockedBy.code);
  });
  return reported;
}

describe('two users of one library', () => {
  it('upload in parallel, and each item is created by its own user', async () => {
    const admin = await browser.signIn(desk.engine, here, 'admin');
    const editor = await browser.signIn(desk.engine, here, 'editor');
    await add(admin.id, 'admin', 6);
    await add(editor.id, 'editor', 6);
    desk.engine.startUploads();
    await desk.engine.whenUploadsIdle();
    for (const row of await rowsOf(admin.id)) await expectStored(here, row, admin);
    for (const row of await rowsOf(editor.id)) await expectStored(here, row, editor);
    const rows = await desk.rows();
    expect(new Set(rows.map(({ mediaId }) => mediaId)).size).toBe(12);
  });

  it('keep their uploads when the other user signs in', async () => {
    const admin = await browser.signIn(desk.engine, here, 'admin');
    await add(admin.id, 'admin', 3);
    await desk.engine.call('sites.signOut', { siteId: admin.id });
    const editor = await browser.signIn(desk.engine, here, 'editor');
    await add(editor.id, 'editor', 2);
    desk.engine.startUploads();
    await desk.engine.whenUploadsIdle();
    for (const row of await rowsOf(editor.id)) await expectStored(here, row, editor);
    expect((await rowsOf(admin.id)).map(({ mediaId, state }) => ({ mediaId, state }))).toEqual(
      Array.from({ length: 3 }, () => ({ mediaId: null, state: 'queued' })),
    );
    // The first user signs in again: their uploads resume under their account.
    expect((await browser.signIn(desk.engine, here, 'admin')).id).toBe(admin.id);
    await desk.engine.whenUploadsIdle();
    for (const row of await rowsOf(admin.id)) await expectStored(here, row, admin);
  });

  it('are not delayed by the other user’s revoked authorization', async () => {
    const admin = await browser.signIn(desk.engine, here, 'admin');
    const editor = await browser.signIn(desk.engine, here, 'editor');
    await add(admin.id, 'admin', 2);
    await add(editor.id, 'editor', 4);
    await here.control('PATCH', '/settings', { clock_offset_ms: 2 * 3600_000 });
    // The refresh of the first account is refused, the refresh of the other account is not.
    await here.control('POST', '/faults', { path: '/oauth/access_token', action: { kind: 'status', status: 400 } });
    const query = { siteId: admin.id, collectionId: null, search: '', type: null, status: null } as const;
    const asking = desk.engine.call('library.mediaWindow', {
      query: { ...query, sort: 'created_on', order: 'asc' },
      offset: 0,
      limit: 1,
    });
    await expect(asking).rejects.toMatchObject({ code: 'sign-in.required' });
    const standstills = await standstillsOver(editor.id);
    desk.engine.startUploads();
    await desk.engine.whenUploadsIdle();
    for (const row of await rowsOf(editor.id)) await expectStored(here, row, editor);
    expect(standstills).toEqual([]);
    expect((await rowsOf(admin.id)).map(({ state, attempts }) => `${state} ${attempts}`)).toEqual([
      'queued 0',
      'queued 0',
    ]);
    expect((await desk.engine.call('uploads.totals', null)).blockedBy?.code).toBe('sign-in.required');
  });

  it('upload independently: when one signs out, the uploads of this account wait, and the others continue', async () => {
    const admin = await browser.signIn(desk.engine, here, 'admin');
    const editor = await browser.signIn(desk.engine, here, 'editor');
    await desk.engine.call('settings.set', { patch: { parallelTransfers: 4, limitBytesPerSecond: 100_000 } });
    await add(admin.id, 'admin', 4);
    await add(editor.id, 'editor', 4);
    const standstills = await standstillsOver(editor.id);
    const sending = (wanted: string) =>
      desk.whenRow(({ siteId, state, sentBytes }) => siteId === wanted && state === 'sending' && sentBytes > 0);
    const bothSend = Promise.all([sending(admin.id), sending(editor.id)]);
    desk.engine.startUploads();
    await bothSend;
    await desk.engine.call('sites.signOut', { siteId: admin.id });
    await desk.engine.call('settings.set', { patch: { limitBytesPerSecond: null } });
    await desk.engine.whenUploadsIdle();
    for (const row of await rowsOf(editor.id)) await expectStored(here, row, editor);
    const waiting = await rowsOf(admin.id);
    expect(waiting.map(({ attempts }) => attempts)).toEqual([0, 0, 0, 0]);
    expect(waiting.filter(({ state }) => isEnded(state))).toEqual([]);
    // The queue was idle only when the other account had no uploads left.
    expect(standstills).toEqual([]);
    expect(await desk.engine.call('uploads.totals', null)).toMatchObject({
      blockedBy: { code: 'sign-in.required' },
      blockedSiteId: admin.id,
    });
    await browser.signIn(desk.engine, here, 'admin');
    await desk.engine.whenUploadsIdle();
    for (const row of await rowsOf(admin.id)) await expectStored(here, row, admin);
  });

  it('never use each other’s item of the same title in the same collection', async () => {
    await desk.reopen({ clock: fastClock(20) });
    const admin = await browser.signIn(desk.engine, here, 'admin');
    const editor = await browser.signIn(desk.engine, here, 'editor');
    // The first user's item exists and is empty, because its file could not be created.
    await add(admin.id, 'admin', 1, 'Lecture');
    await here.control('POST', '/faults', { method: 'POST', path: '/files$', action: { kind: 'status', status: 400 } });
    desk.engine.startUploads();
    await desk.engine.whenUploadsIdle();
    const [failed] = await rowsOf(admin.id);
    expect(failed).toMatchObject({ state: 'failed', mediaId: expect.any(String) });
    // The second user's creation had no effect, so a search finds only the first user's item.
    await here.control('POST', '/faults', {
      method: 'POST',
      path: '^/api2/media$',
      action: { kind: 'reset', afterBytes: 0 },
    });
    await add(editor.id, 'editor', 1, 'Lecture');
    await desk.engine.whenUploadsIdle();
    const [row] = await rowsOf(editor.id);
    expect(row?.mediaId).not.toBe(failed?.mediaId);
    await expectStored(here, row as UploadRow, editor);
  });
});

describe('two libraries', () => {
  it('stay separate when their items have the same ids', async () => {
    const one = await browser.signIn(desk.engine, here, 'admin');
    const two = await browser.signIn(desk.engine, there, 'admin');
    expect(two.id).not.toBe(one.id);
    expect(two.userId).toBe(one.userId);
    await add(one.id, 'here', 3);
    await add(two.id, 'there', 3);
    desk.engine.startUploads();
    await desk.engine.whenUploadsIdle();
    for (const row of await rowsOf(one.id)) await expectStored(here, row, one);
    for (const row of await rowsOf(two.id)) await expectStored(there, row, two);
  });

  it('wait separately: maintenance of one does not stop the other', async () => {
    const one = await browser.signIn(desk.engine, here, 'admin');
    const two = await browser.signIn(desk.engine, there, 'admin');
    await here.control('PATCH', '/settings', { read_only: true });
    await add(one.id, 'here', 2);
    await add(two.id, 'there', 2);
    const waiting = desk.whenRow(({ siteId, state }) => siteId === one.id && state === 'waiting');
    const done = desk.whenRow(({ siteId, state }) => siteId === two.id && state === 'complete');
    desk.engine.startUploads();
    await Promise.all([waiting, done]);
    await here.control('PATCH', '/settings', { read_only: false });
    await desk.engine.whenUploadsIdle();
    for (const row of await rowsOf(one.id)) await expectStored(here, row, one);
    for (const row of await rowsOf(two.id)) await expectStored(there, row, two);
  });
});

it('a profile of the first version opens with its sign-in and its waiting uploads', async () => {
  const admin = await browser.signIn(desk.engine, here, 'admin');
  const { id } = admin;
  await add(id, 'veteran', 2);
  await desk.engine.stop();
  await forgetOwners(join(desk.profile.dir, 'queue.db'));
  await desk.reopen();
  const editor = await browser.signIn(desk.engine, here, 'editor');
  expect(editor.id).not.toBe(id);
  desk.engine.startUploads();
  await desk.engine.whenUploadsIdle();
  const rows = await rowsOf(id);
  expect(rows).toHaveLength(2);
  for (const row of rows) await expectStored(here, row, admin);
});

/** Converts a queue database to the format of the first version. */
async function forgetOwners(path: string): Promise<void> {
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(path);
  const rows = database.prepare('SELECT id, record FROM sites').all() as { id: string; record: string }[];
  for (const { id, record } of rows) {
    const { userId: _, ...first } = JSON.parse(record) as Record<string, unknown>;
    database.prepare('UPDATE sites SET record = ? WHERE id = ?').run(JSON.stringify(first), id);
  }
  database.close();
  takeQueueBack(path, 1);
}
