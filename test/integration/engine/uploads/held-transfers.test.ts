import { afterEach, describe, expect } from 'vitest';
import { deskTest } from '../../../helpers/engine/desk.ts';
import { TransfersInTest } from '../../../helpers/engine/transfers-in-test.ts';
import { requestsOf } from '../../../helpers/service/journal.ts';

const it = deskTest();

const MB = 1_000_000;
let world: TransfersInTest | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

describe('a paused transfer', () => {
  it.each(['user', 'schedule', 'deadline'] as const)(
    'is closed after 15 s (reason of the pause: %s)',
    async (reason) => {
      world = await TransfersInTest.open(import.meta.filename);
      const connection = await world.begin('a', MB);
      world.transfers.hold('a', reason);
      world.clock.advance(14_999);
      expect(connection.ended).toBe(null);
      world.clock.advance(1);
      expect(connection.ended).toMatchObject({ message: expect.stringContaining('held-too-long') });
    },
  );

  it('is not closed when it resumes in time; each pause has its own 15 s', async () => {
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

  describe('of an upload', () => {
    it.override({ speed: 20 });

    it('starts again from zero, and its row shows this, when it was paused for more than 15 s', async ({
      desk,
      service,
    }) => {
      const path = desk.put('long.bin', Buffer.alloc(4 * MB, 'long '));
      await desk.engine.call('settings.set', { patch: { limitBytesPerSecond: 100_000 } });
      await desk.add([path]);
      const moves = desk.whenRow(({ sentBytes, state }) => state === 'sending' && sentBytes > 0);
      desk.engine.startUploads();
      await moves;
      const noticed = desk.whenRow(({ notice }) => notice?.code === 'upload.starts-again');
      await desk.engine.call('uploads.pause', { kind: 'all' });
      expect(await noticed).toMatchObject({ state: 'paused', sentBytes: 0, error: null, attempts: 0 });
      await desk.engine.call('settings.set', { patch: { limitBytesPerSecond: null } });
      await desk.engine.call('uploads.resume', { kind: 'all' });
      await desk.engine.whenUploadsIdle();
      expect(await desk.rows()).toMatchObject([{ state: 'complete', attempts: 0, notice: null }]);
      expect(await requestsOf(service, 'POST', /^\/upload\//)).toHaveLength(2);
    });
  });
});
