// A library that was restored from a backup: the ids of what came after it belong to other items, so the client changes nothing
// in it until the user decides, and then refers to no such id unasked.
import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { batchDefaultsSchema } from '../../../../shared/contract/uploads.ts';
import { Desk } from '../../../helpers/engine/desk.ts';
import { edit, itemOf, makeItem } from '../../../helpers/engine/edit-steps.ts';
import { makeCollection, signInEngine } from '../../../helpers/engine/engine-host.ts';
import { clearJournal, journalOf } from '../../../helpers/service/journal.ts';
import { archive, sha256Of } from '../../../helpers/service/service-archive.ts';
import { clientFor, type ServiceClient } from '../../../helpers/service/service-client.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';

let service: ServiceProcess;
let desk: Desk;
let place: string;
let backup: string;
beforeEach(async () => {
  service = await startService({ seed: 'empty', options: ['--operations', '127.0.0.1:0'] });
  desk = await Desk.open(service);
  place = await mkdtemp(join(tmpdir(), 'library-backup-'));
});
afterEach(async () => {
  await desk.close();
  await service.stop();
  await rm(place, { recursive: true, force: true });
});

const isSignIn = (path: string | null) => /\/(oauth|signin|sign-in|login)/.test(path ?? '');

/** What was changed in the library since the journal was cleared, without sign-ins. */
async function changes(): Promise<string[]> {
  const entries = await journalOf(service);
  return entries
    .filter(({ method, path }) => method !== 'GET' && !isSignIn(path))
    .map(({ method, path }) => `${method} ${path}`);
}

/** The library is as it was at its backup; then `before` happens, before the client can see it. */
async function restore(before: (client: ServiceClient) => Promise<unknown>): Promise<void> {
  await service.end('SIGTERM');
  rmSync(service.dataDir, { recursive: true });
  expect((await archive('restore', '--from', backup, '--data', service.dataDir)).code).toBe(0);
  await service.restart();
  await before(await clientFor(service));
  await clearJournal(service);
}

const makeBackup = async () => {
  const made = await archive('backup', '--data', service.dataDir, '--to', join(place, 'backup'));
  expect([made.code, made.record, made.stderr]).toEqual([0, expect.anything(), '']);
  backup = made.record.backup;
};

const isRestored = async () => (await desk.engine.call('sites.list', null))[0]?.restored;

describe('after a restore, with edits that were made before it', () => {
  it('sends none of them until the user continues, and then only those that the user sends', async () => {
    const before = await clientFor(service);
    const kept = await makeItem(before, desk, 'Kept');
    await makeBackup();
    const lost = await makeItem(before, desk, 'Lost');
    await desk.engine.call('library.syncNow', { siteId: desk.siteId });
    await service.control('PATCH', '/settings', { read_only: true });
    const groupId = await edit(desk, [kept], {
      title: { kind: 'replace', find: 'Kept', replaceWith: 'New', matchCase: true },
    });
    await edit(desk, [lost], { delete: true });
    await desk.engine.stop();

    let other = '';
    await restore(async (client) => {
      other = await makeItem(client, desk, 'Of somebody else');
    });
    expect(other).toBe(lost);
    const engine = await desk.reopen();
    engine.startEdits();
    engine.startSyncing();
    await signInEngine(engine, service);
    await expect.poll(isRestored).toBe(true);
    await engine.whenEditsIdle();
    expect(await changes()).toEqual([]);
    // New work is accepted, and waits like the rest.
    await makeCollection(engine, desk.siteId, 'New');
    await engine.whenEditsIdle();
    expect(await changes()).toEqual([]);

    expect(await engine.call('sites.continueRestored', { siteId: desk.siteId })).toMatchObject({ edits: 3 });
    expect(await isRestored()).toBe(false);
    await engine.whenEditsIdle();
    expect(await changes()).toEqual([]);
    await engine.call('edits.retry', { groupId, filter: 'all' });
    await engine.whenEditsIdle();
    const after = await clientFor(service);
    expect((await itemOf(after, kept)).title).toBe('New');
    expect((await itemOf(after, other)).title).toBe('Of somebody else');
  });
});

describe('after a restore, with an upload that was begun before it', () => {
  it('starts it over with an item of its own, and leaves the item alone that has the old id now', async () => {
    await makeBackup();
    const contents = Buffer.alloc(300_000, 'lecture');
    desk.put('Lecture.txt', contents);
    await desk.engine.call('settings.set', { patch: { limitBytesPerSecond: 20_000 } });
    await desk.add();
    desk.engine.startUploads();
    const begun = await desk.whenRow(({ state, sentBytes }) => state === 'sending' && sentBytes > 0);
    await desk.engine.stop();

    let other = '';
    await restore(async (client) => {
      other = await client.createItem('Of somebody else');
      await client.upload(other, 'other.txt', Buffer.from('another text'));
    });
    expect(other).toBe(`/api2/media/${begun.mediaId}`);
    const engine = await desk.reopen();
    await engine.call('settings.set', { patch: { limitBytesPerSecond: null } });
    engine.startUploads();
    await signInEngine(engine, service);
    await expect.poll(isRestored).toBe(true);
    await engine.whenUploadsIdle();
    expect(await changes()).toEqual([]);

    // The collection was made before the backup, and is still the same.
    expect(await engine.call('sites.continueRestored', { siteId: desk.siteId })).toMatchObject({
      restarted: 1,
      failed: 0,
    });
    await engine.whenUploadsIdle();
    const row = await desk.row('Lecture.txt');
    expect(row).toMatchObject({ state: 'complete' });
    expect(row.mediaId).not.toBe(begun.mediaId);
    expect(await desk.storedSha256(row.fileId)).toBe(sha256Of(contents));
    const after = await clientFor(service);
    expect((await after.get(other)).body).toMatchObject({ title: 'Of somebody else' });
    expect((await after.get(`${other}/files`)).body.items ?? (await after.get(`${other}/files`)).body).toHaveLength(1);
  });

  it('sends its captions again, which were sent before the item could be published', async () => {
    await makeBackup();
    desk.put('Lecture.mp4');
    desk.put('Lecture.srt', '1\n00:00:01,000 --> 00:00:02,000\nHello\n');
    await service.control('PATCH', '/settings', { processing: { outcome: 'complete' } });
    const action = { kind: 'status', status: 503 };
    await service.control('POST', '/faults', { method: 'POST', path: '/publish$', times: null, action });
    await desk.add([desk.dir], { publish: { kind: 'now' } });
    desk.engine.startUploads();
    await desk.whenRow(({ state, followUps }) => state === 'waiting' && followUps[0]?.state === 'done');
    await desk.engine.stop();

    await restore(async (client) => client.createItem('Of somebody else'));
    await service.control('PATCH', '/settings', { processing: { outcome: 'complete' } });
    const engine = await desk.reopen();
    engine.startUploads();
    await signInEngine(engine, service);
    await expect.poll(isRestored).toBe(true);
    expect(await engine.call('sites.continueRestored', { siteId: desk.siteId })).toMatchObject({ restarted: 1 });
    await engine.whenUploadsIdle();
    const { state, mediaId, followUps } = await desk.row('Lecture.mp4');
    expect([state, followUps.map((each) => each.state)]).toEqual(['complete', ['done']]);
    const { files } = await engine.call('library.media', { siteId: desk.siteId, mediaId: mediaId ?? '' });
    expect(files.map(({ display_name, status }) => [display_name, status])).toContainEqual(['Lecture.srt', 'complete']);
  });

  it('asks about an upload whose collection belongs to something else now', async () => {
    await makeBackup();
    const collectionId = await makeCollection(desk.engine, desk.siteId, 'Made after the backup');
    desk.put('Lecture.txt', 'lecture');
    await desk.engine.call('uploads.add', {
      siteId: desk.siteId,
      collectionId,
      paths: [desk.dir],
      defaults: batchDefaultsSchema.parse({}),
    });
    await desk.engine.stop();
    await restore((client) =>
      client.post('/api2/collections', { display_name: 'Of somebody else', parent_id: desk.collectionId }),
    );
    const engine = await desk.reopen();
    engine.startUploads();
    await signInEngine(engine, service);
    await expect.poll(isRestored).toBe(true);
    expect(await engine.call('sites.continueRestored', { siteId: desk.siteId })).toMatchObject({
      restarted: 0,
      failed: 1,
    });
    await engine.whenUploadsIdle();
    expect(await desk.row('Lecture.txt')).toMatchObject({ state: 'failed', error: { code: 'site.restored' } });
    expect(await changes()).toEqual([]);
  });

  it('removes nothing of an upload that was cancelled', async () => {
    await makeBackup();
    desk.put('Lecture.txt', Buffer.alloc(300_000, 'lecture'));
    await desk.engine.call('settings.set', { patch: { limitBytesPerSecond: 20_000 } });
    await desk.add();
    desk.engine.startUploads();
    const begun = await desk.whenRow(({ state, sentBytes }) => state === 'sending' && sentBytes > 0);
    await service.kill9();
    await desk.engine.call('uploads.cancel', { kind: 'ids', ids: [begun.id] });
    await desk.engine.stop();
    let other = '';
    await restore(async (client) => {
      other = await client.createItem('Of somebody else');
    });
    expect(other).toBe(`/api2/media/${begun.mediaId}`);
    const engine = await desk.reopen();
    engine.startUploads();
    await signInEngine(engine, service);
    await expect.poll(isRestored).toBe(true);
    await engine.call('sites.continueRestored', { siteId: desk.siteId });
    await engine.whenUploadsIdle();
    expect(await changes()).toEqual([]);
    expect((await (await clientFor(service)).get(other)).status).toBe(200);
  });
});

describe('a library that was not restored', () => {
  it('is never held, through restarts of the service and of the program, and continuing changes nothing', async () => {
    await service.restart();
    const engine = await desk.reopen();
    await makeCollection(engine, desk.siteId, 'After the restart');
    expect(await isRestored()).toBe(false);
    expect(await engine.call('sites.continueRestored', { siteId: desk.siteId })).toEqual({
      edits: 0,
      restarted: 0,
      failed: 0,
      folders: 0,
    });
  });
});

describe('a decision that can’t be made now', () => {
  it('leaves everything as it is: offline, no upload fails and the library stays on hold', async () => {
    await makeBackup();
    desk.put('Lecture.txt', 'lecture');
    await desk.add();
    await desk.engine.stop();
    await restore(async () => {});
    const engine = await desk.reopen();
    await signInEngine(engine, service);
    engine.startUploads();
    await expect.poll(isRestored).toBe(true);
    await service.kill9();
    await expect(engine.call('sites.continueRestored', { siteId: desk.siteId })).rejects.toMatchObject({
      code: expect.stringMatching(/^(site|network)\./),
    });
    expect(await isRestored()).toBe(true);
    expect((await desk.row('Lecture.txt')).state).not.toBe('failed');
    await service.restart();
    const twice = [1, 2].map(() => engine.call('sites.continueRestored', { siteId: desk.siteId }));
    const [first, second] = await Promise.all(twice);
    expect(second).toEqual(first);
    await engine.whenUploadsIdle();
    expect(await desk.row('Lecture.txt')).toMatchObject({ state: 'complete' });
  });
});
