import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { batchDefaultsSchema } from '../../../../shared/contract/uploads.ts';
import { Desk, deskTest } from '../../../helpers/engine/desk.ts';
import { requestsOf } from '../../../helpers/service/journal.ts';
import { clientFor } from '../../../helpers/service/service-client.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';

const deskIt = deskTest();

const CREATIONS = /^\/api2\/collections$/;

async function create({ engine, siteId }: Desk, parentId: string, displayName: string, isPodcast = false) {
  return engine.call('library.createCollection', { siteId, parentId, displayName, isPodcast });
}

const update = ({ engine, siteId }: Desk, collectionId: string, patch: object, expected: object = {}) =>
  engine.call('library.updateCollection', { siteId, collectionId, patch, expected });

const childrenOf = ({ engine, siteId }: Desk, parentId: string | null) =>
  engine.call('library.collections', { siteId, parentId });

async function whenSent({ engine }: Desk): Promise<void> {
  const isSent = async () => {
    const { totals } = await engine.call('edits.groups', { siteId: null, isOpen: true, offset: 0, limit: 1 });
    return totals.pending === 0;
  };
  await vi.waitUntil(isSent, { timeout: 60_000 });
}

const attention = async ({ engine }: Desk) =>
  (await engine.call('edits.groupRows', { groupId: null, filter: 'attention', entityId: null, offset: 0, limit: 50 }))
    .rows;

describe.each(['reference', 'lean', 'strict'] as const)('edits of collections (%s)', (dialect) => {
  let service: ServiceProcess;
  beforeAll(async () => {
    service = await startService({ dialect });
  });
  afterAll(() => service.stop());
  const it = test.extend('desk', async ({ task: _task }, { onCleanup }) => {
    const desk = await Desk.open(service);
    // Offline, values are read from the copy.
    await desk.engine.call('library.syncNow', { siteId: desk.siteId });
    onCleanup(() => desk.close());
    return desk;
  });

  it('keep collections that are created offline, three levels deep, across a restart, and create each once', async ({
    desk,
  }) => {
    const known = await create(desk, desk.collectionId, 'Known');
    await desk.engine.call('library.syncNow', { siteId: desk.siteId });
    await service.kill9();
    const top = await create(desk, desk.collectionId, 'Top');
    expect(top).toMatchObject({ isPending: true, id: expect.stringMatching(/^local:/) });
    const middle = await create(desk, top.id, 'Middle');
    const inner = await create(desk, middle.id, 'Inner', true);
    await update(desk, middle.id, { display_name: 'Center' });
    await update(desk, known.id, { display_name: 'Renamed' }, { display_name: 'Known' });
    await desk.reopen();
    const shown = await childrenOf(desk, desk.collectionId);
    expect(shown.map(({ displayName, pending }) => [displayName, pending])).toEqual([
      ['Renamed', 'changed'],
      ['Top', 'created'],
    ]);
    expect(await childrenOf(desk, top.id)).toMatchObject([
      { displayName: 'Center', pending: 'created', childCount: 1 },
    ]);
    expect(await childrenOf(desk, middle.id)).toMatchObject([{ id: inner.id, isPodcast: true }]);
    await service.restart();
    desk.engine.startEdits();
    await whenSent(desk);
    const direct = await clientFor(service);
    const [created] = (await direct.get(`/api2/collections?parent_id=${desk.collectionId}&display_name=Top`)).body
      .items;
    const [center] = (await direct.get(`/api2/collections?parent_id=${created.id}`)).body.items;
    const below = (await direct.get(`/api2/collections?parent_id=${center.id}`)).body.items;
    expect(center.display_name).toBe('Center');
    expect(below).toMatchObject([{ display_name: 'Inner', is_podcast: true }]);
    expect((await direct.get(`/api2/collections/${known.id}`)).body.display_name).toBe('Renamed');
    expect(await requestsOf(service, 'POST', CREATIONS)).toHaveLength(3);
    expect(await childrenOf(desk, middle.id)).toMatchObject([{ displayName: 'Inner' }]);
    expect((await childrenOf(desk, middle.id))[0]?.pending).toBeUndefined();
  });

  it('create a collection once when the reply is lost and the process ends before the next check', async ({ desk }) => {
    const path = '^/api2/collections$';
    await service.control('POST', '/faults', { method: 'POST', path, action: { kind: 'lose-reply' } });
    // The list before the creation is answered; the lists after it are not, until the engine has ended.
    const silent = { method: 'GET', path, nth: 2, times: null, action: { kind: 'stall' } };
    await service.control('POST', '/faults', silent);
    const isCreated = async () => (await requestsOf(service, 'POST', CREATIONS)).length > 0;
    void create(desk, desk.collectionId, 'Once').catch(() => null);
    await vi.waitUntil(isCreated, { timeout: 60_000 });
    await desk.engine.stop();
    await service.control('DELETE', '/faults');
    await desk.reopen();
    desk.engine.startEdits();
    await desk.engine.call('edits.retry', { groupId: null, filter: 'open' });
    await whenSent(desk);
    const direct = await clientFor(service);
    const all = (await direct.get(`/api2/collections?parent_id=${desk.collectionId}&display_name=Once`)).body.items;
    expect(all).toHaveLength(1);
  });

  it('drop a collection that is created and deleted offline, and refuse edits that need it', async ({ desk }) => {
    await service.kill9();
    const top = await create(desk, desk.collectionId, 'Top');
    const inner = await create(desk, top.id, 'Inner');
    const { siteId } = desk;
    const confirmed = { collectionIds: [inner.id], items: 0 };
    const deleted = await desk.engine.call('library.deleteCollections', {
      siteId,
      collectionIds: [inner.id],
      confirmed,
    });
    expect(deleted).toMatchObject({ deleted: [inner.id], failed: [] });
    const other = await create(desk, top.id, 'Other');
    const rows = (
      await desk.engine.call('edits.groupRows', {
        groupId: top.groupId ?? null,
        filter: 'open',
        entityId: null,
        offset: 0,
        limit: 10,
      })
    ).rows;
    expect(await desk.engine.call('library.collection', { siteId, collectionId: top.id })).toMatchObject({
      collection: { id: top.id, displayName: 'Top' },
    });
    await desk.engine.call('edits.drop', { ids: rows.map(({ id }) => id) });
    const read = desk.engine.call('library.collection', { siteId, collectionId: top.id });
    await expect(read).rejects.toMatchObject({ code: 'api.not-found' });
    expect(await attention(desk)).toMatchObject([
      { entityId: other.id, state: 'refused', error: { code: 'edit.collection-not-created' } },
    ]);
    // The refused collection can still be created, in a parent that exists.
    const moves = [{ collectionId: other.id, newParentId: desk.collectionId }];
    const { moved } = await desk.engine.call('library.moveCollections', { siteId, moves });
    expect(moved).toMatchObject([{ isPending: true }]);
    await service.restart();
    await whenSent(desk);
    expect(await attention(desk)).toEqual([]);
    expect(await childrenOf(desk, desk.collectionId)).toMatchObject([{ displayName: 'Other', childCount: 0 }]);
  });

  it('ask about a field that someone else changed, and send the other fields', async ({ desk }) => {
    const { id } = await create(desk, desk.collectionId, 'Talks', true);
    const { siteId, engine } = desk;
    await engine.call('library.podcast', { siteId, collectionId: id });
    await service.kill9();
    await update(desk, id, { display_name: 'Mine', description: '<p>About</p>' }, { display_name: 'Talks' });
    const podcast = await engine.call('library.updatePodcast', {
      siteId,
      collectionId: id,
      patch: { copyright: 'Mine', directory_subtitle: 'Weekly' },
      expected: {},
    });
    expect(podcast).toMatchObject({ isPending: true, details: { copyright: 'Mine', directory_subtitle: 'Weekly' } });
    await desk.reopen();
    const stored = await desk.engine.call('library.podcast', { siteId, collectionId: id });
    expect(stored).toMatchObject({ isStored: true, isPending: true, details: { copyright: 'Mine' } });
    await service.restart();
    const direct = await clientFor(service);
    await direct.post(`/api2/collections/${id}`, { display_name: 'Theirs' });
    await direct.post(`/api2/collections/${id}/podcast-details`, { copyright: 'Theirs' });
    desk.engine.startEdits();
    await whenSent(desk);
    const now = (await direct.get(`/api2/collections/${id}`)).body;
    expect(now).toMatchObject({ display_name: 'Theirs', description: expect.stringContaining('About') });
    const [renaming, details] = await attention(desk);
    expect(renaming?.changes.find(({ needsDecision }) => needsDecision)).toMatchObject({
      field: 'display_name',
      before: 'Talks',
      after: 'Mine',
      theirs: 'Theirs',
    });
    expect(details?.changes.find(({ needsDecision }) => needsDecision)).toMatchObject({ theirs: 'Theirs' });
    const decide = (row: typeof details, kind: 'mine' | 'theirs') =>
      desk.engine.call('edits.resolve', { rows: { ids: [row?.id ?? ''] }, field: null, choice: { kind } });
    await decide(renaming, 'mine');
    await decide(details, 'theirs');
    await whenSent(desk);
    expect((await direct.get(`/api2/collections/${id}`)).body.display_name).toBe('Mine');
    const saved = (await direct.get(`/api2/collections/${id}/podcast-details`)).body;
    expect(saved).toMatchObject({ copyright: 'Theirs', directory_subtitle: 'Weekly' });
  });

  it('undo and redo a rename before and after it is sent, and change no value that someone changed since', async ({
    desk,
  }) => {
    const { id } = await create(desk, desk.collectionId, 'One');
    const direct = await clientFor(service);
    const nameNow = async () => (await direct.get(`/api2/collections/${id}`)).body.display_name;
    const { groupId = '' } = await update(desk, id, { display_name: 'Two' });
    await desk.engine.call('edits.undo', { groupId });
    await whenSent(desk);
    expect(await nameNow()).toBe('One');
    const { group } = await desk.engine.call('edits.redo', { groupId });
    await whenSent(desk);
    expect(await nameNow()).toBe('Two');
    await direct.post(`/api2/collections/${id}`, { display_name: 'Theirs' });
    await desk.engine.call('edits.undo', { groupId: group?.id ?? '' });
    await whenSent(desk);
    expect(await nameNow()).toBe('Theirs');
    expect(await desk.engine.call('edits.group', { groupId })).toMatchObject({ canUndo: false, canRedo: false });
    const again = desk.engine.call('edits.redo', { groupId });
    await expect(again).rejects.toMatchObject({ code: 'edit.cant-redo' });
  });

  it('undo and redo the creation of a collection that is not sent yet', async ({ desk }) => {
    await service.kill9();
    const { groupId = '', id } = await create(desk, desk.collectionId, 'Maybe');
    await desk.engine.call('edits.undo', { groupId });
    expect(await childrenOf(desk, desk.collectionId)).toEqual([]);
    expect(await desk.engine.call('edits.group', { groupId })).toMatchObject({ canUndo: false, canRedo: true });
    await desk.engine.call('edits.redo', { groupId });
    expect(await childrenOf(desk, desk.collectionId)).toMatchObject([{ id, pending: 'created' }]);
    await service.restart();
    await whenSent(desk);
    expect(await requestsOf(service, 'POST', CREATIONS)).toHaveLength(1);
    expect(await childrenOf(desk, desk.collectionId)).toMatchObject([{ displayName: 'Maybe' }]);
  });

  it('offer no undo of a deletion, and ask before they delete a collection that got items since the confirmation', async ({
    desk,
  }) => {
    const { id } = await create(desk, desk.collectionId, 'Full');
    const { siteId } = desk;
    await desk.engine.call('library.refresh', { siteId });
    await childrenOf(desk, desk.collectionId);
    await service.kill9();
    const confirmed = await desk.engine.call('library.planDeletion', { siteId, collectionIds: [id] });
    expect(confirmed).toMatchObject({ collections: 1, items: 0, isStored: true });
    const result = await desk.engine.call('library.deleteCollections', { siteId, collectionIds: [id], confirmed });
    expect(result).toMatchObject({ deleted: [], pending: [id] });
    expect(await childrenOf(desk, desk.collectionId)).toMatchObject([{ pending: 'deleted' }]);
    // The collection grows before the deletion can be sent.
    await desk.engine.stop();
    await service.restart();
    const direct = await clientFor(service);
    await direct.createItem('new', { collection_id: id });
    await desk.reopen();
    desk.engine.startEdits();
    await whenSent(desk);
    const [row] = await attention(desk);
    expect(row).toMatchObject({ state: 'conflict', changes: [{ theirs: { collections: 1, items: 1 } }] });
    await desk.engine.call('edits.resolve', { rows: { ids: [row?.id ?? ''] }, field: null, choice: { kind: 'mine' } });
    await whenSent(desk);
    expect((await direct.get(`/api2/collections/${id}`)).status).toBe(404);
    expect(await desk.engine.call('edits.group', { groupId: row?.groupId ?? '' })).toMatchObject({ canUndo: false });
  });

  it('ask about a collection that was added to one after its deletion was confirmed, even in place of another', async ({
    desk,
  }) => {
    const { id } = await create(desk, desk.collectionId, 'Full');
    const inner = await create(desk, id, 'Inner');
    const { siteId } = desk;
    await desk.engine.call('library.refresh', { siteId });
    await childrenOf(desk, id);
    await service.kill9();
    const confirmed = await desk.engine.call('library.planDeletion', { siteId, collectionIds: [id] });
    expect(confirmed).toMatchObject({ collections: 2, isStored: true });
    await desk.engine.call('library.deleteCollections', { siteId, collectionIds: [id], confirmed });
    await desk.engine.stop();
    await service.restart();
    const direct = await clientFor(service);
    await direct.delete(`/api2/collections/${inner.id}`);
    const { body: another } = await direct.post('/api2/collections', { parent_id: id, display_name: 'Another' });
    await desk.reopen();
    desk.engine.startEdits();
    await whenSent(desk);
    const [row] = await attention(desk);
    expect(row).toMatchObject({ state: 'conflict', changes: [{ before: { collections: 2, items: 0 } }] });
    expect((await direct.get(`/api2/collections/${another.id}`)).status).toBe(200);
    await desk.engine.call('edits.resolve', { rows: { ids: [row?.id ?? ''] }, field: null, choice: { kind: 'mine' } });
    await whenSent(desk);
    expect((await direct.get(`/api2/collections/${id}`)).status).toBe(404);
  });
});

describe('uploads into collections that are created offline', () => {
  const it = deskIt;

  /** Adds files to a collection; returns the id of their batch. */
  async function upload(desk: Desk, collectionId: string, ...names: string[]): Promise<string> {
    const paths = names.map((name) => desk.put(name, `contents of ${name}`));
    const defaults = batchDefaultsSchema.parse({});
    const added = await desk.engine.call('uploads.add', { siteId: desk.siteId, collectionId, paths, defaults });
    return added.batchId ?? '';
  }

  const rowsOf = async ({ engine }: Desk, batchId: string) =>
    (await engine.call('uploads.list', { filter: 'all', batchId, offset: 0, limit: 50 })).rows;

  it('wait three levels deep until the collections exist, also after a restart, and arrive once', async ({
    desk,
    service,
  }) => {
    await desk.engine.call('library.syncNow', { siteId: desk.siteId });
    await service.kill9();
    const top = await create(desk, desk.collectionId, 'Top');
    const middle = await create(desk, top.id, 'Middle');
    const inner = await create(desk, middle.id, 'Inner');
    const batches = [await upload(desk, top.id, 'a.txt'), await upload(desk, inner.id, 'b.txt', 'c.txt')];
    await desk.reopen();
    expect(await rowsOf(desk, batches[1] ?? '')).toMatchObject([
      { collectionName: 'Inner' },
      { collectionName: 'Inner' },
    ]);
    await service.restart();
    desk.engine.startUploads();
    const isComplete = async () => {
      const rows = (await Promise.all(batches.map((id) => rowsOf(desk, id)))).flat();
      return rows.length === 3 && rows.every(({ state }) => state === 'complete');
    };
    await vi.waitUntil(isComplete, { timeout: 300_000 });
    const direct = await clientFor(service);
    const [created] = (await direct.get(`/api2/collections?display_name=Inner`)).body.items;
    const items = (await direct.get(`/api2/media?collection_id=${created.id}`)).body.items;
    expect(items.map(({ title }: { title: string }) => title).sort()).toEqual(['b', 'c']);
    expect(await requestsOf(service, 'POST', CREATIONS)).toHaveLength(3);
  });

  it('are added without a copy of the library and without a network', async ({ desk, service }) => {
    await service.kill9();
    const top = await create(desk, desk.collectionId, 'Top');
    const batchId = await upload(desk, top.id, 'a.txt');
    expect(await rowsOf(desk, batchId)).toMatchObject([{ collectionName: 'Top' }]);
    await service.restart();
    desk.engine.startUploads();
    await vi.waitUntil(async () => (await rowsOf(desk, batchId))[0]?.state === 'complete', { timeout: 300_000 });
  });

  it('fail with the reason when the collection is dropped, and continue in another one', async ({ desk, service }) => {
    await desk.engine.call('library.syncNow', { siteId: desk.siteId });
    await service.kill9();
    const top = await create(desk, desk.collectionId, 'Never');
    const batchId = await upload(desk, top.id, 'd.txt');
    await desk.engine.call('edits.undo', { groupId: top.groupId ?? '' });
    await service.restart();
    desk.engine.startUploads();
    const hasFailed = async () => (await rowsOf(desk, batchId)).every(({ state }) => state === 'failed');
    await vi.waitUntil(hasFailed, { timeout: 300_000 });
    const [row] = await rowsOf(desk, batchId);
    expect(row?.error).toMatchObject({ code: 'collection.not-created', message: expect.stringContaining('“Never”') });
    await desk.engine.call('uploads.chooseCollection', { batchId, collectionRef: desk.collectionId });
    const isComplete = async () => (await rowsOf(desk, batchId)).every(({ state }) => state === 'complete');
    await vi.waitUntil(isComplete, { timeout: 300_000 });
  });

  it('continue automatically when a refused creation succeeds later', async ({ desk, service }) => {
    await desk.engine.call('library.syncNow', { siteId: desk.siteId });
    await service.kill9();
    const top = await create(desk, desk.collectionId, 'Later');
    const batchId = await upload(desk, top.id, 'e.txt');
    await service.restart();
    const action = { kind: 'status', status: 422, body: { message: 'Not now.' } };
    await service.control('POST', '/faults', { method: 'POST', path: '^/api2/collections$', times: 1, action });
    desk.engine.startUploads();
    const hasFailed = async () => (await rowsOf(desk, batchId)).every(({ state }) => state === 'failed');
    await vi.waitUntil(hasFailed, { timeout: 300_000 });
    const [refused] = await attention(desk);
    expect(refused).toMatchObject({ entityId: top.id, state: 'refused' });
    await desk.engine.call('edits.retry', { ids: [refused?.id ?? ''] });
    const isComplete = async () => (await rowsOf(desk, batchId)).every(({ state }) => state === 'complete');
    await vi.waitUntil(isComplete, { timeout: 300_000 });
  });
});

describe('a collection that can’t be read after its edit was sent', () => {
  deskIt('is shown with the value that was sent, and its next edit causes no question', async ({ desk, service }) => {
    const { engine, siteId, collectionId } = desk;
    await engine.call('library.syncNow', { siteId });
    const top = await create(desk, collectionId, 'Before');
    await engine.call('library.syncNow', { siteId });
    // Two reads happen before the edit is sent. After it, neither the collection nor the lists can be read.
    const action = { kind: 'status', status: 403 };
    const one = { method: 'GET', path: `^/api2/collections/${top.id}$`, nth: 3, times: null, action };
    const lists = { method: 'GET', path: '^/api2/collections(?:/tree)?$', nth: 1, times: null, action };
    for (const fault of [one, lists]) await service.control('POST', '/faults', fault);
    await expect(update(desk, top.id, { display_name: 'Sent' })).rejects.toMatchObject({ code: 'api.forbidden' });
    await service.kill9();
    expect(await childrenOf(desk, collectionId)).toMatchObject([{ displayName: 'Sent' }]);
    await update(desk, top.id, { display_name: 'Next' });
    await service.restart();
    await whenSent(desk);
    expect(await attention(desk)).toEqual([]);
    const direct = await clientFor(service);
    expect((await direct.get(`/api2/collections/${top.id}`)).body.display_name).toBe('Next');
  });
});
