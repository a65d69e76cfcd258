import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { UploadRow } from '../../../../shared/contract/uploads.ts';
import { allRows, whenRow } from '../../../helpers/engine/engine-host.ts';
import { clearJournal, effectsOf, requestsOf } from '../../../helpers/service/journal.ts';
import { clientFor } from '../../../helpers/service/service-client.ts';
import { openWireWorld, type WireWorld } from '../wire/wire-world.ts';

let world: WireWorld;
let count = 0;
beforeAll(async () => {
  world = await openWireWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  world.proxy.reset();
  await clearJournal(world.service);
});

/** Starts an upload and cancels it at the first row that satisfies the condition. */
async function cancelledWhen(
  wanted: (row: UploadRow) => boolean,
  before: (id: string) => Promise<void> = async () => {},
) {
  count += 1;
  const title = `Cancelled ${count}`;
  const isThere = whenRow(world.engine, (row) => row.title === title && wanted(row));
  const uploading = world.upload(world.put(`${title}.bin`, 300_000));
  const { id } = await isThere;
  await before(id);
  await world.engine.call('uploads.cancel', { kind: 'ids', ids: [id] });
  return { title, uploading };
}

const made = async () => (await effectsOf(world.service, 'media-created')).length;
const soonGone = (title: string) =>
  expect.poll(async () => (await world.inLibrary(title)).items, { timeout: 60_000 }).toBe(0);

describe('a cancelled upload', () => {
  it('leaves no item when the creation of its item was not answered', async () => {
    world.proxy.break({ method: 'POST', path: /^\/api2\/media$/, break: { kind: 'lose-reply', how: 'reset' } });
    const { title, uploading } = await cancelledWhen(({ state }) => state === 'waiting');
    expect(await made()).toBe(1);
    await soonGone(title);
    expect((await uploading).row).toMatchObject({ state: 'cancelled', mediaId: null });
    expect(await made()).toBe(1);
  });

  it('leaves no item when it is cancelled during a maintenance', async () => {
    world.proxy.break({ method: 'POST', path: /^\/upload\//, break: { kind: 'stall', at: () => 1 } });
    const { title } = await cancelledWhen(
      ({ state }) => state === 'sending',
      () => world.service.control('PATCH', '/settings', { read_only: true }),
    );
    const refused = async () =>
      (await requestsOf(world.service, 'DELETE', /^\/api2\/media\/\d+$/)).map(({ status }) => status);
    await expect.poll(refused, { timeout: 60_000 }).toContain(503);
    expect((await world.inLibrary(title)).items).toBe(1);
    await world.service.control('PATCH', '/settings', { read_only: false });
    await soonGone(title);
  });

  const changes = {
    described: async (mediaId: string) => {
      const { siteId, engine } = world;
      await engine.call('library.updateMedia', { siteId, mediaId, patch: { description: '<p>Mine</p>' } });
    },
    published: async (mediaId: string) => {
      const client = await clientFor(world.service);
      expect((await client.post(`/api2/media/${mediaId}/publish`, {})).status).toBeLessThan(300);
    },
  };

  it.each(Object.entries(changes))(
    'keeps an item that was %s meanwhile, and a retry continues with it',
    async (_, change) => {
      world.proxy.break({ method: 'POST', path: /^\/api2\/media$/, break: { kind: 'lose-reply', how: 'reset' } });
      const { title } = await cancelledWhen(
        ({ state }) => state === 'waiting',
        async (id) => {
          // The upload itself must not find its item in the meantime.
          await world.engine.call('uploads.pause', { kind: 'ids', ids: [id] });
          const [made] = await effectsOf(world.service, 'media-created');
          await change(String((made as { media_id?: string | number } | undefined)?.media_id));
        },
      );
      // The engine searches for the item repeatedly for one and a half minutes; then the search ends.
      const looks = async () => (await requestsOf(world.service, 'GET', /^\/api2\/media$/)).length;
      await expect.poll(looks, { timeout: 60_000 }).toBeGreaterThanOrEqual(2);
      await world.engine.whenUploadsIdle();
      expect(await world.inLibrary(title)).toEqual({ items: 1, files: 0 });
      const row = async () => (await allRows(world.engine)).find((each) => each.title === title);
      await world.engine.call('uploads.retry', { kind: 'ids', ids: [(await row())?.id ?? ''] });
      await world.engine.whenUploadsIdle();
      expect(await row()).toMatchObject({ state: 'complete', error: null });
      expect(await world.inLibrary(title)).toEqual({ items: 1, files: 1 });
      expect(await made()).toBe(1);
    },
  );
});
