import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { batchDefaultsSchema } from '../../../../shared/contract/uploads.ts';
import { openTestDesk, whenRow } from '../../../helpers/engine-host.ts';
import { fastClock } from '../../../helpers/fast-clock.ts';
import { requestsOf } from '../../../helpers/journal.ts';
import { startService } from '../../../helpers/service-process.ts';
import { TransfersInTest } from '../../../helpers/transfers-in-test.ts';

const MB = 1_000_000;
let world: TransfersInTest | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

describe('a held transfer', () => {
  it.each(['person', 'schedule', 'deadline'] as const)('is closed after 15 s when its reason is %s', async (reason) => {
    world = await TransfersInTest.open(import.meta.filename);
    const connection = await world.begin('a', MB);
    world.transfers.hold('a', reason);
    world.clock.advance(14_999);
    expect(connection.ended).toBe(null);
    world.clock.advance(1);
    expect(connection.ended).toMatchObject({ message: expect.stringContaining('held-too-long') });
  });

  it('is not closed when it is released in time; each hold has its own 15 s', async () => {
    world = await TransfersInTest.open(import.meta.filename);
    const connection = await world.begin('a', MB);
    for (let turn = 0; turn < 5; turn += 1) {
      world.transfers.hold('a');
      world.clock.advance(14_000);
      world.transfers.release('a');
      world.clock.advance(60_000);
    }
    expect(connection.ended).toBe(null);
    expect(world.transfers.get('a')).toBeDefined();
  });

  it('starts again from zero, and its row shows it, when it was paused for longer', async () => {
    const service = await startService();
    onTestFinished(() => service.stop());
    const { profile, engine, siteId, collectionId, dir } = await openTestDesk(service, 'held', {
      clock: fastClock(20),
    });
    onTestFinished(async () => {
      await engine.stop();
      profile.remove();
    });
    const path = join(dir, 'long.bin');
    writeFileSync(path, Buffer.alloc(4 * MB, 'long '));
    await engine.call('settings.set', { patch: { limitBytesPerSecond: 100_000 } });
    const defaults = batchDefaultsSchema.parse({});
    await engine.call('uploads.add', { siteId, collectionId, paths: [path], defaults });
    const moves = whenRow(engine, ({ sentBytes, state }) => state === 'sending' && sentBytes > 0);
    engine.startUploads();
    await moves;
    const told = whenRow(engine, ({ notice }) => notice?.code === 'upload.starts-again');
    await engine.call('uploads.pause', { kind: 'all' });
    expect(await told).toMatchObject({ state: 'paused', sentBytes: 0, error: null, attempts: 0 });
    await engine.call('settings.set', { patch: { limitBytesPerSecond: null } });
    await engine.call('uploads.resume', { kind: 'all' });
    await engine.whenUploadsIdle();
    const { rows } = await engine.call('uploads.list', { filter: 'all', batchId: null, offset: 0, limit: 10 });
    expect(rows).toMatchObject([{ state: 'complete', attempts: 0, notice: null }]);
    expect(await requestsOf(service, 'POST', /^\/upload\//)).toHaveLength(2);
  });
});
