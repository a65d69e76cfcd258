// The whole engine, the real service, and a real object store that receives the bytes.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { batchDefaultsSchema } from '../../shared/contract/uploads.ts';
import { CEPH } from '../destinations/ceph.ts';
import { startRelayLibrary } from '../destinations/relay-library.ts';
import type { Store } from '../destinations/store.ts';
import { SWIFT } from '../destinations/swift.ts';
import { allRows, createTestProfile, makeCollection, signInEngine, whenRow } from '../helpers/engine/engine-host.ts';
import { sha256Of } from '../helpers/sender/form-sending.ts';
import { type ServiceProcess, startService } from '../helpers/service/service-process.ts';
import { fastClock } from '../helpers/time/fast-clock.ts';

const MB = 1_000_000;

describe.each([CEPH, SWIFT])('uploads whose bytes go to $name', (kind) => {
  const missing = kind.missing();
  if (missing.length > 0) {
    it.skip(`is not installed here: ${missing.join(', ')} (Debian: ${kind.packages.join(' ')})`, () => {});
    return;
  }
  let store: Store;
  let service: ServiceProcess;
  beforeAll(async () => {
    [store, service] = await Promise.all([kind.start(), startService()]);
  }, 600_000);
  afterAll(async () => {
    await Promise.all([store?.close(), service?.stop()]);
  });

  /** An engine that is signed in to the library in front of the store, and one file to upload. */
  async function openDesk(sizeBytes: number, expiresInS?: (number: number) => number) {
    const library = await startRelayLibrary(service, store, expiresInS);
    const profile = createTestProfile(service);
    const dir = mkdtempSync(join(tmpdir(), 'mediadesk-journey-'));
    const engine = await profile.open({ clock: fastClock(20) });
    onTestFinished(async () => {
      await engine.stop();
      await library.close();
      profile.remove();
      rmSync(dir, { recursive: true, force: true });
    });
    const siteId = await signInEngine(engine, { ...service, baseUrl: library.baseUrl });
    const collectionId = await makeCollection(engine, siteId, `Store ${profile.dir.slice(-6)}`);
    const bytes = Buffer.alloc(sizeBytes, `journey ${profile.dir} `);
    const path = join(dir, 'Vorlesung "7" – 100 % 🎬.bin');
    writeFileSync(path, bytes);
    const codes: string[] = [];
    engine.on('onDidChangeUploads', ({ rows }) => {
      for (const { error } of rows) if (error !== null && codes.at(-1) !== error.code) codes.push(error.code);
    });
    const begin = async () => {
      const defaults = batchDefaultsSchema.parse({});
      await engine.call('uploads.add', { siteId, collectionId, paths: [path], defaults });
      engine.startUploads();
    };
    const expectThere = async () => {
      const [row] = await allRows(engine);
      expect(row).toMatchObject({ state: 'complete', error: null, sha256: sha256Of(bytes) });
      const stored = await service.control<{ sha256: string }>('GET', `/files/${row?.fileId}/sha256`);
      expect(stored.sha256).toBe(sha256Of(bytes));
    };
    return { library, engine, codes, begin, expectThere };
  }

  it('are complete with the same bytes after one descriptor', async () => {
    const { library, engine, codes, begin, expectThere } = await openDesk(3 * MB);
    await begin();
    await engine.whenUploadsIdle();
    await expectThere();
    expect([codes, library.issued()]).toEqual([[], 1]);
  }, 600_000);

  it('request a new descriptor once when the first has expired', async () => {
    const { library, engine, codes, begin, expectThere } = await openDesk(3 * MB, (number) =>
      number === 1 ? -60 : 3600,
    );
    await begin();
    await engine.whenUploadsIdle();
    await expectThere();
    expect([codes, library.issued()]).toEqual([['upload.destination-lost'], 2]);
  }, 600_000);

  it('are refused with the store’s answer when the new descriptor has expired, too', async () => {
    const { library, engine, codes, begin } = await openDesk(3 * MB, () => -60);
    await begin();
    await engine.whenUploadsIdle();
    const [row] = await allRows(engine);
    expect(row).toMatchObject({
      state: 'failed',
      error: { code: 'upload.refused', details: { status: kind.expiredStatus } },
    });
    expect(String(row?.error?.details?.answer)).toMatch(/expired/i);
    expect([codes[0], library.issued()]).toEqual(['upload.destination-lost', 2]);
  }, 600_000);

  it('are sent again when the store is killed during the transfer', async () => {
    const { engine, codes, begin, expectThere } = await openDesk(4 * MB);
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
    await expectThere();
    expect(codes).not.toContain('upload.refused');
  }, 600_000);
});
