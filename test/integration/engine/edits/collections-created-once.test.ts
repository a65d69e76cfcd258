// The creation of a collection is not idempotent: whatever happens to its requests, the library creates the collection once.
import { describe, expect, vi } from 'vitest';
import type { JournalEntry } from '../../../../service/site/journal.ts';
import { Prng } from '../../../helpers/data/prng.ts';
import { type Desk, deskTest } from '../../../helpers/engine/desk.ts';
import { journalOf } from '../../../helpers/service/journal.ts';
import { clientFor, type ServiceClient } from '../../../helpers/service/service-client.ts';
import type { ServiceProcess } from '../../../helpers/service/service-process.ts';

const it = deskTest();

const COLLECTIONS = '^/api2/collections$';
const ONE = '^/api2/collections/[^/]+$';

type Action = { kind: 'status'; status: number; headers?: Record<string, string> } | { kind: 'lose-reply' };
const REFUSED: Action = { kind: 'status', status: 403 };
const BUSY: Action = { kind: 'status', status: 429, headers: { 'retry-after': '1' } };
const BROKEN: Action = { kind: 'status', status: 502 };
const LOST: Action = { kind: 'lose-reply' };

const isCreation = ({ method, path }: JournalEntry) => method === 'POST' && path === '/api2/collections';

/** Makes the `nth` request of this kind from now on fail; `times` null: all later ones as well. */
const fail = (
  service: ServiceProcess,
  method: string,
  path: string,
  nth: number,
  action: Action,
  times: 1 | null = 1,
) => service.control('POST', '/faults', { method, path, nth, times, action });

/** Creates a collection, and retries its edit until no edit is open. Returns the number of such collections in the library. */
async function createThrough(desk: Desk, displayName: string, slug?: string): Promise<number> {
  const { engine, siteId, collectionId: parentId } = desk;
  const input = { siteId, parentId, displayName, isPodcast: false, ...(slug === undefined ? {} : { slug }) };
  // In some of these tests the request is refused; only the resulting collections of the library are checked.
  await engine.call('library.createCollection', input).catch(() => null);
  await retryUntilSent(desk);
  return (await childrenOf(desk, parentId)).length;
}

async function retryUntilSent({ engine, service }: Desk): Promise<void> {
  const isSent = async () => {
    await engine.call('edits.retry', { groupId: null, filter: 'open' });
    const { totals } = await engine.call('edits.groups', { siteId: null, isOpen: true, offset: 0, limit: 1 });
    return Object.values(totals).every((count) => count === 0);
  };
  await vi.waitUntil(isSent, { timeout: 60_000, interval: 50 });
  await service.control('DELETE', '/faults');
}

/** Returns the collections directly below a collection of the library. */
async function childrenOf({ service }: Desk, parentId: string): Promise<{ display_name: string; slug: string }[]> {
  const direct = await clientFor(service);
  return (await direct.get(`/api2/collections?parent_id=${parentId}`)).body.items;
}

/** Creates a collection: the reply is lost, and the checks after it are refused. Returns the pending collection. */
async function createUnclear({ service, engine, siteId, collectionId: parentId }: Desk, displayName: string) {
  await fail(service, 'POST', COLLECTIONS, 1, LOST);
  // The first two requests list the existing collections.
  await fail(service, 'GET', COLLECTIONS, 3, REFUSED, null);
  const created = await engine.call('library.createCollection', { siteId, parentId, displayName, isPodcast: false });
  expect(created.isPending).toBe(true);
  return created;
}

const moveTo = (direct: ServiceClient, id: string, parentId: string) =>
  direct.post(`/api2/collections/${id}/move`, { new_parent_id: parentId });
const renameTo = (direct: ServiceClient, id: string, display_name: string) =>
  direct.post(`/api2/collections/${id}`, { display_name });

const makePodcast = (direct: ServiceClient, id: string) => direct.post(`/api2/collections/${id}`, { is_podcast: true });

/** Creates a collection that others are moved into. */
function createShelf({ engine, siteId, collectionId: parentId }: Desk) {
  return engine.call('library.createCollection', { siteId, parentId, displayName: 'Shelf', isPodcast: false });
}

describe('a collection is created once', () => {
  it.override({ speed: 20 });

  it('when the retry meets the slug of the first attempt', async ({ desk, service }) => {
    // The lists of the first check and of the second attempt are damaged in the same way: they don't show the first attempt.
    await fail(service, 'POST', COLLECTIONS, 1, LOST);
    await fail(service, 'GET', COLLECTIONS, 3, BROKEN);
    const empty = { kind: 'status', status: 200, body: { items: [], links: {}, meta: {} } } as unknown as Action;
    await fail(service, 'GET', COLLECTIONS, 4, empty);
    expect(await createThrough(desk, 'Slug', `slug-${desk.collectionId}`)).toBe(1);
    const { totals } = await desk.engine.call('edits.groups', { siteId: null, isOpen: false, offset: 0, limit: 1 });
    expect(totals.refused).toBe(0);
  });

  it('when it is renamed before the next check', async ({ desk }) => {
    const { id } = await createUnclear(desk, 'Draft');
    await rename(desk, id, 'Second', 'Draft');
    await rename(desk, id, 'Third', 'Second');
    await desk.service.control('DELETE', '/faults');
    await retryUntilSent(desk);
    expect(await childrenOf(desk, desk.collectionId)).toMatchObject([{ display_name: 'Third' }]);
  });

  it('when it is moved before the next check', async ({ desk }) => {
    const { engine, siteId, collectionId } = desk;
    const shelf = await createShelf(desk);
    const { id } = await createUnclear(desk, 'Book');
    await engine.call('library.moveCollections', { siteId, moves: [{ collectionId: id, newParentId: shelf.id }] });
    await desk.service.control('DELETE', '/faults');
    await retryUntilSent(desk);
    expect(await childrenOf(desk, collectionId)).toMatchObject([{ display_name: 'Shelf' }]);
    expect(await childrenOf(desk, shelf.id)).toMatchObject([{ display_name: 'Book' }]);
  });

  it.for([
    ['moves it', 'complete', (direct: ServiceClient, id: string, shelfId: string) => moveTo(direct, id, shelfId)],
    ['moves it', 'missing', (direct: ServiceClient, id: string, shelfId: string) => moveTo(direct, id, shelfId)],
    ['renames it', 'complete', (direct: ServiceClient, id: string) => renameTo(direct, id, 'Volume')],
    ['renames it', 'missing', (direct: ServiceClient, id: string) => renameTo(direct, id, 'Volume')],
    ['makes it a podcast', 'complete', (direct: ServiceClient, id: string) => makePodcast(direct, id)],
    ['makes it a podcast', 'missing', (direct: ServiceClient, id: string) => makePodcast(direct, id)],
  ] as const)(
    'also when someone else %s before the library is asked again (copy: %s), unless the user answers that it is another one',
    async ([, copy, change], { desk }) => {
      const { engine, service, siteId, collectionId } = desk;
      const shelf = await createShelf(desk);
      if (copy === 'complete') await engine.call('library.syncNow', { siteId });
      else await fail(service, 'GET', '^/api2/media$', 1, BROKEN, null);
      await createUnclear(desk, 'Book');
      const direct = await clientFor(service);
      const { root } = (await direct.get(`/api2/collections/tree?root_id=${collectionId}`)).body;
      const book = root.children.find((each: { display_name: string }) => each.display_name === 'Book');
      await change(direct, book.id, shelf.id);
      await service.control('DELETE', '/faults');
      if (copy === 'missing') await fail(service, 'GET', '^/api2/media$', 1, BROKEN, null);
      // On a slow computer, a second attempt may have been refused before the faults were removed.
      await engine.call('edits.retry', { groupId: null, filter: 'open' });
      const refused = () =>
        engine.call('edits.groupRows', { groupId: null, filter: 'refused', entityId: null, offset: 0, limit: 9 });
      const isUnclear = async () => (await refused()).rows[0]?.error?.code === 'edit.creation-unclear';
      await vi.waitUntil(isUnclear, { timeout: 60_000, interval: 50 });
      expect((await refused()).rows).toMatchObject([
        { error: { code: 'edit.creation-unclear', details: { found: [book.id] } } },
      ]);
      const creations = (await journalOf(service)).filter(isCreation);
      expect(creations).toHaveLength(2);
      await retryUntilSent(desk);
      expect((await childrenOf(desk, collectionId)).map(({ display_name }) => display_name)).toContain('Book');
      expect((await journalOf(service)).filter(isCreation)).toHaveLength(3);
    },
  );

  it('and is deleted when its creation is undone before the next check, and created again by a redo', async ({
    desk,
  }) => {
    const { engine, collectionId } = desk;
    const { groupId = '' } = await createUnclear(desk, 'Undone');
    await engine.call('edits.undo', { groupId });
    await desk.service.control('DELETE', '/faults');
    await retryUntilSent(desk);
    expect(await childrenOf(desk, collectionId)).toEqual([]);
    await engine.call('edits.redo', { groupId });
    await retryUntilSent(desk);
    expect(await childrenOf(desk, collectionId)).toMatchObject([{ display_name: 'Undone' }]);
  });

  /**
   * Creates a collection in two attempts: the first has no effect, the second, after `change`, creates the collection. Neither
   * can be checked. `lists`: the number of lists that the second attempt reads before its request.
   */
  async function createInTwoAttempts(
    desk: Desk,
    lists: number,
    change: (id: string) => Promise<unknown>,
  ): Promise<string> {
    const { engine, service, siteId, collectionId: parentId } = desk;
    const creations = async () => (await journalOf(service)).filter(isCreation).length;
    const known = await creations();
    const isChecked = async () => {
      const requests = (await journalOf(service)).filter(({ path }) => path?.startsWith('/api2/collections'));
      const last = requests.findLastIndex(isCreation);
      return (await creations()) === known + 2 && requests.slice(last + 1).some(({ status }) => status === 502);
    };
    await fail(service, 'POST', COLLECTIONS, 1, BROKEN);
    await fail(service, 'GET', COLLECTIONS, 3, BROKEN, null);
    const { id } = await engine.call('library.createCollection', {
      siteId,
      parentId,
      displayName: 'First',
      isPodcast: false,
    });
    await change(id);
    await service.control('DELETE', '/faults');
    await fail(service, 'POST', COLLECTIONS, 1, LOST);
    await fail(service, 'GET', COLLECTIONS, lists + 1, BROKEN, null);
    await engine.call('edits.retry', { groupId: null, filter: 'open' });
    await vi.waitUntil(isChecked, { timeout: 60_000, interval: 50 });
    return id;
  }

  const rename = ({ engine, siteId }: Desk, id: string, display_name: string, before: string) =>
    engine.call('library.updateCollection', {
      siteId,
      collectionId: id,
      patch: { display_name },
      expected: { display_name: before },
    });

  it('when it was renamed before and after the second attempt without a known result', async ({ desk }) => {
    const id = await createInTwoAttempts(desk, 3, (id) => rename(desk, id, 'Second', 'First'));
    await rename(desk, id, 'Third', 'Second');
    await desk.service.control('DELETE', '/faults');
    await retryUntilSent(desk);
    expect(await childrenOf(desk, desk.collectionId)).toMatchObject([{ display_name: 'Third' }]);
  });

  it('when it was moved between two attempts without a known result, and back after them', async ({ desk }) => {
    const { engine, siteId, collectionId } = desk;
    const shelf = await createShelf(desk);
    const move = (id: string, newParentId: string) =>
      engine.call('library.moveCollections', { siteId, moves: [{ collectionId: id, newParentId }] });
    const id = await createInTwoAttempts(desk, 4, (id) => move(id, shelf.id));
    await move(id, collectionId);
    await desk.service.control('DELETE', '/faults');
    await retryUntilSent(desk);
    expect(await childrenOf(desk, shelf.id)).toEqual([]);
    const names = (await childrenOf(desk, collectionId)).map(({ display_name }) => display_name);
    expect(names.toSorted()).toEqual(['First', 'Shelf']);
  });

  it.for(Array.from({ length: 12 }, (_, seed) => seed))(
    'with any sequence of faults (seed %i)',
    async (seed, { desk, service }) => {
      const random = new Prng(seed, 77);
      for (let nth = 1; nth <= 6; nth += 1) {
        // The first requests read the parent; after a refusal of them, no collection would be created.
        const refused = nth <= 2 ? BROKEN : REFUSED;
        if (random.chance(0.5))
          await fail(service, 'GET', COLLECTIONS, nth, random.pick([BUSY, BROKEN, LOST, refused]));
        if (random.chance(0.5)) await fail(service, 'GET', ONE, nth, random.pick([BUSY, BROKEN, LOST, refused]));
        if (random.chance(0.5)) await fail(service, 'POST', COLLECTIONS, nth, random.pick([BUSY, BROKEN, LOST]));
      }
      expect(await createThrough(desk, 'Random')).toBe(1);
    },
  );
});
