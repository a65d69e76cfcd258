// The thumbnail of a collection: queued as an upload, and read from the cache afterwards.
import { describe, expect, vi } from 'vitest';
import { COLLECTION_VERSION } from '../../../../shared/contract/thumbnail-address.ts';
import type { AddUploadsOutput } from '../../../../shared/contract/uploads.ts';
import { type Desk, deskTest } from '../../../helpers/engine/desk.ts';
import { clearJournal, effectsOf, requestsOf } from '../../../helpers/service/journal.ts';
import { clientFor } from '../../../helpers/service/service-client.ts';
import { png } from '../../../helpers/service/service-samples.ts';

const it = deskTest();

// The fast clock shortens the backoff.
it.override({ speed: 20 });

const never = () => new AbortController().signal;

function show({ engine, siteId, collectionId }: Desk, isStoredOnly = false) {
  const ref = { siteId, subject: 'collections', id: collectionId, version: COLLECTION_VERSION, isStoredOnly } as const;
  return engine.thumbnail(ref, never());
}

async function set(desk: Desk, picture: Buffer, name = 'cover.png'): Promise<AddUploadsOutput> {
  const { siteId, collectionId } = desk;
  const path = desk.put(name, picture);
  return desk.engine.call('files.setCollectionThumbnail', { siteId, collectionId, picture: { path } });
}

async function outcomeOf(desk: Desk, { batchId }: AddUploadsOutput) {
  const { lines } = await desk.engine.call('uploads.receipt', { batchId });
  return lines.map(({ outcome, errorCode }) => errorCode ?? outcome);
}

describe.each(['reference', 'lean', 'strict'] as const)(
  'the thumbnail of a collection, with the service in dialect %s',
  (dialect) => {
    it('is set without an item, is read from the cache, and is shown anew after a replacement', async ({
      desk,
      service,
    }) => {
      await service.control('PATCH', '/settings', { dialect });
      const [first, second] = [png(60, 60), png(62, 62)];
      expect(await show(desk, true)).toBeNull();
      const output = await set(desk, first);
      expect(output).toMatchObject({ added: 1, skippedCount: 0 });
      await desk.run();
      expect(await outcomeOf(desk, output)).toEqual(['complete']);
      expect(await effectsOf(service, 'thumb-stored')).toMatchObject([
        { resource: 'collections', resource_id: Number(desk.collectionId) },
      ]);
      expect(await requestsOf(service, 'POST', /\/media/)).toEqual([]);
      expect((await show(desk))?.bytes).toEqual(first);

      await clearJournal(service);
      expect((await show(desk))?.bytes).toEqual(first);
      expect((await show(desk, true))?.bytes).toEqual(first);
      expect(await requestsOf(service, 'GET', /thumbs/)).toEqual([]);

      await set(desk, second, 'cover 2.png');
      await desk.run();
      expect((await show(desk))?.bytes).toEqual(second);
    }, 600_000);
  },
);

describe('the thumbnail of a collection', () => {
  it('is kept and sent when the engine restarts before', async ({ desk, service }) => {
    await desk.reopen();
    const output = await set(desk, png(60, 60));
    await desk.reopen();
    expect(await desk.row('cover.png')).toMatchObject({
      addition: { kind: 'thumbnail', of: 'collection' },
      mediaId: null,
      fileId: null,
    });
    await desk.run();
    expect(await outcomeOf(desk, output)).toEqual(['complete']);
    expect(await effectsOf(service, 'thumb-stored')).toHaveLength(1);
    const { findings } = await desk.engine.call('app.doctor', null);
    expect(findings.filter(({ code, severity }) => code.startsWith('rows.') && severity !== 'ok')).toEqual([]);
  });

  it('fails and creates nothing when the collection was deleted meanwhile', async ({ desk, service }) => {
    await desk.reopen();
    const output = await set(desk, png(60, 60));
    const colleague = await clientFor(service);
    expect(await colleague.delete(`/api2/collections/${desk.collectionId}`)).toMatchObject({ status: 204 });
    await desk.run();
    expect(await outcomeOf(desk, output)).toEqual(['collection.unknown']);
    expect(await requestsOf(service, 'POST', /\/media/)).toEqual([]);
  });

  it('leaves nothing in the library when it is cancelled during its transfer, and is sent by a retry', async ({
    desk,
    service,
  }) => {
    await desk.reopen();
    await service.control('POST', '/faults', {
      path: '^/upload/',
      times: null,
      action: { kind: 'delay', ms: 60_000 },
    });
    await set(desk, png(60, 60));
    const { id } = await desk.row('cover.png');
    desk.engine.startUploads();
    // The library returned a destination, and the form is in flight.
    await vi.waitUntil(async () => (await requestsOf(service, 'POST', /^\/upload\//)).length > 0, { timeout: 60_000 });
    await desk.engine.call('uploads.cancel', { kind: 'ids', ids: [id] });
    await desk.engine.whenUploadsIdle();
    expect((await desk.row('cover.png')).state).toBe('cancelled');
    expect(await effectsOf(service, 'thumb-stored')).toEqual([]);
    expect(await desk.engine.call('uploads.leftovers', null)).toEqual({ left: 0, pending: 0 });
    await service.control('DELETE', '/faults');
    await desk.engine.call('uploads.retry', { kind: 'ids', ids: [id] });
    await desk.engine.whenUploadsIdle();
    expect(await effectsOf(service, 'thumb-stored')).toHaveLength(1);
  });

  it('is refused for a collection that was deleted or is not in the library yet, and for a file that is no picture', async ({
    desk,
    service,
  }) => {
    const { engine, siteId, collectionId } = desk;
    const picture = { bytes: new Uint8Array([1, 2, 3]), name: 'x.png' };
    await expect(engine.call('files.setCollectionThumbnail', { siteId, collectionId, picture })).rejects.toMatchObject({
      code: 'thumbnail.not-a-picture',
    });
    await service.control('PATCH', '/settings', { read_only: true });
    const created = await engine.call('library.createCollection', {
      siteId,
      parentId: collectionId,
      displayName: 'Created offline',
      isPodcast: false,
    });
    expect(created).toMatchObject({ isPending: true, id: expect.stringMatching(/^local:/) });
    const real = { bytes: new Uint8Array(png(60, 60)), name: 'x.png' };
    for (const [id, code] of [
      ['999999', 'api.not-found'],
      [created.id, 'collection.not-created-yet'],
    ] as const) {
      const input = { siteId, collectionId: id, picture: real };
      await expect(engine.call('files.setCollectionThumbnail', input)).rejects.toMatchObject({ code });
    }
    await service.control('PATCH', '/settings', { read_only: false });
    expect(await desk.rows()).toEqual([]);
  });
});
