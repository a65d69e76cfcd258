// Values that were read a while ago are compared again before a write: their age counts from the request that read them.
import { expect } from 'vitest';
import { deskTest } from '../../../helpers/engine/desk.ts';
import { edit, itemOf, makeItem, rowsOf, title, whenEdits, whenGroup } from '../../../helpers/engine/edit-steps.ts';
import type { FastClock } from '../../../helpers/time/fast-clock.ts';
import { type ChangingProxy, startChangingProxy } from '../../../helpers/wire/changing-proxy.ts';

const it = deskTest().extend('proxy', async ({ service }, { onCleanup }) => {
  const proxy = await startChangingProxy(service.baseUrl);
  onCleanup(() => proxy.close());
  return proxy;
});
it.override('site', ({ service, proxy }) => ({ ...service, baseUrl: proxy.baseUrl }));

/** Makes the next `times` answers to reads of a path arrive seven seconds late; `meanwhile` runs before each of them arrives. */
function delayReads(
  { proxy, clock }: { proxy: ChangingProxy; clock: FastClock },
  path: string,
  { times, meanwhile = async () => {} }: { times: number; meanwhile?: () => Promise<unknown> },
): void {
  let left = times;
  proxy.change({
    async reply(reply, { method, url }) {
      if (method !== 'GET' || url !== path || left === 0) return reply;
      left -= 1;
      await meanwhile();
      const until = clock.now() + 7000;
      clock.setSpeed(200);
      while (clock.now() < until) await new Promise(setImmediate);
      clock.setSpeed(1);
      return reply;
    },
  });
}

it('asks about a value that someone changes while the answer to the comparison is on its way', async ({
  desk,
  client,
  proxy,
  clock,
}) => {
  const id = await makeItem(client, desk);
  const groupId = await edit(desk, [id], title('Mine'), async () => {
    const meanwhile = () => client.post(`/api2/media/${id}`, { title: 'Theirs' });
    delayReads({ proxy, clock }, `/api2/media/${id}`, { times: 1, meanwhile });
  });
  await desk.engine.whenEditsIdle();
  expect((await itemOf(client, id)).title).toBe('Theirs');
  expect(await rowsOf(desk, groupId)).toMatchObject([{ state: 'conflict', changes: [{ theirs: 'Theirs' }] }]);
});

it('asks about a collection that someone renames while the answer to the comparison is on its way', async ({
  desk: { engine, siteId, collectionId },
  desk,
  client,
  proxy,
  clock,
}) => {
  const path = `/api2/collections/${collectionId}`;
  const { collection } = await engine.call('library.collection', { siteId, collectionId });
  const meanwhile = () => client.post(path, { display_name: 'Theirs' });
  delayReads({ proxy, clock }, path, { times: 1, meanwhile });
  const renamed = engine.call('library.updateCollection', {
    siteId,
    collectionId,
    patch: { display_name: 'Mine' },
    expected: { display_name: collection.displayName },
  });
  await expect(renamed).rejects.toMatchObject({ code: 'collection.changed' });
  expect((await client.get(path)).body.display_name).toBe('Theirs');
  expect(await rowsOf(desk, null, 'open')).toEqual([]);
});

it('asks about a collection that someone moves while the collections above its new place are read', async ({
  desk: { engine, siteId, collectionId },
  client,
  proxy,
  clock,
}) => {
  const create = (displayName: string) =>
    engine.call('library.createCollection', { siteId, parentId: collectionId, displayName, isPodcast: false });
  const [moved, mine, theirs] = [await create('Moved'), await create('Mine'), await create('Theirs')];
  const path = `/api2/collections/${moved.id}`;
  const meanwhile = () => client.post(path, { parent_id: theirs.id });
  delayReads({ proxy, clock }, `/api2/collections/${mine.id}`, { times: 1, meanwhile });
  const move = { collectionId: moved.id, newParentId: mine.id, expectedParentId: collectionId };
  const result = await engine
    .call('library.moveCollections', { siteId, moves: [move] })
    .catch((error: unknown) => error);
  expect(JSON.stringify(result)).toContain('collection.changed');
  expect((await client.get(path)).body.parent_id).toBe(theirs.id);
});

it('sends nothing while every answer is slow, says so, and sends the value when answers are fast again', async ({
  desk,
  client,
  proxy,
  clock,
}) => {
  const id = await makeItem(client, desk);
  const path = `/api2/media/${id}`;
  const groupId = await edit(desk, [id], title('Mine'), async () => {
    delayReads({ proxy, clock }, path, { times: Number.POSITIVE_INFINITY });
  });
  const errorOf = async () => (await rowsOf(desk, groupId))[0]?.error;
  await whenEdits(desk, async () => (await errorOf()) != null);
  expect(await rowsOf(desk, groupId)).toMatchObject([{ state: 'pending', error: { code: 'edit.slow-library' } }]);
  expect(proxy.seen.filter(({ method }) => method === 'POST')).toEqual([]);
  proxy.change({});
  await desk.engine.call('edits.retry', { groupId, filter: 'pending' });
  await whenGroup(desk, groupId, ({ counts }) => counts.done === 1);
  expect((await itemOf(client, id)).title).toBe('Mine');
});
