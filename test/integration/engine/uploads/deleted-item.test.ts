import { expect } from 'vitest';
import { deskTest } from '../../../helpers/engine/desk.ts';
import { clientFor } from '../../../helpers/service/service-client.ts';

const it = deskTest();

it.override('speed', 20);

it('an upload creates a new item and completes when its item was deleted during the creation of its file', async ({
  desk,
  service,
}) => {
  const client = await clientFor(service);
  // Replies are lost, so it is unknown whether the placeholder exists when the item is deleted.
  const rule = { method: 'POST', path: '^/api2/media/\\d+/files$', times: null, action: { kind: 'lose-reply' } };
  await service.control('POST', '/faults', rule);
  await desk.add([desk.put('lecture.bin', Buffer.alloc(20_000, 'x'))]);
  const waits = desk.whenRow(({ state }) => state === 'waiting');
  desk.engine.startUploads();
  const { mediaId } = await waits;
  expect((await client.delete(`/api2/media/${mediaId}`)).status).toBe(204);
  await service.control('DELETE', '/faults');
  await desk.engine.whenUploadsIdle();

  const [row] = await desk.rows();
  expect(row).toMatchObject({ state: 'complete', error: null });
  expect(row?.mediaId).not.toBe(mediaId);
  const { body } = await client.get(`/api2/media/${row?.mediaId}/files`);
  expect(body.items.map((file: { status: string }) => file.status)).toEqual(['complete']);
});
