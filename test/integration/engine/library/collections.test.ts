import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { CollectionMove } from '../../../../shared/contract/collections.ts';
import { Desk, deskTest } from '../../../helpers/engine/desk.ts';
import { journalOf } from '../../../helpers/service/journal.ts';
import { clientFor, type ServiceClient } from '../../../helpers/service/service-client.ts';
import { make } from '../../../helpers/service/service-people.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';
import { person } from '../account/person.ts';

const deskIt = deskTest();

/** Creates a collection inside another one. Returns its id. */
async function below(desk: Desk, parentId: string, displayName: string, isPodcast = false): Promise<string> {
  const { siteId } = desk;
  return (await desk.engine.call('library.createCollection', { siteId, parentId, displayName, isPodcast })).id;
}

async function childrenOf(desk: Desk, parentId: string | null): Promise<string[]> {
  const rows = await desk.engine.call('library.collections', { siteId: desk.siteId, parentId });
  return rows.map(({ displayName }) => displayName);
}

const move = (desk: Desk, ...moves: CollectionMove[]) =>
  desk.engine.call('library.moveCollections', { siteId: desk.siteId, moves });

const update = (desk: Desk, collectionId: string, patch: object, expected: object = {}) =>
  desk.engine.call('library.updateCollection', { siteId: desk.siteId, collectionId, patch, expected });

async function rootOf(desk: Desk): Promise<string> {
  const [root] = await desk.engine.call('library.collections', { siteId: desk.siteId, parentId: null });
  return root?.id ?? '';
}

/** The requests that changed something, as `METHOD path`. */
async function writes(desk: Desk): Promise<string[]> {
  const entries = await journalOf(desk.service);
  return entries.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);
}

describe.each(['reference', 'lean', 'strict'] as const)('the engine, for a library with the dialect %s,', (dialect) => {
  let service: ServiceProcess;
  beforeAll(async () => {
    service = await startService({ dialect });
  });
  afterAll(() => service.stop());
  const it = test.extend('desk', async ({ task: _task }, { onCleanup }) => {
    const desk = await Desk.open(service);
    onCleanup(async () => {
      await desk.close();
      await service.control('PATCH', '/settings', { read_only: false });
    });
    return desk;
  });

  it('saves only the given fields of a collection and returns the collection as the service has it', async ({
    desk,
  }) => {
    const collectionId = await below(desk, desk.collectionId, 'Before');
    const patch = { display_name: 'After', description: '<p>About <em>it</em></p>', autotranscribe_enabled: true };
    const { collection, viewUrl } = await update(desk, collectionId, patch, { display_name: 'Before' });
    expect(collection).toMatchObject(patch);
    expect(viewUrl).toContain(desk.service.baseUrl);
    const off = await update(desk, collectionId, { inherit_memberships: false, autotranscribe_profile_id: 'p-1' });
    expect(off.collection).toMatchObject({ ...patch, inherit_memberships: false, autotranscribe_profile_id: 'p-1' });
    expect(await childrenOf(desk, desk.collectionId)).toEqual(['After']);
  });

  it('generates the slug of a collection again from its new name', async ({ desk }) => {
    const collectionId = await below(desk, desk.collectionId, `Old ${desk.collectionId}`);
    await update(desk, collectionId, { display_name: `Quantum ${desk.collectionId}` });
    const { collection } = await desk.engine.call('library.reslugifyCollection', { siteId: desk.siteId, collectionId });
    expect(collection.slug).toBe(`quantum-${desk.collectionId}`);
  });

  it('saves nothing when a value differs from the expected one', async ({ desk }) => {
    const collectionId = await below(desk, desk.collectionId, 'Mine');
    const other = await clientFor(desk.service);
    await other.post(`/api2/collections/${collectionId}`, { display_name: 'Theirs' });
    const saving = update(desk, collectionId, { display_name: 'Mine again' }, { display_name: 'Mine' });
    await expect(saving).rejects.toMatchObject({ code: 'collection.changed', details: { fields: 'display_name' } });
    expect(await childrenOf(desk, desk.collectionId)).toEqual(['Theirs']);
    // A change of another field is no conflict.
    await other.post(`/api2/collections/${collectionId}`, { description: 'theirs' });
    const saved = await update(desk, collectionId, { display_name: 'Both' }, { display_name: 'Theirs' });
    expect(saved.collection).toMatchObject({ display_name: 'Both', description: 'theirs' });
  });

  it('reports a slug that another collection has, and an invalid one by its field', async ({ desk }) => {
    const [one, two] = [await below(desk, desk.collectionId, 'One'), await below(desk, desk.collectionId, 'Two')];
    const slug = `taken-${desk.collectionId}`;
    await update(desk, one, { slug });
    await expect(update(desk, two, { slug })).rejects.toMatchObject({ code: 'collection.slug-taken' });
    const invalid = update(desk, two, { slug: 'no spaces' });
    await expect(invalid).rejects.toMatchObject({
      code: 'api.invalid',
      details: { errors: [expect.objectContaining({ field: 'slug' })] },
    });
  });

  it('reports a collection that was deleted meanwhile', async ({ desk }) => {
    const collectionId = await below(desk, desk.collectionId, 'Gone');
    await (await clientFor(desk.service)).delete(`/api2/collections/${collectionId}`);
    const { siteId } = desk;
    const gone = { code: 'api.not-found' };
    await expect(desk.engine.call('library.collectionDetail', { siteId, collectionId })).rejects.toMatchObject(gone);
    await expect(update(desk, collectionId, { display_name: 'x' })).rejects.toMatchObject(gone);
    const renewing = desk.engine.call('library.reslugifyCollection', { siteId, collectionId });
    await expect(renewing).rejects.toMatchObject(gone);
    const { moved, failed } = await move(desk, { collectionId, newParentId: desk.collectionId });
    expect({ moved, failed }).toMatchObject({ moved: [], failed: [{ collectionId, error: gone }] });
  });

  it('moves several collections, and moves them back only from the place to which it moved them', async ({ desk }) => {
    const [from, to] = [await below(desk, desk.collectionId, 'From'), await below(desk, desk.collectionId, 'To')];
    const [one, two] = [await below(desk, from, 'One'), await below(desk, from, 'Two')];
    const there = await move(desk, ...[one, two].map((collectionId) => ({ collectionId, newParentId: to })));
    expect(there.moved.map(({ fromParentId }) => fromParentId)).toEqual([from, from]);
    expect(await childrenOf(desk, to)).toEqual(['One', 'Two']);
    const other = await clientFor(desk.service);
    await other.post(`/api2/collections/${two}/move`, { new_parent_id: desk.collectionId });
    const back = await move(
      desk,
      ...there.moved.map(({ collectionId, fromParentId }) => ({
        collectionId,
        newParentId: fromParentId,
        expectedParentId: to,
      })),
    );
    expect(back.moved).toMatchObject([{ collectionId: one }]);
    expect(back.failed).toMatchObject([{ collectionId: two, error: { code: 'collection.changed' } }]);
    expect(await childrenOf(desk, from)).toEqual(['One']);
  });

  it('refuses a move of a root and a move into itself or below, without a request to move', async ({ desk }) => {
    const outer = await below(desk, desk.collectionId, 'Outer');
    const inner = await below(desk, await below(desk, outer, 'Middle'), 'Inner');
    const root = await rootOf(desk);
    const before = await writes(desk);
    const { moved, failed } = await move(
      desk,
      { collectionId: outer, newParentId: inner },
      { collectionId: outer, newParentId: outer },
      { collectionId: root, newParentId: outer },
    );
    expect(moved).toEqual([]);
    const codes = failed.map(({ error }) => error.code);
    expect(codes).toEqual(['collection.into-itself', 'collection.into-itself', 'collection.is-root']);
    expect(await writes(desk)).toEqual(before);
  });

  it('counts what a deletion removes, and removes exactly that', async ({ desk }) => {
    const top = await below(desk, desk.collectionId, 'Top');
    const inner = await below(desk, top, 'Inner', true);
    const kept = await below(desk, desk.collectionId, 'Kept');
    const direct = await clientFor(desk.service);
    await direct.createItem('a', { collection_id: top });
    const item = await direct.createItem('b', { collection_id: inner });
    await direct.upload(item, 'b.txt', Buffer.from('text'));
    await direct.createItem('kept', { collection_id: kept });
    const { siteId } = desk;
    const plan = await desk.engine.call('library.planDeletion', { siteId, collectionIds: [top, inner] });
    expect(plan).toMatchObject({ collections: 2, items: 2, podcasts: 1, forbidden: [] });
    expect([1, null]).toContain(plan.files);
    const progress: number[] = [];
    desk.engine.on('onDidProgressDeletion', ({ deletedItems }) => progress.push(deletedItems));
    const done = await desk.engine.call('library.deleteCollections', { siteId, collectionIds: [top], confirmed: plan });
    expect(done).toEqual({ deleted: [top], deletedItems: 2, failed: [], isStopped: false });
    expect(progress).toEqual([1, 2]);
    expect(await childrenOf(desk, desk.collectionId)).toEqual(['Kept']);
    expect((await direct.get(`/api2/media/count?collection_id=${kept}`)).body).toEqual({ count: 1 });
  });

  it('deletes nothing when a collection contains more than the user confirmed', async ({ desk }) => {
    const top = await below(desk, desk.collectionId, 'Top');
    const direct = await clientFor(desk.service);
    await direct.createItem('a', { collection_id: top });
    const { siteId } = desk;
    const confirmed = await desk.engine.call('library.planDeletion', { siteId, collectionIds: [top] });
    const second = await direct.createItem('b', { collection_id: top });
    const before = await writes(desk);
    const deleting = desk.engine.call('library.deleteCollections', { siteId, collectionIds: [top], confirmed });
    await expect(deleting).rejects.toMatchObject({ code: 'collection.grew', details: { items: 2 } });
    expect(await writes(desk)).toEqual(before);
    expect((await direct.get(second)).status).toBe(200);
  });

  it('deletes nothing when one of the collections was not confirmed, even if their number is the confirmed one', async ({
    desk,
  }) => {
    const top = await below(desk, desk.collectionId, 'Top');
    const inner = await below(desk, top, 'Inner');
    const direct = await clientFor(desk.service);
    const { siteId } = desk;
    const confirmed = await desk.engine.call('library.planDeletion', { siteId, collectionIds: [top] });
    await direct.delete(`/api2/collections/${inner}`);
    const { body } = await direct.post('/api2/collections', { parent_id: top, display_name: 'Another' });
    const deleting = desk.engine.call('library.deleteCollections', { siteId, collectionIds: [top], confirmed });
    await expect(deleting).rejects.toMatchObject({ code: 'collection.grew', details: { collections: 2 } });
    expect((await direct.get(`/api2/collections/${body.id}`)).status).toBe(200);
  });

  it('lists the items of a collection together with those below it', async ({ desk }) => {
    const inner = await below(desk, await below(desk, desk.collectionId, 'Middle'), 'Inner');
    const direct = await clientFor(desk.service);
    await direct.createItem('outside');
    await direct.createItem('top', { collection_id: desk.collectionId });
    await direct.createItem('deep', { collection_id: inner });
    const { siteId, collectionId } = desk;
    const titles = async (includesBelow: boolean, search = '') => {
      const query = { siteId, collectionId, includesBelow, search, type: null, status: null };
      const sorted = { ...query, sort: 'title', order: 'asc' } as const;
      const { rows, total } = await desk.engine.call('library.mediaWindow', { query: sorted, offset: 0, limit: 50 });
      expect(total).toBe(rows.length);
      return rows.map(({ title }) => title);
    };
    expect(await titles(false)).toEqual(['top']);
    expect(await titles(true)).toEqual(['deep', 'top']);
    expect(await titles(true, 'deep')).toEqual(['deep']);
  });

  it('saves podcast details field by field and keeps unknown values unchanged', async ({ desk }) => {
    const collectionId = await below(desk, desk.collectionId, 'Show', true);
    const { siteId } = desk;
    const direct = await clientFor(desk.service);
    const category = 'Arts › Books & “Zines”  (legacy:17)';
    await direct.post(`/api2/collections/${collectionId}/podcast-details`, { directory_category: category });
    const podcast = await desk.engine.call('library.podcast', { siteId, collectionId });
    expect(podcast).toMatchObject({ details: { directory_category: category, copyright: null }, publishedEpisodes: 0 });
    expect(podcast.artwork).toBe(dialect === 'lean' ? 'unknown' : null);
    const patch = { copyright: '© 2026 Ümläut', directory_explicit: 'clean' } as const;
    const expected = { copyright: null, directory_explicit: null };
    const saved = await desk.engine.call('library.updatePodcast', { siteId, collectionId, patch, expected });
    expect(saved.details).toMatchObject({ ...patch, directory_category: category });
    // The library has these values already, so there is no conflict.
    await desk.engine.call('library.updatePodcast', { siteId, collectionId, patch, expected });
    const other = { ...patch, copyright: 'Mine' };
    const again = desk.engine.call('library.updatePodcast', { siteId, collectionId, patch: other, expected });
    await expect(again).rejects.toMatchObject({ code: 'collection.changed' });
    const cleared = { siteId, collectionId, patch: { copyright: null }, expected: {} };
    expect((await desk.engine.call('library.updatePodcast', cleared)).details.copyright).toBeNull();
  });

  it('reports a collection that is no podcast', async ({ desk }) => {
    const { siteId, collectionId } = desk;
    const reading = desk.engine.call('library.podcast', { siteId, collectionId });
    await expect(reading).rejects.toMatchObject({ code: 'collection.not-a-podcast' });
  });

  it('keeps changes in the journal while the library is read-only, and sends them afterwards', async ({ desk }) => {
    const [one, two] = [await below(desk, desk.collectionId, 'One'), await below(desk, desk.collectionId, 'Two')];
    const direct = await clientFor(desk.service);
    const item = await direct.createItem('a', { collection_id: one });
    const { siteId } = desk;
    const confirmed = await desk.engine.call('library.planDeletion', { siteId, collectionIds: [one] });
    await desk.service.control('PATCH', '/settings', { read_only: true });
    const waits = { isPending: true, pendingReason: { code: 'api.read-only' } };
    expect(await update(desk, two, { display_name: 'Renamed' })).toMatchObject(waits);
    const { moved, failed } = await move(desk, { collectionId: two, newParentId: one });
    expect({ moved, failed }).toMatchObject({ moved: [{ collectionId: two, isPending: true }], failed: [] });
    expect(await childrenOf(desk, one)).toEqual(['Renamed']);
    expect((await direct.get(`/api2/collections/${two}`)).body).toMatchObject({ display_name: 'Two' });
    // A collection waits to be moved into this one, so this one contains more than was confirmed.
    const growing = desk.engine.call('library.deleteCollections', { siteId, collectionIds: [one], confirmed });
    await expect(growing).rejects.toMatchObject({ code: 'collection.grew' });
    await desk.service.control('PATCH', '/settings', { read_only: false });
    const nothingOpen = async () => {
      const { totals } = await desk.engine.call('edits.groups', { siteId: null, isOpen: true, offset: 0, limit: 1 });
      return totals.pending === 0;
    };
    await vi.waitUntil(nothingOpen, { timeout: 60_000 });
    const there = { display_name: 'Renamed', parent_id: Number(one) };
    const now = (await direct.get(`/api2/collections/${two}`)).body;
    expect({ ...now, parent_id: Number(now.parent_id) }).toMatchObject(there);
    expect((await direct.get(item)).status).toBe(200);
  });
});

describe('changes of collections', () => {
  const it = deskIt;

  async function openAs(desk: Desk, email: string) {
    const { baseUrl, clientId, admin } = desk.service;
    const opener = person(admin, { email });
    const engine = await desk.reopen({ openers: { embedded: opener, system: opener } });
    const site = await engine.call('sites.signIn', { baseUrl, clientId, browser: 'embedded' });
    desk.siteId = site.id;
    return engine;
  }

  it('by a user with few rights are refused, and nothing is lost', async ({ desk }) => {
    const top = await below(desk, desk.collectionId, 'Top');
    const direct = await clientFor(desk.service);
    const item = await direct.createItem('a', { collection_id: top });
    await direct.post(`${item}/publish`, {});
    await openAs(desk, 'viewer@library.example');
    await expect(update(desk, top, { display_name: 'x' })).rejects.toMatchObject({ code: 'api.forbidden' });
    const { failed } = await move(desk, { collectionId: top, newParentId: await rootOf(desk) });
    expect(failed).toMatchObject([{ displayName: 'Top', error: { code: 'api.forbidden' } }]);
    const { siteId } = desk;
    const plan = await desk.engine.call('library.planDeletion', { siteId, collectionIds: [top] });
    expect(plan.forbidden).toEqual([{ collectionId: top, displayName: 'Top' }]);
    const deleting = desk.engine.call('library.deleteCollections', { siteId, collectionIds: [top], confirmed: plan });
    await expect(deleting).rejects.toMatchObject({ code: 'api.forbidden' });
    expect((await direct.get(item)).status).toBe(200);
  });

  it('that delete a subcollection without permission are refused, and no item is lost', async ({ desk }) => {
    const top = await below(desk, desk.collectionId, 'Top');
    const secret = await below(desk, top, 'Secret');
    const direct: ServiceClient = await clientFor(desk.service);
    const item = await direct.createItem('a', { collection_id: top });
    const user = await make(direct, 'users', { password: desk.service.admin.password });
    const permissions = ['collection-read', 'collection-delete', 'media-read', 'media-update', 'media-delete'];
    const role = await make(direct, 'roles', {
      display_name: 'Cleaner',
      permissions: [...permissions, 'admin-panel-access'],
    });
    const reader = await make(direct, 'roles', {
      display_name: 'Reader',
      permissions: ['collection-read', 'media-read'],
    });
    await make(direct, 'memberships', { role_id: role.id, collection_id: top, user_id: user.id });
    await direct.post(`/api2/collections/${secret}`, { inherit_memberships: false });
    await make(direct, 'memberships', { role_id: reader.id, collection_id: secret, user_id: user.id });
    await openAs(desk, user.email_address);
    const { siteId } = desk;
    const plan = await desk.engine.call('library.planDeletion', { siteId, collectionIds: [top] });
    expect(plan).toMatchObject({ collections: 2, forbidden: [{ collectionId: secret, displayName: 'Secret' }] });
    const deleting = desk.engine.call('library.deleteCollections', { siteId, collectionIds: [top], confirmed: plan });
    await expect(deleting).rejects.toMatchObject({ code: 'api.forbidden' });
    expect((await direct.get(item)).status).toBe(200);
  });

  it('keep the remaining items of a collection when the user stops its deletion', async ({ desk }) => {
    const top = await below(desk, desk.collectionId, 'Top');
    const direct = await clientFor(desk.service);
    for (let n = 0; n < 12; n += 1) await direct.createItem(`n${n}`, { collection_id: top });
    const { siteId } = desk;
    const confirmed = await desk.engine.call('library.planDeletion', { siteId, collectionIds: [top] });
    desk.engine.on('onDidProgressDeletion', () => void desk.engine.call('library.stopDeletion', { siteId }));
    const done = await desk.engine.call('library.deleteCollections', { siteId, collectionIds: [top], confirmed });
    expect(done).toMatchObject({ deleted: [], failed: [], isStopped: true });
    const left = (await direct.get(`/api2/media/count?collection_id=${top}`)).body.count;
    expect(left).toBe(12 - done.deletedItems);
    expect(left).toBeGreaterThan(0);
  });

  it('report a move as done when only its reply was lost', async ({ desk }) => {
    const [one, two] = [await below(desk, desk.collectionId, 'One'), await below(desk, desk.collectionId, 'Two')];
    await desk.service.control('POST', '/faults', {
      method: 'POST',
      path: `/api2/collections/${one}/move`,
      action: { kind: 'lose-reply' },
    });
    const { moved, failed } = await move(desk, { collectionId: one, newParentId: two });
    expect(failed).toEqual([]);
    expect(moved).toMatchObject([{ collectionId: one, fromParentId: desk.collectionId }]);
  });
});
