// The whole engine and a real library whose content is in a real object store that clients reach themselves.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { batchDefaultsSchema } from '../../shared/contract/uploads.ts';
import { CEPH } from '../destinations/ceph.ts';
import type { Store } from '../destinations/store.ts';
import { allRows, createTestProfile, makeCollection, signInEngine, whenRow } from '../helpers/engine/engine-host.ts';
import { sha256Of } from '../helpers/sender/form-sending.ts';
import { requestsOf } from '../helpers/service/journal.ts';
import { writeStorageConfig } from '../helpers/service/service-config.ts';
import { type ServiceProcess, startService } from '../helpers/service/service-process.ts';
import { fastClock } from '../helpers/time/fast-clock.ts';

const MB = 1_000_000;
const missing = CEPH.missing();

describe.skipIf(missing.length > 0)('with a library whose files are in Ceph RGW', () => {
  let store: Store;
  let service: ServiceProcess;
  let folder: string;
  beforeAll(async () => {
    store = await CEPH.start();
    folder = mkdtempSync(join(tmpdir(), 'mediadesk-store-'));
    const place = { folder, name: 'config', prefix: 'desk/' };
    const config = await writeStorageConfig(place, store, { content: 'redirected', uploads: 'direct' });
    service = await startService({ config });
  }, 600_000);
  afterAll(async () => {
    await service?.stop();
    await store?.close();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  async function openDesk(name: string, sizeBytes: number) {
    const profile = createTestProfile(service);
    const engine = await profile.open({ clock: fastClock(20) });
    onTestFinished(async () => {
      await engine.stop();
      profile.remove();
    });
    const siteId = await signInEngine(engine, service);
    const collectionId = await makeCollection(engine, siteId, `Store ${profile.dir.slice(-6)}`);
    const bytes = Buffer.alloc(sizeBytes, `direct ${profile.dir} `);
    const path = join(folder, name);
    writeFileSync(path, bytes);
    const begin = async () => {
      const defaults = batchDefaultsSchema.parse({});
      await engine.call('uploads.add', { siteId, collectionId, paths: [path], defaults });
      engine.startUploads();
    };
    return { engine, siteId, bytes, begin };
  }

  it('uploads go to the store, the service gets no byte of them, and downloads come from there', async () => {
    const { engine, siteId, bytes, begin } = await openDesk('Vorlesung "7" – 100 % 🎬.bin', 3 * MB);
    await begin();
    await engine.whenUploadsIdle();
    const [row] = await allRows(engine);
    expect(row).toMatchObject({ state: 'complete', error: null, sha256: sha256Of(bytes) });
    const stored = await service.control<{ sha256: string }>('GET', `/files/${row?.fileId}/sha256`);
    expect(stored.sha256).toBe(sha256Of(bytes));
    expect(await requestsOf(service, 'POST', /^\/upload\//)).toEqual([]);

    const target = mkdtempSync(join(folder, 'downloads-'));
    const files = [{ mediaId: row?.mediaId ?? '', fileId: null }];
    await engine.call('downloads.start', { siteId, files, folder: target });
    const downloads = () => engine.call('downloads.list', null);
    await expect.poll(async () => (await downloads())[0]?.state, { timeout: 60_000 }).toBe('complete');
    const [{ path = null } = {}] = await downloads();
    expect(sha256Of(readFileSync(path ?? ''))).toBe(sha256Of(bytes));
  }, 600_000);

  it('an upload that the store loses in the middle is sent again, once', async () => {
    const { engine, bytes, begin } = await openDesk('again.bin', 4 * MB);
    await engine.call('settings.set', { patch: { limitBytesPerSecond: 100_000 } });
    const moves = whenRow(engine, ({ sentBytes, state }) => state === 'sending' && sentBytes > MB);
    const waits = whenRow(engine, ({ state }) => state === 'waiting');
    await begin();
    await moves;
    await store.crash();
    expect((await waits).error?.code).toBe('upload.connection-lost');
    await store.restart();
    await engine.call('settings.set', { patch: { limitBytesPerSecond: null } });
    await engine.whenUploadsIdle();
    const [row] = await allRows(engine);
    expect(row).toMatchObject({ state: 'complete', error: null, sha256: sha256Of(bytes) });
    const stored = await service.control<{ sha256: string }>('GET', `/files/${row?.fileId}/sha256`);
    expect(stored.sha256).toBe(sha256Of(bytes));
  }, 600_000);
});
