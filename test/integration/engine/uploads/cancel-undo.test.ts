import { describe, expect } from 'vitest';
import { UNDO_KEPT_MS } from '../../../../electron/engine/uploads/queue/command-undos.ts';
import type { UploadRow } from '../../../../shared/contract/uploads.ts';
import { type Desk, deskTest } from '../../../helpers/engine/desk.ts';
import { effectsOf, requestsOf } from '../../../helpers/service/journal.ts';

const it = deskTest();

async function add(desk: Desk, name: string, sizeBytes = 5000): Promise<string> {
  await desk.add([desk.put(name, sizeBytes)]);
  return idOf(desk, name);
}

const idOf = async (desk: Desk, name: string) => (await desk.row(name)).id;
const order = async (desk: Desk) =>
  (await desk.rows()).map(({ fileName, state, priority }) => `${fileName} ${state} ${priority}`);
const ids = (...some: string[]) => ({ kind: 'ids' as const, ids: some });
const deletions = async ({ service }: Desk) => (await requestsOf(service, 'DELETE', /^\/api2\/media\/[^/]+$/)).length;

async function cancelUnsent(desk: Desk, ...some: string[]): Promise<string> {
  const { changed, undoId } = await desk.engine.call('uploads.cancelUnsent', ids(...some));
  expect(changed).toBe(some.length);
  if (undoId === null) throw new Error('nothing can be undone');
  return undoId;
}

/** An upload whose item exists and whose connection broke during the transfer: it waits for its next attempt. */
async function waitingWithItem(desk: Desk, name: string): Promise<UploadRow> {
  await desk.service.control('POST', '/faults', {
    method: 'POST',
    path: '^/upload/',
    times: 1,
    action: { kind: 'reset', afterBytes: 10 },
  });
  const waits = desk.whenRow(({ fileName, state }) => fileName === name && state === 'waiting');
  await add(desk, name, 2_000_000);
  desk.engine.startUploads();
  return waits;
}

describe('a cancel of waiting uploads', () => {
  it('restores state, order and priority when it is undone', async ({ desk }) => {
    for (const name of ['a.bin', 'b.bin', 'c.bin', 'd.bin']) await add(desk, name);
    await desk.engine.call('uploads.setPriority', { selection: ids(await idOf(desk, 'c.bin')), priority: 'high' });
    await desk.engine.call('uploads.pause', ids(await idOf(desk, 'b.bin')));
    const before = await order(desk);
    expect(before).toEqual(['c.bin queued high', 'a.bin queued normal', 'b.bin paused normal', 'd.bin queued normal']);
    const undoId = await cancelUnsent(
      desk,
      await idOf(desk, 'c.bin'),
      await idOf(desk, 'a.bin'),
      await idOf(desk, 'b.bin'),
    );
    expect((await order(desk)).filter((line) => line.includes('cancelled'))).toHaveLength(3);
    expect(await desk.engine.call('uploads.undoCancel', { undoId })).toEqual({ changed: 3 });
    expect(await order(desk)).toEqual(before);
  });

  it('is undone once, and the undo restores no upload that was cancelled before it', async ({ desk }) => {
    const [a, b] = [await add(desk, 'a.bin'), await add(desk, 'b.bin')];
    await desk.engine.call('uploads.cancel', ids(a));
    const { undoId } = await desk.engine.call('uploads.cancelUnsent', ids(a, b));
    expect(await desk.engine.call('uploads.undoCancel', { undoId: undoId ?? '' })).toEqual({ changed: 1 });
    expect(await desk.engine.call('uploads.undoCancel', { undoId: undoId ?? '' })).toEqual({ changed: 0 });
    expect((await desk.row('a.bin')).state).toBe('cancelled');
    expect((await desk.row('b.bin')).state).toBe('queued');
  });

  it('is not undone when the upload was retried before', async ({ desk }) => {
    const a = await add(desk, 'a.bin');
    await desk.engine.call('uploads.pause', ids(a));
    const undoId = await cancelUnsent(desk, a);
    await desk.engine.call('uploads.retry', ids(a));
    expect(await desk.engine.call('uploads.undoCancel', { undoId })).toEqual({ changed: 0 });
    expect((await desk.row('a.bin')).state).toBe('queued');
  });

  it('skips an upload that is being sent, also when that upload is paused', async ({ desk }) => {
    const waits = await add(desk, 'later.bin');
    await desk.engine.call('uploads.pause', ids(waits));
    const sends = desk.whenRow(({ state, sentBytes }) => state === 'sending' && sentBytes > 0);
    await add(desk, 'long.bin', 400_000_000);
    await desk.engine.call('settings.set', { patch: { limitBytesPerSecond: 1_000_000 } });
    desk.engine.startUploads();
    const { id } = await sends;
    const both = ids(id, waits);
    expect(await desk.engine.call('uploads.cancelEffects', both)).toEqual({
      waiting: 1,
      sending: 1,
      delivered: 0,
      kept: 0,
    });
    // The paused upload still has its connection, so it does not count as waiting.
    await desk.engine.call('uploads.pause', ids(id));
    expect(await desk.engine.call('uploads.cancelUnsent', both)).toMatchObject({ changed: 1 });
    expect((await desk.row('long.bin')).state).toBe('paused');
    expect((await desk.row('later.bin')).state).toBe('cancelled');
  });
});

describe('the library item of a cancelled upload', () => {
  it('is kept until the undo expires, and is used again when the cancel is undone', async ({ desk, service }) => {
    const waiting = await waitingWithItem(desk, 'kept.bin');
    const undoId = await cancelUnsent(desk, waiting.id);
    await desk.engine.call('uploads.undoCancel', { undoId });
    expect(await desk.row('kept.bin')).toMatchObject({
      state: 'waiting',
      mediaId: waiting.mediaId,
      nextAttemptAt: waiting.nextAttemptAt,
      attempts: waiting.attempts,
      error: { code: waiting.error?.code },
    });
    await desk.engine.call('uploads.retry', ids(waiting.id));
    await desk.engine.whenUploadsIdle();
    expect(await desk.row('kept.bin')).toMatchObject({ state: 'complete', mediaId: waiting.mediaId });
    expect(await effectsOf(service, 'media-created')).toHaveLength(1);
    expect(await deletions(desk)).toBe(0);
  });

  it('is removed when the undo expires', async ({ desk, clock }) => {
    const waiting = await waitingWithItem(desk, 'removed.bin');
    clock.setSpeed(20);
    const cancelledAt = clock.monotonic();
    const undoId = await cancelUnsent(desk, waiting.id);
    await expect.poll(() => deletions(desk), { timeout: 60_000 }).toBe(1);
    expect(clock.monotonic() - cancelledAt).toBeGreaterThanOrEqual(UNDO_KEPT_MS);
    expect(await desk.engine.call('uploads.undoCancel', { undoId })).toEqual({ changed: 0 });
    await expect.poll(async () => (await desk.row('removed.bin')).mediaId).toBeNull();
  });

  it('is removed at the next start, and the upload stays cancelled, when the program quits before the undo expires', async ({
    desk,
  }) => {
    const waiting = await waitingWithItem(desk, 'quit.bin');
    const undoId = await cancelUnsent(desk, waiting.id);
    await desk.engine.stop();
    expect(await deletions(desk)).toBe(0);
    await desk.reopen();
    expect((await desk.row('quit.bin')).state).toBe('cancelled');
    expect(await desk.engine.call('uploads.undoCancel', { undoId })).toEqual({ changed: 0 });
    desk.engine.startUploads();
    await expect.poll(() => deletions(desk), { timeout: 60_000 }).toBe(1);
    expect((await desk.row('quit.bin')).state).toBe('cancelled');
  });
});
