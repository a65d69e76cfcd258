// A deletion of a collection that takes several attempts deletes only objects that the user confirmed, and none that were added
// later.
import { describe, expect, vi } from 'vitest';
import { type Desk, deskTest } from '../../../helpers/engine/desk.ts';
import { clientFor } from '../../../helpers/service/service-client.ts';

const it = deskTest();

it.override('speed', 20);

const rowsOf = async ({ engine }: Desk) =>
  (await engine.call('edits.groupRows', { groupId: null, filter: 'all', entityId: null, offset: 0, limit: 50 })).rows;

/** Begins to delete a collection with six items. Returns when five are deleted; the deletion of the last one fails. */
async function partlyDeleted(desk: Desk) {
  const { engine, siteId, service } = desk;
  const direct = await clientFor(service);
  const { id } = await engine.call('library.createCollection', {
    siteId,
    parentId: desk.collectionId,
    displayName: 'Season',
    isPodcast: false,
  });
  const items: string[] = [];
  for (let index = 0; index < 6; index += 1) {
    items.push(await direct.createItem(`Talk ${index}`, { collection_id: id }));
  }
  const last = items.at(-1) ?? '';
  const fault = { method: 'DELETE', path: `^${last}$`, times: 1000, action: { kind: 'status', status: 500 } };
  await service.control('POST', '/faults', fault);
  const confirmed = await engine.call('library.planDeletion', { siteId, collectionIds: [id] });
  expect(confirmed).toMatchObject({ collections: 1, items: 6 });
  const isGone = async (path: string) => (await direct.get(path)).status === 404;
  const deleting = engine.call('library.deleteCollections', { siteId, collectionIds: [id], confirmed });
  await vi.waitUntil(async () => (await Promise.all(items.slice(0, -1).map(isGone))).every(Boolean), 60_000);
  return { direct, id, last, isGone, deleting };
}

describe('a deletion of a collection that needs a second attempt', () => {
  it('asks about items that were added after the first attempt, also when their count does not exceed the confirmed count', async ({
    desk,
  }) => {
    const { direct, id, last, isGone, deleting } = await partlyDeleted(desk);
    const later = await direct.createItem('Someone else’s talk', { collection_id: id });
    await desk.service.control('DELETE', '/faults');
    await deleting;
    await vi.waitUntil(async () => (await rowsOf(desk)).some(({ state }) => state === 'conflict'), 60_000);
    expect(await isGone(later)).toBe(false);
    expect(await isGone(last)).toBe(false);
    const asked = (await rowsOf(desk)).find(({ state }) => state === 'conflict');
    const rows = { ids: [asked?.id ?? ''] };
    await desk.engine.call('edits.resolve', { rows, field: null, choice: { kind: 'mine' } });
    await vi.waitUntil(() => isGone(`/api2/collections/${id}`), 60_000);
    expect(await isGone(later)).toBe(true);
  });

  it('asks about items that were added during a restart between the attempts', async ({ desk }) => {
    const { direct, id, isGone, deleting } = await partlyDeleted(desk);
    await deleting;
    await desk.engine.stop();
    const later = await direct.createItem('Someone else’s talk', { collection_id: id });
    await desk.service.control('DELETE', '/faults');
    await desk.reopen();
    desk.engine.startUploads();
    await vi.waitUntil(async () => (await rowsOf(desk)).some(({ state }) => state === 'conflict'), 60_000);
    expect(await isGone(later)).toBe(false);
  });

  it('continues without a question when no item was added', async ({ desk }) => {
    const { id, isGone, deleting } = await partlyDeleted(desk);
    await desk.service.control('DELETE', '/faults');
    await deleting;
    await vi.waitUntil(() => isGone(`/api2/collections/${id}`), 60_000);
  });
});

describe('the second of two deletions of a collection to which someone adds another one before they are sent', () => {
  /** Returns the added collection, the deletion that asks (`first`) and the id of the one that waits. */
  async function askedOnce(desk: Desk) {
    const { engine, siteId, service } = desk;
    const direct = await clientFor(service);
    const { id } = await engine.call('library.createCollection', {
      siteId,
      parentId: desk.collectionId,
      displayName: 'Season',
      isPodcast: false,
    });
    const confirmed = await engine.call('library.planDeletion', { siteId, collectionIds: [id] });
    await service.control('PATCH', '/settings', { read_only: true });
    for (let count = 1; count <= 2; count += 1) {
      const waiting = await engine.call('library.deleteCollections', { siteId, collectionIds: [id], confirmed });
      expect(waiting).toMatchObject({ pending: [id] });
    }
    // The edits are not sent before the other collection is there.
    await engine.stop();
    await service.control('PATCH', '/settings', { read_only: false });
    const { body: added } = await direct.post('/api2/collections', { parent_id: id, display_name: 'Added' });
    await desk.reopen();
    desk.engine.startEdits();
    await vi.waitUntil(async () => (await rowsOf(desk)).some(({ state }) => state === 'conflict'), 60_000);
    const rows = await rowsOf(desk);
    const idOf = (state: string) => rows.find((each) => each.state === state)?.id ?? '';
    return { direct, added, first: { ids: [idOf('conflict')] }, secondId: idOf('pending') };
  }

  const stateOf = async (desk: Desk, rowId: string) => (await rowsOf(desk)).find(({ id }) => id === rowId)?.state;

  it('ends with the decision to keep the collection', async ({ desk }) => {
    const { direct, added, first, secondId } = await askedOnce(desk);
    await desk.engine.call('edits.resolve', { rows: first, field: null, choice: { kind: 'theirs' } });
    await vi.waitUntil(async () => (await stateOf(desk, secondId)) === 'dropped', 60_000);
    await desk.engine.whenEditsIdle();
    expect((await direct.get(`/api2/collections/${added.id}`)).status).toBe(200);
  });

  it('asks, too, after the user confirmed the first deletion and then dropped it', async ({ desk }) => {
    const { direct, added, first, secondId } = await askedOnce(desk);
    await desk.service.control('PATCH', '/settings', { read_only: true });
    await desk.engine.call('edits.resolve', { rows: first, field: null, choice: { kind: 'mine' } });
    await desk.engine.whenEditsIdle();
    await desk.engine.call('edits.drop', first);
    await desk.service.control('PATCH', '/settings', { read_only: false });
    await vi.waitUntil(async () => (await stateOf(desk, secondId)) === 'conflict', 60_000);
    expect((await direct.get(`/api2/collections/${added.id}`)).status).toBe(200);
  });
});
