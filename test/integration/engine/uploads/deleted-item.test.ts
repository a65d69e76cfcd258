import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { batchDefaultsSchema } from '../../../../shared/contract/uploads.ts';
import { allRows, createTestProfile, signInEngine, whenRow } from '../../../helpers/engine-host.ts';
import { fastClock } from '../../../helpers/fast-clock.ts';
import { clientFor } from '../../../helpers/service-client.ts';
import { startService } from '../../../helpers/service-process.ts';

it('an upload creates a new item and completes when its item was deleted while its file was created', async () => {
  const service = await startService();
  const profile = createTestProfile(service);
  const engine = await profile.open({ clock: fastClock(20) });
  const dir = mkdtempSync(join(tmpdir(), 'mediadesk-deleted-'));
  onTestFinished(async () => {
    await engine.stop();
    await service.stop();
    profile.remove();
    rmSync(dir, { recursive: true, force: true });
  });
  const path = join(dir, 'lecture.bin');
  writeFileSync(path, Buffer.alloc(20_000, 'x'));
  const siteId = await signInEngine(engine, service);
  const client = await clientFor(service);
  // Replies are lost, so that the placeholder may or may not be there when the item is deleted.
  const rule = { method: 'POST', path: '^/api2/media/\\d+/files$', times: null, action: { kind: 'lose-reply' } };
  await service.control('POST', '/faults', rule);
  const defaults = batchDefaultsSchema.parse({});
  await engine.call('uploads.add', { siteId, collectionId: '1', paths: [path], defaults });
  const waits = whenRow(engine, ({ state }) => state === 'waiting');
  engine.startUploads();
  const { mediaId } = await waits;
  expect((await client.delete(`/api2/media/${mediaId}`)).status).toBe(204);
  await service.control('DELETE', '/faults');
  await engine.whenUploadsIdle();

  const [row] = await allRows(engine);
  expect(row).toMatchObject({ state: 'complete', error: null });
  expect(row?.mediaId).not.toBe(mediaId);
  const { body } = await client.get(`/api2/media/${row?.mediaId}/files`);
  expect(body.items.map((file: { status: string }) => file.status)).toEqual(['complete']);
}, 60_000);
