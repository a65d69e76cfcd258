import { createHash } from 'node:crypto';
import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { nodeClock } from '../../../../electron/engine/ports/system/node-clock.ts';
import { HashThreads } from '../../../../electron/engine/ports/system/node-hash-threads.ts';
import { type Desk, deskTest } from '../../../helpers/engine/desk.ts';
import { requestsOf } from '../../../helpers/service/journal.ts';

const it = deskTest();

/** A speed limit keeps such a file in transfer until a test removes the limit. */
const LONG_BYTES = 20_000_000;
const SLOW = { limitBytesPerSecond: 50_000 };

// The backoff and the speed limit run on a clock that is twenty times as fast.
it.override('speed', 20);

async function itemsInCollection({ engine, siteId, collectionId }: Desk) {
  const all = { search: '', type: null, status: null, sort: 'created_on', order: 'asc' } as const;
  await engine.call('library.refresh', { siteId });
  const query = { siteId, collectionId, ...all };
  return (await engine.call('library.mediaWindow', { query, offset: 0, limit: 200 })).rows;
}

/** Checks that every row is complete, with one item each and the bytes of the files at `paths`. */
async function expectAllArrivedOnce(desk: Desk, ...paths: string[]): Promise<void> {
  const rows = await desk.rows();
  expect(rows.map(({ state, error }) => error ?? state)).toEqual(rows.map(() => 'complete'));
  expect((await itemsInCollection(desk)).map(({ id }) => id).sort()).toEqual(rows.map(({ mediaId }) => mediaId).sort());
  const hashes = paths.map((path) => createHash('sha256').update(readFileSync(path)).digest('hex'));
  expect(rows.map(({ sha256: sent }) => sent).sort()).toEqual(hashes.sort());
  for (const { fileId, mediaId, sha256 } of rows) {
    expect(await desk.storedSha256(fileId)).toBe(sha256);
    const { files } = await desk.engine.call('library.media', { siteId: desk.siteId, mediaId: mediaId ?? '' });
    expect(files.map(({ id }) => id)).toEqual([fileId]);
  }
}

/** Starts the uploads and resolves with the id of the one whose transfer runs. */
async function untilSending(desk: Desk): Promise<string> {
  await desk.engine.call('settings.set', { patch: SLOW });
  desk.engine.startUploads();
  const { id } = await desk.whenRow(({ state, sentBytes }) => state === 'sending' && sentBytes > 0);
  return id;
}

const liftLimit = (desk: Desk) => desk.engine.call('settings.set', { patch: { limitBytesPerSecond: null } });

describe('an upload', () => {
  it('completes files of any size, one item each, with every byte equal', async ({ desk }) => {
    const files = [
      desk.put('one.bin', Buffer.alloc(1, 'one.bin')),
      desk.put('small.bin', Buffer.alloc(70_000, 'small.bin')),
      desk.put('ümläut 🎙 "q".bin', Buffer.alloc(3_000_000, 'ümläut 🎙 "q".bin')),
    ];
    const added = await desk.add();
    expect(added).toMatchObject({ added: 3, skippedCount: 0 });
    await desk.run();
    await expectAllArrivedOnce(desk, ...files);
    const receipt = await desk.engine.call('uploads.receipt', { batchId: added.batchId });
    expect(receipt.totals).toMatchObject({ added: 3, complete: 3, pending: 0, failed: 0 });
  });

  it('stays queued until the uploads are started', async ({ desk }) => {
    desk.put('a.bin', Buffer.alloc(100, 'a.bin'));
    await desk.add();
    expect((await desk.rows()).map(({ state }) => state)).toEqual(['queued']);
    expect(await itemsInCollection(desk)).toEqual([]);
  });

  it('gets the title of the template and its tags, and is published when the batch requires it', async ({ desk }) => {
    const path = desk.put('take.bin', Buffer.alloc(100, 'take.bin'));
    await desk.add([path], { titleTemplate: 'Nº {nn} {name}', tags: ['a', 'b c'], publish: { kind: 'now' } });
    await desk.run();
    const [item] = await itemsInCollection(desk);
    expect(item).toMatchObject({ title: 'Nº 01 take', tags: ['a', 'b c'], status: 'published' });
  });

  it('of a folder lists the files that can’t be sent in the receipt of the batch', async ({ desk }) => {
    desk.put('good.bin', Buffer.alloc(10, 'good.bin'));
    writeFileSync(join(desk.dir, 'empty.bin'), '');
    const { batchId, skipped } = await desk.add([desk.dir, join(desk.dir, 'gone.bin')]);
    expect(skipped.map(({ error }) => error.code).sort()).toEqual(['file.empty', 'file.missing']);
    await desk.run();
    const { totals } = await desk.engine.call('uploads.receipt', { batchId });
    expect(totals).toMatchObject({ added: 3, complete: 1, skipped: 2 });
  });

  it('creates one item when the reply to its creation is lost', async ({ desk, service }) => {
    const file = desk.put('lost-reply.bin', Buffer.alloc(5000, 'lost-reply.bin'));
    await service.control('POST', '/faults', {
      method: 'POST',
      path: '^/api2/media$',
      times: 1,
      action: { kind: 'lose-reply' },
    });
    await desk.add([file]);
    await desk.run();
    await expectAllArrivedOnce(desk, file);
  });

  it('stores one file when the reply to the creation of its placeholder is lost', async ({ desk, service }) => {
    const file = desk.put('lost-placeholder.bin', Buffer.alloc(5000, 'lost-placeholder.bin'));
    await service.control('POST', '/faults', {
      method: 'POST',
      path: '^/api2/media/[^/]+/files$',
      times: 1,
      action: { kind: 'lose-reply' },
    });
    await desk.add([file]);
    await desk.run();
    await expectAllArrivedOnce(desk, file);
  });

  it('resumes automatically after maintenance, without using a retry', async ({ desk, service }) => {
    const file = desk.put('maintenance.bin', Buffer.alloc(5000, 'maintenance.bin'));
    await service.control('PATCH', '/settings', { read_only: true });
    await desk.add([file]);
    const waiting = desk.whenRow(({ state }) => state === 'waiting');
    desk.engine.startUploads();
    expect(await waiting).toMatchObject({ attempts: 0, error: { code: 'api.read-only' } });
    expect((await desk.engine.call('uploads.totals', null)).blockedBy?.code).toBe('api.read-only');
    await service.control('PATCH', '/settings', { read_only: false });
    await desk.engine.whenUploadsIdle();
    await expectAllArrivedOnce(desk, file);
  });

  it('fails when its file is missing, while the others continue', async ({ desk }) => {
    const good = desk.put('good.bin', Buffer.alloc(1000, 'good.bin'));
    const bad = desk.put('vanishes.bin', Buffer.alloc(1000, 'vanishes.bin'));
    await desk.add([bad, good]);
    rmSync(bad);
    await desk.run();
    const states = (await desk.rows()).map(({ state, error }) => error?.code ?? state);
    expect(states).toEqual(['file.missing', 'complete']);
    desk.put('vanishes.bin', Buffer.alloc(1000, 'vanishes.bin'));
    expect(await desk.engine.call('uploads.retry', { kind: 'failed' })).toEqual({ changed: 1 });
    await desk.engine.whenUploadsIdle();
    await expectAllArrivedOnce(desk, good, bad);
  });

  it('sends the current contents when its file changed while it was queued', async ({ desk }) => {
    const path = desk.put('changes.bin', Buffer.alloc(1000, 'changes.bin'));
    await desk.add([path]);
    truncateSync(path, 500);
    await desk.run();
    await expectAllArrivedOnce(desk, path);
  });
});

describe('a hash thread that is lost', () => {
  it('causes one restart and no retry of its uploads, which complete with the right hash', async ({ desk }) => {
    const dies = `const { parentPort } = require('node:worker_threads'); let count = 0; parentPort.on('message', ({ block }) => {
      count += 1;
      if (count === 20) process.exit(1);
      if (block) parentPort.postMessage(block, [block]);
    });`;
    const lost: string[] = [];
    const hashes = new HashThreads({ clock: nodeClock, most: 1, program: dies, onLost: (reason) => lost.push(reason) });
    await desk.reopen({ hashes });
    const files = [
      desk.put('a.bin', Buffer.alloc(30_000_000, 'a.bin')),
      desk.put('b.bin', Buffer.alloc(20_000_000, 'b.bin')),
    ];
    await desk.add();
    await desk.run();
    await expectAllArrivedOnce(desk, ...files);
    expect(lost).toEqual(['ended with code 1']);
    expect((await desk.rows()).map(({ attempts }) => attempts)).toEqual([0, 0]);
  });
});

describe('a restart', () => {
  it('of the service during a transfer leaves each file stored exactly once', async ({ desk, service }) => {
    const files = [
      desk.put('a.bin', Buffer.alloc(30_000_000, 'a.bin')),
      desk.put('b.bin', Buffer.alloc(20_000_000, 'b.bin')),
    ];
    await service.control('POST', '/faults', {
      method: 'POST',
      path: '^/upload/',
      times: 2,
      action: { kind: 'reset', afterBytes: 5_000_000 },
    });
    await desk.add();
    desk.engine.startUploads();
    await desk.whenRow(({ state }) => state === 'sending');
    await service.kill9();
    await service.restart();
    await desk.engine.whenUploadsIdle();
    await expectAllArrivedOnce(desk, ...files);
  });

  it('of the engine during a transfer leaves the file stored exactly once', async ({ desk }) => {
    const file = desk.put('long.bin', LONG_BYTES);
    await desk.add([file]);
    await untilSending(desk);
    await desk.reopen();
    expect((await desk.rows()).map(({ state }) => state)).toEqual(['queued']);
    await liftLimit(desk);
    await desk.run();
    await expectAllArrivedOnce(desk, file);
  });
});

describe('the command', () => {
  it('resume sends no byte twice when the connection stayed open during the pause', async ({ desk, service }) => {
    const file = desk.put('held.bin', LONG_BYTES);
    await desk.add([file]);
    const id = await untilSending(desk);
    expect(await desk.engine.call('uploads.pause', { kind: 'ids', ids: [id] })).toEqual({ changed: 1 });
    expect((await desk.rows())[0]?.state).toBe('paused');
    await liftLimit(desk);
    await desk.engine.call('uploads.resume', { kind: 'ids', ids: [id] });
    await desk.engine.whenUploadsIdle();
    await expectAllArrivedOnce(desk, file);
    const sends = await requestsOf(service, 'POST', /^\/upload\//);
    expect(sends).toHaveLength(1);
    expect(sends[0]?.received_bytes).toBeLessThan(LONG_BYTES + 10_000);
  });

  it('cancel ends the transfer and leaves no empty item', async ({ desk }) => {
    const file = desk.put('cancelled.bin', LONG_BYTES);
    await desk.add([file]);
    const id = await untilSending(desk);
    await desk.engine.call('uploads.cancel', { kind: 'ids', ids: [id] });
    await desk.engine.whenUploadsIdle();
    expect((await desk.rows()).map(({ state }) => state)).toEqual(['cancelled']);
    expect(await itemsInCollection(desk)).toEqual([]);
  });

  it('pause of the whole queue lasts until resume, also across a restart', async ({ desk }) => {
    const file = desk.put('patient.bin', Buffer.alloc(1000, 'patient.bin'));
    await desk.engine.call('uploads.pause', { kind: 'all' });
    await desk.add([file]);
    await desk.reopen();
    await desk.run();
    expect((await desk.engine.call('uploads.totals', null)).paused).toBe(true);
    expect((await desk.rows()).map(({ state }) => state)).toEqual(['queued']);
    await desk.engine.call('uploads.resume', { kind: 'all' });
    await desk.engine.whenUploadsIdle();
    await expectAllArrivedOnce(desk, file);
  });
});
