// The reply to the creation of an item is lost, and the library creates or shows the item late.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { type ChangedLibrary, openChangedLibrary } from '../../../helpers/engine/changed-library.ts';
import type { PassedReply, PassedRequest } from '../../../helpers/wire/changing-proxy.ts';

/** A wait of a minute takes one second. */
const SPEED = 60;
const TITLE = 'Lecture 7';

let world: ChangedLibrary;
beforeAll(async () => {
  world = await openChangedLibrary(SPEED);
});
afterAll(() => world.close());
beforeEach(() => world.nextCase());

const isCreation = ({ method, url }: PassedRequest) => method === 'POST' && url === '/api2/media';
const isSearch = ({ method, url }: PassedRequest) =>
  method === 'GET' && /^\/api2\/media\?collection_id=.*created_after=/.test(url);

/** One creation, which the library delays. */
class DelayedCreation {
  #lostAt: number | null = null;
  #isCreated = false;

  /** The milliseconds since its reply was lost, by the engine's clock; null: it was not sent yet. */
  get lostForMs(): number | null {
    return this.#lostAt === null ? null : (performance.now() - this.#lostAt) * SPEED;
  }

  lose(): void {
    this.#lostAt ??= performance.now();
  }

  async takeEffect(): Promise<void> {
    if (this.#isCreated) return;
    this.#isCreated = true;
    await world.client.post('/api2/media', { title: TITLE, collection_id: world.desk.collectionId });
  }
}

/** Uploads a file; the creation of its item does not reach the library. `search` changes the replies to the searches after it. */
async function uploadWithSearches(
  creation: DelayedCreation,
  search: (reply: PassedReply, lostForMs: number) => Promise<PassedReply>,
): Promise<void> {
  const path = join(world.desk.dir, `${world.count}.bin`);
  writeFileSync(path, `my recording ${world.count}`);
  world.proxy.change({
    request: (request) => (isCreation(request) ? { ...request, url: '/api2/nowhere' } : request),
    async reply(reply, request) {
      if (isCreation(request)) {
        creation.lose();
        return null;
      }
      const { lostForMs } = creation;
      return lostForMs !== null && isSearch(request) ? search(reply, lostForMs) : reply;
    },
  });
  const { batchId } = await world.desk.add([path], { titleTemplate: TITLE, duplicates: 'upload' });
  await world.desk.engine.whenUploadsIdle();
  const row = (await world.desk.rows()).find((each) => each.batchId === batchId);
  expect(row).toMatchObject({ state: 'complete', error: null });
  expect(world.proxy.seen.filter(isCreation)).toHaveLength(1);
}

it('an item that is created a minute late and listed half a minute later is not created twice', async () => {
  const creation = new DelayedCreation();
  const nothing = JSON.stringify({ items: [], links: { self: '/', next: null } });
  await uploadWithSearches(creation, async (reply, lostForMs) => {
    if (lostForMs > 55_000) await creation.takeEffect();
    return lostForMs < 85_000 ? { ...reply, body: nothing } : reply;
  });
});

it('a list that arrives late does not prove that an item was not created meanwhile', async () => {
  const creation = new DelayedCreation();
  let lists = 0;
  await uploadWithSearches(creation, async (reply) => {
    lists += 1;
    // Each search reads two lists. The item is created after the last list of the second search was made.
    if (lists !== 4) return reply;
    await creation.takeEffect();
    await vi.waitUntil(() => (creation.lostForMs ?? 0) > 150_000, { timeout: 60_000, interval: 20 });
    return reply;
  });
  expect(lists).toBeGreaterThan(4);
});
