import { createHash } from 'node:crypto';
import { rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Engine } from '../../../../electron/engine/engine.ts';
import { batchDefaultsSchema } from '../../../../shared/contract/uploads.ts';
import { allRows, openTestDesk, type TestProfile, whenRow } from '../../../helpers/engine-host.ts';
import { clearJournal, requestsOf } from '../../../helpers/journal.ts';
import { type ServiceProcess, startService } from '../../../helpers/service-process.ts';

const DEFAULTS = batchDefaultsSchema.parse({});
const LONG_BYTES = 400_000_000;
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

let service: ServiceProcess;
let profile: TestProfile;
let engine: Engine;
let siteId: string;
let collectionId: string;
let dir: string;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

beforeEach(async () => {
  ({ profile, engine, siteId, collectionId, dir } = await openTestDesk(service, 'journey'));
});
afterEach(async () => {
  await engine.stop();
  await service.control('DELETE', '/faults');
  await service.control('PATCH', '/settings', { read_only: false });
  profile.remove();
  rmSync(dir, { recursive: true, force: true });
});

function put(name: string, sizeBytes: number): { path: string; hash: string } {
  const bytes = Buffer.alloc(sizeBytes, name);
  const path = join(dir, name);
  writeFileSync(path, bytes);
  return { path, hash: sha256(bytes) };
}

/** Large enough that a command reaches it in mid-transfer; it takes no room on the disk. */
function putLong(name: string): { path: string; hash: string } {
  const path = join(dir, name);
  writeFileSync(path, '');
  truncateSync(path, LONG_BYTES);
  const hash = createHash('sha256');
  for (let left = LONG_BYTES; left > 0; left -= 1_000_000) hash.update(Buffer.alloc(1_000_000));
  return { path, hash: hash.digest('hex') };
}

const add = (paths: string[], defaults = DEFAULTS) =>
  engine.call('uploads.add', { siteId, collectionId, paths, defaults });

async function itemsInCollection() {
  const query = {
    siteId,
    collectionId,
    search: '',
    type: null,
    status: null,
    sort: 'created_on',
    order: 'asc',
  } as const;
  await engine.call('library.refresh', { siteId });
  return (await engine.call('library.mediaWindow', { query, offset: 0, limit: 200 })).rows;
}

async function storedHash(fileId: string | null): Promise<string> {
  return (await service.control<{ sha256: string }>('GET', `/files/${fileId}/sha256`)).sha256;
}

/** Every row complete, one item each, every byte as it was on the disk. */
async function expectAllArrivedOnce(hashes: string[]): Promise<void> {
  const rows = await allRows(engine);
  expect(rows.map(({ state, error }) => error ?? state)).toEqual(rows.map(() => 'complete'));
  expect((await itemsInCollection()).map(({ id }) => id).sort()).toEqual(rows.map(({ mediaId }) => mediaId).sort());
  expect(rows.map(({ sha256: sent }) => sent).sort()).toEqual([...hashes].sort());
  for (const row of rows) {
    expect(await storedHash(row.fileId)).toBe(row.sha256);
    const { files } = await engine.call('library.media', { siteId, mediaId: row.mediaId ?? '' });
    expect(files.map(({ id }) => id)).toEqual([row.fileId]);
  }
}

describe('an upload', () => {
  it('takes files of any size to complete, one item each, every byte equal', async () => {
    const files = [put('one.bin', 1), put('small.bin', 70_000), put('ümläut 🎙 "q".bin', 3_000_000)];
    const added = await add([dir]);
    expect(added).toMatchObject({ added: 3, skippedCount: 0 });
    engine.startUploads();
    await engine.whenUploadsIdle();
    await expectAllArrivedOnce(files.map(({ hash }) => hash));
    const receipt = await engine.call('uploads.receipt', { batchId: added.batchId });
    expect(receipt.totals).toMatchObject({ added: 3, complete: 3, pending: 0, failed: 0 });
  });

  it('is only queued until the queue is started', async () => {
    put('a.bin', 100);
    await add([dir]);
    expect((await allRows(engine)).map(({ state }) => state)).toEqual(['queued']);
    expect(await itemsInCollection()).toEqual([]);
  });

  it('gets its title from the template, its tags, and is published when that was asked for', async () => {
    const { path } = put('take.bin', 100);
    await add([path], { ...DEFAULTS, titleTemplate: 'Nº {nn} {name}', tags: ['a', 'b c'], publish: { kind: 'now' } });
    engine.startUploads();
    await engine.whenUploadsIdle();
    const [item] = await itemsInCollection();
    expect(item).toMatchObject({ title: 'Nº 01 take', tags: ['a', 'b c'], status: 'published' });
  });

  it('reports files that can’t be sent in the same receipt', async () => {
    put('good.bin', 10);
    writeFileSync(join(dir, 'empty.bin'), '');
    const { batchId, skipped } = await add([dir, join(dir, 'gone.bin')]);
    expect(skipped.map(({ error }) => error.code).sort()).toEqual(['file.empty', 'file.missing']);
    engine.startUploads();
    await engine.whenUploadsIdle();
    const { totals } = await engine.call('uploads.receipt', { batchId });
    expect(totals).toMatchObject({ added: 3, complete: 1, skipped: 2 });
  });

  it('is made once although the reply to its creation was lost', async () => {
    const file = put('lost-reply.bin', 5000);
    await service.control('POST', '/faults', {
      method: 'POST',
      path: '^/api2/media$',
      times: 1,
      action: { kind: 'lose-reply' },
    });
    await add([file.path]);
    engine.startUploads();
    await engine.whenUploadsIdle();
    await expectAllArrivedOnce([file.hash]);
  });

  it('gets a new placeholder, and only one file, when the reply to the placeholder was lost', async () => {
    const file = put('lost-placeholder.bin', 5000);
    await service.control('POST', '/faults', {
      method: 'POST',
      path: '^/api2/media/[^/]+/files$',
      times: 1,
      action: { kind: 'lose-reply' },
    });
    await add([file.path]);
    engine.startUploads();
    await engine.whenUploadsIdle();
    await expectAllArrivedOnce([file.hash]);
  });

  it('waits out maintenance without using an attempt, and goes on by itself', async () => {
    const file = put('maintenance.bin', 5000);
    await service.control('PATCH', '/settings', { read_only: true });
    await add([file.path]);
    const waiting = whenRow(engine, ({ state }) => state === 'waiting');
    engine.startUploads();
    expect(await waiting).toMatchObject({ attempts: 0, error: { code: 'api.read-only' } });
    expect((await engine.call('uploads.totals', null)).blockedBy?.code).toBe('api.read-only');
    await service.control('PATCH', '/settings', { read_only: false });
    await engine.whenUploadsIdle();
    await expectAllArrivedOnce([file.hash]);
  });

  it('fails for what only a person can mend, and the others go on', async () => {
    const good = put('good.bin', 1000);
    const bad = put('vanishes.bin', 1000);
    await add([bad.path, good.path]);
    rmSync(bad.path);
    engine.startUploads();
    await engine.whenUploadsIdle();
    const states = (await allRows(engine)).map(({ state, error }) => error?.code ?? state);
    expect(states).toEqual(['file.missing', 'complete']);
    put('vanishes.bin', 1000);
    expect(await engine.call('uploads.retry', { kind: 'failed' })).toEqual({ changed: 1 });
    await engine.whenUploadsIdle();
    await expectAllArrivedOnce([good.hash, bad.hash]);
  });

  it('sends what the file is now when it changed while it was queued', async () => {
    const { path } = put('changes.bin', 1000);
    await add([path]);
    truncateSync(path, 500);
    engine.startUploads();
    await engine.whenUploadsIdle();
    await expectAllArrivedOnce([sha256(Buffer.alloc(500, 'changes.bin'))]);
  });
});

describe('a restart', () => {
  it('of the service in mid-transfer ends with each file there exactly once', async () => {
    const files = [put('a.bin', 30_000_000), put('b.bin', 20_000_000)];
    await service.control('POST', '/faults', {
      method: 'POST',
      path: '^/upload/',
      times: 2,
      action: { kind: 'reset', afterBytes: 5_000_000 },
    });
    await add([dir]);
    engine.startUploads();
    await whenRow(engine, ({ state }) => state === 'sending');
    await service.kill9();
    await service.restart();
    await engine.whenUploadsIdle();
    await expectAllArrivedOnce(files.map(({ hash }) => hash));
  }, 60_000);

  it('of the engine in mid-transfer goes on where the service says it stands', async () => {
    const file = putLong('long.bin');
    await add([file.path]);
    engine.startUploads();
    await whenRow(engine, ({ state, sentBytes }) => state === 'sending' && sentBytes > 0);
    await engine.stop();
    engine = await profile.open();
    const [row] = await allRows(engine);
    expect(['queued', 'processing', 'complete']).toContain(row?.state);
    engine.startUploads();
    await engine.whenUploadsIdle();
    await expectAllArrivedOnce([file.hash]);
  }, 60_000);
});

describe('commands', () => {
  it('pause keeps the connection, and resume goes on without sending a byte twice', async () => {
    const file = putLong('held.bin');
    await clearJournal(service);
    await add([file.path]);
    engine.startUploads();
    const { id } = await whenRow(engine, ({ state, sentBytes }) => state === 'sending' && sentBytes > 0);
    expect(await engine.call('uploads.pause', { kind: 'ids', ids: [id] })).toEqual({ changed: 1 });
    expect((await allRows(engine))[0]?.state).toBe('paused');
    await engine.call('uploads.resume', { kind: 'ids', ids: [id] });
    await engine.whenUploadsIdle();
    await expectAllArrivedOnce([file.hash]);
    const sends = await requestsOf(service, 'POST', /^\/upload\//);
    expect(sends).toHaveLength(1);
    expect(sends[0]?.received_bytes).toBeLessThan(LONG_BYTES + 10_000);
  }, 60_000);

  it('cancel ends the transfer and leaves no empty item behind', async () => {
    const file = putLong('cancelled.bin');
    await add([file.path]);
    engine.startUploads();
    const { id } = await whenRow(engine, ({ state, sentBytes }) => state === 'sending' && sentBytes > 0);
    await engine.call('uploads.cancel', { kind: 'ids', ids: [id] });
    await engine.whenUploadsIdle();
    expect((await allRows(engine)).map(({ state }) => state)).toEqual(['cancelled']);
    expect(await itemsInCollection()).toEqual([]);
  }, 60_000);

  it('pause of everything survives a restart, and resume starts it again', async () => {
    const file = put('patient.bin', 1000);
    await engine.call('uploads.pause', { kind: 'all' });
    await add([file.path]);
    await engine.stop();
    engine = await profile.open();
    engine.startUploads();
    await engine.whenUploadsIdle();
    expect((await engine.call('uploads.totals', null)).paused).toBe(true);
    expect((await allRows(engine)).map(({ state }) => state)).toEqual(['queued']);
    await engine.call('uploads.resume', { kind: 'all' });
    await engine.whenUploadsIdle();
    await expectAllArrivedOnce([file.hash]);
  });
});
