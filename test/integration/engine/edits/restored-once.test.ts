// The creation of an item is not idempotent: a restored item is created once, and no other item is mistaken for it.
import { describe, expect, vi } from 'vitest';
import type { Engine } from '../../../../electron/engine/engine.ts';
import type { BulkChange } from '../../../../shared/contract/edits.ts';
import { type Desk, deskTest } from '../../../helpers/engine/desk.ts';
import { edit, makeItem, rowsOf } from '../../../helpers/engine/edit-steps.ts';
import { openEngineAs } from '../../../helpers/engine/library-people.ts';
import type { ServiceClient } from '../../../helpers/service/service-client.ts';
import type { ServiceProcess } from '../../../helpers/service/service-process.ts';
import type { FastClock } from '../../../helpers/time/fast-clock.ts';

const it = deskTest();

const CHANGE: BulkChange = {
  byline: { kind: 'set', value: 'Ada' },
  tags: { kind: 'change', add: ['kept'], remove: [] },
};
/** The values of the restored item, which someone else could also use in a new item. */
const EQUAL = { byline: 'Ada', tags: ['kept'] };

/** The request never reaches the library; its answer is missing, as if it had been lost. */
const NEVER_SENT = { kind: 'reset', afterBytes: 0 };
const LOSE_REPLY = { kind: 'lose-reply' };
const REFUSED = { kind: 'status', status: 403 };
const MEDIA = '^/api2/media$';

const fail = (
  service: ServiceProcess,
  method: string,
  action: object,
  { path = MEDIA, nth = 1, times = 1 as 1 | null } = {},
) => service.control('POST', '/faults', { method, path, nth, times, action });

/**
 * Creates an item whose edit is refused because the item was deleted between the review and the edit. Returns the row of the
 * edit.
 */
async function deletedItem(desk: Desk, client: ServiceClient, change: BulkChange = CHANGE): Promise<string> {
  const id = await makeItem(client, desk);
  await edit(desk, [id], change, () => client.delete(`/api2/media/${id}`));
  await desk.engine.whenEditsIdle();
  return (await rowsOf(desk, null, 'refused')).find((row) => row.entityId === id)?.id ?? '';
}

interface Item {
  id: string;
  byline: string | null;
}

async function itemsIn(client: ServiceClient, collectionId: string): Promise<Item[]> {
  return (await client.get(`/api2/media?collection_id=${collectionId}`)).body.items;
}

/** Waits until an earlier request has taken effect, or can no longer do so. */
async function waitUntilSettled(clock: Pick<FastClock, 'monotonic' | 'setSpeed'>): Promise<void> {
  const until = clock.monotonic() + 120_000;
  clock.setSpeed(200);
  await vi.waitUntil(() => clock.monotonic() > until, { timeout: 60_000, interval: 20 });
  clock.setSpeed(1);
}

const restore = (engine: Engine, rowId: string, collectionId: string, created?: string | null) =>
  engine.call('edits.restoreAsNew', { rowId, collectionId, ...(created === undefined ? {} : { created }) });

/** Restores a row whose request fails with `action`. Returns the code of the error; empty: none. */
async function restoreLost({ engine, service, collectionId }: Desk, rowId: string, action: object): Promise<string> {
  await fail(service, 'POST', action);
  return restore(engine, rowId, collectionId).then(
    () => '',
    (error: { code: string }) => error.code,
  );
}

/** Returns the ids of the items among which the user has to choose; none when there is no question. */
async function askedAmong(asked: Promise<unknown>): Promise<string[]> {
  const { code, details } = await asked.then(
    () => ({ code: '', details: {} }),
    (error: { code: string; details: object }) => error,
  );
  if (code !== 'edit.item-unclear') throw new Error(`no question, but ${code || 'a result'}`);
  return (details as { items: Item[] }).items.map(({ id }) => id);
}

describe('an item that is restored after a lost request', () => {
  it('is created although an upload created an equal item meanwhile', async ({ desk, client, clock, service }) => {
    const { engine, collectionId } = desk;
    const { tags } = CHANGE;
    const rowId = await deletedItem(desk, client, { tags });
    expect(await restoreLost(desk, rowId, NEVER_SENT)).not.toBe('');
    // The item of the upload has the same values, and no file, because its file can't be created.
    await fail(service, 'POST', { kind: 'status', status: 422 }, { path: '/files$', times: null });
    await desk.add([desk.put('talk.txt')], { titleTemplate: 'Talk', tags: ['kept'] });
    await desk.run();
    const uploaded = (await desk.row('talk.txt')).mediaId;
    expect(uploaded).not.toBeNull();
    await waitUntilSettled(clock);
    const { id } = await restore(engine, rowId, collectionId);
    expect(id).not.toBe(uploaded);
    expect(await itemsIn(client, collectionId)).toHaveLength(2);
  });

  it('is created although another edit restored an equal item meanwhile', async ({ desk, client, clock }) => {
    const { engine, collectionId } = desk;
    const rowId = await deletedItem(desk, client);
    const other = await deletedItem(desk, client);
    expect(await restoreLost(desk, rowId, NEVER_SENT)).not.toBe('');
    const second = await restore(engine, other, collectionId);
    await waitUntilSettled(clock);
    const first = await restore(engine, rowId, collectionId);
    expect(first.id).not.toBe(second.id);
    expect(await itemsIn(client, collectionId)).toHaveLength(2);
  });

  it('is found by a later search when a server of the library does not know it yet', async ({ desk, client }) => {
    const { engine, service, collectionId } = desk;
    const rowId = await deletedItem(desk, client);
    await fail(service, 'GET', { kind: 'status', status: 404 }, { path: '/files$', times: null });
    expect(await restoreLost(desk, rowId, LOSE_REPLY)).not.toBe('');
    await expect(restore(engine, rowId, collectionId)).rejects.toMatchObject({ code: 'edit.item-unfinished' });
    await service.control('DELETE', '/faults');
    const { id } = await restore(engine, rowId, collectionId);
    expect(await itemsIn(client, collectionId)).toMatchObject([{ id }]);
  });

  it('causes a question while another edit may have created the same item', async ({
    desk,
    client,
    clock,
    service,
  }) => {
    const { engine, collectionId } = desk;
    const [one, other] = [await deletedItem(desk, client), await deletedItem(desk, client)];
    expect(await restoreLost(desk, one, NEVER_SENT)).not.toBe('');
    await fail(service, 'POST', LOSE_REPLY);
    const [made] = await askedAmong(restore(engine, other, collectionId));
    expect((await restore(engine, other, collectionId, made)).id).toBe(made);
    await waitUntilSettled(clock);
    expect((await restore(engine, one, collectionId)).id).not.toBe(made);
    expect(await itemsIn(client, collectionId)).toHaveLength(2);
  });

  it('causes a question when someone else created an equal item, and the answer decides', async ({
    desk,
    client,
    clock,
  }) => {
    const { engine, collectionId } = desk;
    const rowId = await deletedItem(desk, client);
    expect(await restoreLost(desk, rowId, NEVER_SENT)).not.toBe('');
    // The same user creates this item with the same values; only its publication shows that it is not the new item.
    const path = await client.createItem('Talk', { collection_id: collectionId, ...EQUAL });
    await client.post(`${path}/publish`, {});
    const [theirs] = await askedAmong(restore(engine, rowId, collectionId));
    expect(path.endsWith(`/${theirs}`)).toBe(true);
    await expect(restore(engine, rowId, collectionId, '999999')).rejects.toMatchObject({ code: 'input.invalid' });
    await waitUntilSettled(clock);
    const { id } = await restore(engine, rowId, collectionId, null);
    expect(id).not.toBe(theirs);
    expect(await itemsIn(client, collectionId)).toHaveLength(2);
  });

  it('causes a question when someone else created an equal item at the same time', async ({
    desk,
    client,
    service,
  }) => {
    const { engine, collectionId } = desk;
    const rowId = await deletedItem(desk, client);
    await fail(service, 'GET', REFUSED, { nth: 5, times: null });
    expect(await restoreLost(desk, rowId, LOSE_REPLY)).not.toBe('edit.item-unclear');
    await service.control('DELETE', '/faults');
    const theirs = (await client.createItem('Talk', { collection_id: collectionId, ...EQUAL })).split('/').at(-1);
    const asked = await askedAmong(restore(engine, rowId, collectionId));
    expect(asked).toHaveLength(2);
    const mine = asked.find((id) => id !== theirs);
    expect((await restore(engine, rowId, collectionId, mine)).id).toBe(mine);
    expect(await itemsIn(client, collectionId)).toHaveLength(2);
  });

  it('causes a question when only its title distinguishes it from others', async ({ desk, client }) => {
    const { engine, collectionId } = desk;
    const rowId = await deletedItem(desk, client, { title: { kind: 'set', value: 'Alone' } });
    expect(await restoreLost(desk, rowId, LOSE_REPLY)).toBe('edit.item-unclear');
    const [made] = await askedAmong(restore(engine, rowId, collectionId));
    expect((await restore(engine, rowId, collectionId, made)).id).toBe(made);
    expect(await itemsIn(client, collectionId)).toHaveLength(1);
  });

  it.for([
    ['moved', (client: ServiceClient, id: string) => client.post(`/api2/media/${id}`, { collection_id: '1' })],
    ['renamed', (client: ServiceClient, id: string) => client.post(`/api2/media/${id}`, { title: 'Lecture' })],
    ['edited', (client: ServiceClient, id: string) => client.post(`/api2/media/${id}`, { byline: 'Grace' })],
  ] as const)('causes a question when someone else has %s it since', async ([, change], { desk, client, service }) => {
    const { engine, collectionId } = desk;
    const rowId = await deletedItem(desk, client);
    await fail(service, 'GET', REFUSED, { nth: 5, times: null });
    expect(await restoreLost(desk, rowId, LOSE_REPLY)).not.toBe('edit.item-unclear');
    await service.control('DELETE', '/faults');
    const [{ id } = { id: '' }] = await itemsIn(client, collectionId);
    await change(client, id);
    expect(await askedAmong(restore(engine, rowId, collectionId))).toEqual([id]);
    expect((await restore(engine, rowId, collectionId, id)).id).toBe(id);
  });

  it('is the item that was created when a later step failed, also after a restart', async ({
    desk,
    client,
    service,
  }) => {
    const { engine, collectionId } = desk;
    const rowId = await deletedItem(desk, client);
    await fail(service, 'GET', REFUSED, { nth: 5, times: null });
    await restoreLost(desk, rowId, LOSE_REPLY);
    await service.control('DELETE', '/faults');
    const [{ id } = { id: '' }] = await itemsIn(client, collectionId);
    // The user now chooses another collection, and the move to it fails.
    await fail(service, 'POST', REFUSED, { path: `/api2/media/${id}$` });
    await expect(restore(engine, rowId, '1')).rejects.toThrow();
    await client.post(`/api2/media/${id}`, { title: 'Renamed', byline: 'Grace' });
    expect((await restore(await desk.reopen(), rowId, '1')).id).toBe(id);
    expect((await client.get(`/api2/media/${id}`)).body.collection_id).toBe('1');
  });

  it('is restored once when two requests to restore it run at the same time', async ({ desk, client }) => {
    const { engine, collectionId } = desk;
    const rowId = await deletedItem(desk, client);
    const both = await Promise.allSettled([restore(engine, rowId, collectionId), restore(engine, rowId, collectionId)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await itemsIn(client, collectionId)).toHaveLength(1);
  });
});

it('a restored item is never one that a hidden collection contained before', async ({ client, service }) => {
  const { engine, siteId } = await openEngineAs(service, 'editor');
  const made = await client.post('/api2/collections', { display_name: 'Hidden', parent_id: '1' });
  const collectionId = made.location.split('/').at(-1) ?? '';
  const hide = (isHidden: boolean) =>
    client.post(`/api2/collections/${collectionId}`, { inherit_memberships: !isHidden });
  const gone = (await client.createItem('Talk')).split('/').at(-1) ?? '';
  const plan = await engine.call('edits.plan', {
    selection: { siteId, ids: [gone] },
    change: CHANGE,
    planId: null,
    offset: 0,
    limit: 0,
  });
  await client.delete(`/api2/media/${gone}`);
  await engine.call('edits.apply', { planId: plan.planId, except: [], label: '' });
  await engine.whenEditsIdle();
  const page = { groupId: null, filter: 'refused', entityId: null, offset: 0, limit: 9 } as const;
  const rowId = (await engine.call('edits.groupRows', page)).rows[0]?.id ?? '';
  // Someone created the item a moment before the request, with equal values: only the account could not see it.
  const equal = await client.createItem('Talk', { collection_id: collectionId, ...EQUAL });
  await hide(true);
  await fail(service, 'POST', NEVER_SENT, { times: null });
  await expect(restore(engine, rowId, collectionId)).rejects.toThrow();
  await service.control('DELETE', '/faults');
  await hide(false);
  const { id } = await restore(engine, rowId, collectionId);
  expect(equal.endsWith(`/${id}`)).toBe(false);
  expect(await itemsIn(client, collectionId)).toHaveLength(2);
});

describe('an upload whose creation was lost', () => {
  it.override({ speed: 20 });

  it('does not use the item that an edit restored meanwhile', async ({ desk, client, service }) => {
    const { engine, collectionId } = desk;
    const rowId = await deletedItem(desk, client, { title: { kind: 'set', value: 'Talk two' } });
    await fail(service, 'POST', NEVER_SENT);
    await desk.add([desk.put('talk.txt')], { titleTemplate: 'Talk two' });
    const isIntended = desk.whenRow(({ attempts }) => attempts > 0);
    engine.startUploads();
    await isIntended;
    const { id } = await restore(engine, rowId, collectionId);
    await vi.waitUntil(async () => (await desk.row('talk.txt')).mediaId !== null, { timeout: 60_000 });
    expect((await desk.row('talk.txt')).mediaId).not.toBe(id);
  });
});
