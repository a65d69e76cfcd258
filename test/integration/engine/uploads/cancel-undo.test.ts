import { rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Engine } from '../../../../electron/engine/engine.ts';
import { UNDO_KEPT_MS } from '../../../../electron/engine/uploads/queue/cancel-undos.ts';
import { batchDefaultsSchema, type UploadRow } from '../../../../shared/contract/uploads.ts';
import { allRows, openTestDesk, type TestProfile, whenRow } from '../../../helpers/engine-host.ts';
import { type FastClock, fastClock } from '../../../helpers/fast-clock.ts';
import { clearJournal, effectsOf, requestsOf } from '../../../helpers/journal.ts';
import { type ServiceProcess, startService } from '../../../helpers/service-process.ts';

let service: ServiceProcess;
let profile: TestProfile;
let engine: Engine;
let clock: FastClock;
let siteId: string;
let collectionId: string;
let dir: string;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  clock = fastClock(1);
  ({ profile, engine, siteId, collectionId, dir } = await openTestDesk(service, 'undo', { clock }));
  await clearJournal(service);
});
afterEach(async () => {
  await engine.stop();
  await service.control('DELETE', '/faults');
  profile.remove();
  rmSync(dir, { recursive: true, force: true });
});

async function add(name: string, sizeBytes = 5000): Promise<string> {
  const path = join(dir, name);
  writeFileSync(path, name);
  truncateSync(path, sizeBytes);
  await engine.call('uploads.add', { siteId, collectionId, paths: [path], defaults: batchDefaultsSchema.parse({}) });
  return idOf(name);
}

async function row(name: string): Promise<UploadRow> {
  const found = (await allRows(engine)).find(({ fileName }) => fileName === name);
  if (found === undefined) throw new Error(`no row ${name}`);
  return found;
}

const idOf = async (name: string) => (await row(name)).id;
const order = async () =>
  (await allRows(engine)).map(({ fileName, state, priority }) => `${fileName} ${state} ${priority}`);
const ids = (...some: string[]) => ({ kind: 'ids' as const, ids: some });
const deletions = async () => (await requestsOf(service, 'DELETE', /^\/api2\/media\/[^/]+$/)).length;

async function cancelWaiting(...some: string[]): Promise<string> {
  const { changed, undoId } = await engine.call('uploads.cancelWaiting', ids(...some));
  expect(changed).toBe(some.length);
  if (undoId === null) throw new Error('nothing can be undone');
  return undoId;
}

/** An upload whose item is made and whose bytes the destination refuses to take: it waits for its next try. */
async function waitingWithItem(name: string): Promise<UploadRow> {
  await service.control('POST', '/faults', {
    ...{ method: 'POST', path: '^/upload/', times: 1, action: { kind: 'reset', afterBytes: 10 } },
  });
  const waits = whenRow(engine, ({ fileName, state }) => fileName === name && state === 'waiting');
  await add(name, 2_000_000);
  engine.startUploads();
  return waits;
}

describe('a cancel of uploads that wait', () => {
  it('puts state, order and priority back when it is undone', async () => {
    for (const name of ['a.bin', 'b.bin', 'c.bin', 'd.bin']) await add(name);
    await engine.call('uploads.setPriority', { selection: ids(await idOf('c.bin')), priority: 'high' });
    await engine.call('uploads.pause', ids(await idOf('b.bin')));
    const before = await order();
    expect(before).toEqual(['c.bin queued high', 'a.bin queued normal', 'b.bin paused normal', 'd.bin queued normal']);
    const undoId = await cancelWaiting(await idOf('c.bin'), await idOf('a.bin'), await idOf('b.bin'));
    expect((await order()).filter((line) => line.includes('cancelled'))).toHaveLength(3);
    expect(await engine.call('uploads.undoCancel', { undoId })).toEqual({ changed: 3 });
    expect(await order()).toEqual(before);
  });

  it('is undone once, and brings nothing back that was cancelled before it', async () => {
    const [a, b] = [await add('a.bin'), await add('b.bin')];
    await engine.call('uploads.cancel', ids(a));
    const { undoId } = await engine.call('uploads.cancelWaiting', ids(a, b));
    expect(await engine.call('uploads.undoCancel', { undoId: undoId ?? '' })).toEqual({ changed: 1 });
    expect(await engine.call('uploads.undoCancel', { undoId: undoId ?? '' })).toEqual({ changed: 0 });
    expect((await row('a.bin')).state).toBe('cancelled');
    expect((await row('b.bin')).state).toBe('queued');
  });

  it('leaves alone what was retried meanwhile', async () => {
    const a = await add('a.bin');
    await engine.call('uploads.pause', ids(a));
    const undoId = await cancelWaiting(a);
    await engine.call('uploads.retry', ids(a));
    expect(await engine.call('uploads.undoCancel', { undoId })).toEqual({ changed: 0 });
    expect((await row('a.bin')).state).toBe('queued');
  });

  it('passes over what is being sent, which a cancel is told to end', async () => {
    const waits = await add('later.bin');
    await engine.call('uploads.pause', ids(waits));
    const sends = whenRow(engine, ({ state, sentBytes }) => state === 'sending' && sentBytes > 0);
    await add('long.bin', 400_000_000);
    await engine.call('settings.set', { patch: { limitBytesPerSecond: 1_000_000 } });
    engine.startUploads();
    const { id } = await sends;
    const both = ids(id, waits);
    expect(await engine.call('uploads.cancelEffects', both)).toEqual({ waiting: 1, sending: 1, delivered: 0, kept: 0 });
    // Held, its connection is still open: that is no upload that only waits.
    await engine.call('uploads.pause', ids(id));
    expect(await engine.call('uploads.cancelWaiting', both)).toMatchObject({ changed: 1 });
    expect((await row('long.bin')).state).toBe('paused');
    expect((await row('later.bin')).state).toBe('cancelled');
  });
});

describe('what a cancelled upload has in the library', () => {
  it('stays until the time to undo is over, and is what the upload goes on with when it is undone', async () => {
    const waiting = await waitingWithItem('kept.bin');
    const undoId = await cancelWaiting(waiting.id);
    await engine.call('uploads.undoCancel', { undoId });
    expect(await row('kept.bin')).toMatchObject({
      ...{ state: 'waiting', mediaId: waiting.mediaId, nextAttemptAt: waiting.nextAttemptAt },
      ...{ attempts: waiting.attempts, error: { code: waiting.error?.code } },
    });
    await engine.call('uploads.retry', ids(waiting.id));
    await engine.whenUploadsIdle();
    expect(await row('kept.bin')).toMatchObject({ state: 'complete', mediaId: waiting.mediaId });
    expect(await effectsOf(service, 'media-created')).toHaveLength(1);
    expect(await deletions()).toBe(0);
  });

  it('is removed when that time is over', async () => {
    const waiting = await waitingWithItem('removed.bin');
    clock.setSpeed(20);
    const cancelledAt = clock.monotonic();
    const undoId = await cancelWaiting(waiting.id);
    await expect.poll(deletions, { timeout: 20_000 }).toBe(1);
    expect(clock.monotonic() - cancelledAt).toBeGreaterThanOrEqual(UNDO_KEPT_MS);
    expect(await engine.call('uploads.undoCancel', { undoId })).toEqual({ changed: 0 });
    await expect.poll(async () => (await row('removed.bin')).mediaId).toBeNull();
  });

  it('is removed by the next start when the program was quit within that time; the cancel stands', async () => {
    const waiting = await waitingWithItem('quit.bin');
    const undoId = await cancelWaiting(waiting.id);
    await engine.stop();
    expect(await deletions()).toBe(0);
    engine = await profile.open();
    expect((await row('quit.bin')).state).toBe('cancelled');
    expect(await engine.call('uploads.undoCancel', { undoId })).toEqual({ changed: 0 });
    engine.startUploads();
    await expect.poll(deletions, { timeout: 20_000 }).toBe(1);
    expect((await row('quit.bin')).state).toBe('cancelled');
  });
});
