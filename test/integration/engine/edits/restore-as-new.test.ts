// Recreation of items and collections that someone else deleted while edits were pending: real service, real journal.
import { describe, expect } from 'vitest';
import type { BulkChange } from '../../../../shared/contract/edits.ts';
import { type Desk, deskTest } from '../../../helpers/engine/desk.ts';
import { edit, makeItem, rowsOf } from '../../../helpers/engine/edit-steps.ts';
import { makeCollection } from '../../../helpers/engine/engine-host.ts';
import { effectsOf } from '../../../helpers/service/journal.ts';
import type { ServiceClient } from '../../../helpers/service/service-client.ts';

const it = deskTest();

const CHANGE: BulkChange = {
  byline: { kind: 'set', value: 'Ada' },
  tags: { kind: 'change', add: ['kept'], remove: [] },
};

/** The refused row of an item or a collection. */
async function refusedOf(desk: Desk, entityId: string) {
  return (await rowsOf(desk, null, 'refused')).find((row) => row.entityId === entityId);
}

/** Creates an item whose edit is refused because the item was deleted between the review and the edit. Returns the edit's id. */
async function deletedItem(desk: Desk, client: ServiceClient) {
  const id = await makeItem(client, desk);
  await edit(desk, [id], CHANGE, () => client.delete(`/api2/media/${id}`));
  await desk.engine.whenEditsIdle();
  return (await refusedOf(desk, id))?.id ?? '';
}

async function stateOf(desk: Desk, rowId: string) {
  return (await rowsOf(desk, null)).find(({ id }) => id === rowId)?.state;
}

describe('an item that someone else deleted', () => {
  it('is created again as a new one with the refused edits, which are dropped', async ({ desk, client }) => {
    const rowId = await deletedItem(desk, client);
    const { engine, collectionId } = desk;
    const { id, name, isPending } = await engine.call('edits.restoreAsNew', { rowId, collectionId });
    expect([name, isPending]).toEqual(['Talk', false]);
    const { body } = await client.get(`/api2/media/${id}`);
    expect(body).toMatchObject({
      title: 'Talk',
      byline: 'Ada',
      tags: ['kept'],
      collection_id: collectionId,
      status: 'draft',
    });
    expect(await stateOf(desk, rowId)).toBe('dropped');
    await expect(engine.call('edits.restoreAsNew', { rowId, collectionId })).rejects.toMatchObject({
      code: 'edit.cant-restore',
    });
  });

  it('names the collection that contained it, or into which its user moved it last, while that exists', async ({
    desk,
    client,
  }) => {
    const { engine, siteId, collectionId } = desk;
    const other = await makeCollection(engine, siteId, 'Other place');
    const [kept, moved] = [await makeItem(client, desk, 'Kept'), await makeItem(client, desk, 'Moved')];
    await engine.call('library.syncNow', { siteId });
    const gone = (id: string) => client.delete(`/api2/media/${id}`);
    await edit(desk, [kept], CHANGE, () => gone(kept));
    await edit(desk, [moved], { ...CHANGE, collectionId: other }, () => gone(moved));
    await engine.whenEditsIdle();
    expect((await refusedOf(desk, kept))?.placeId).toBe(collectionId);
    expect((await refusedOf(desk, moved))?.placeId).toBe(other);
    await client.delete(`/api2/collections/${other}`);
    await engine.call('library.syncNow', { siteId });
    expect((await refusedOf(desk, moved))?.placeId).toBeUndefined();
  });

  it('is created once when the reply of the library is lost', async ({ desk, service, client }) => {
    const rowId = await deletedItem(desk, client);
    const { engine, collectionId } = desk;
    const before = (await effectsOf(service, 'media-created')).length;
    await service.control('POST', '/faults', {
      method: 'POST',
      path: '/api2/media',
      times: 1,
      action: { kind: 'lose-reply' },
    });
    const { id } = await engine.call('edits.restoreAsNew', { rowId, collectionId });
    expect((await client.get(`/api2/media/${id}`)).body).toMatchObject({ title: 'Talk', byline: 'Ada' });
    expect((await effectsOf(service, 'media-created')).length).toBe(before + 1);
  });

  it('is not confused with an item of the same name, and is created once after a refused request', async ({
    desk,
    service,
    client,
  }) => {
    const rowId = await deletedItem(desk, client);
    const { engine, collectionId } = desk;
    await client.createItem('Talk', { collection_id: collectionId });
    await service.control('POST', '/faults', {
      method: 'POST',
      path: '^/api2/media$',
      times: 1,
      action: { kind: 'status', status: 403 },
    });
    await expect(engine.call('edits.restoreAsNew', { rowId, collectionId })).rejects.toThrow();
    // Someone else created it after the refused request, so it is not the user's own item.
    const other = await client.createItem('Talk', { collection_id: collectionId });
    const { id } = await engine.call('edits.restoreAsNew', { rowId, collectionId });
    expect(other.endsWith(`/${id}`)).toBe(false);
    expect((await client.get(`/api2/media/${id}`)).body).toMatchObject({ title: 'Talk', byline: 'Ada' });
  });

  it('keeps its refused edits when the library does not create it again', async ({ desk, client }) => {
    const rowId = await deletedItem(desk, client);
    await expect(desk.engine.call('edits.restoreAsNew', { rowId, collectionId: '999999' })).rejects.toThrow();
    expect(await stateOf(desk, rowId)).toBe('refused');
  });
});

describe('a collection that someone else deleted', () => {
  it('is created again as a new one with the refused edits, in another collection', async ({
    desk,
    service,
    client,
  }) => {
    const { engine, siteId } = desk;
    const made = await client.post('/api2/collections', { display_name: 'Course', parent_id: '1' });
    const courseId = made.location.split('/').at(-1) ?? '';
    await engine.call('library.refresh', { siteId });
    await service.control('PATCH', '/settings', { read_only: true });
    await engine.call('library.updateCollection', {
      siteId,
      collectionId: courseId,
      patch: { description: 'Kept' },
      expected: {},
    });
    await service.control('PATCH', '/settings', { read_only: false });
    await client.delete(`/api2/collections/${courseId}`);
    await engine.call('edits.retry', { groupId: null, filter: 'pending' });
    const refused = () => refusedOf(desk, courseId);
    await expect.poll(refused, { timeout: 60_000 }).toMatchObject({ error: { code: 'edit.collection-gone' } });
    const rowId = (await refused())?.id ?? '';
    const { id, name } = await engine.call('edits.restoreAsNew', { rowId, collectionId: '1' });
    expect(name).toBe('Course');
    expect((await client.get(`/api2/collections/${id}`)).body).toMatchObject({
      display_name: 'Course',
      description: 'Kept',
      parent_id: '1',
    });
    expect(await stateOf(desk, rowId)).toBe('dropped');
  });
});
