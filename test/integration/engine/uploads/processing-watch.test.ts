import { describe, expect } from 'vitest';
import {
  pollWaitMs,
  RequestBudget,
  UNUSUALLY_LONG_MS,
} from '../../../../electron/engine/uploads/processing/poll-schedule.ts';
import { deskTest } from '../../../helpers/engine/desk.ts';
import { requestsOf } from '../../../helpers/service/journal.ts';

const it = deskTest();

const FILES = 40;
/**
 * The speed of the engine's clock. The library processes faster by the same factor, so that the number of polls of a file stays
 * the same.
 */
const SPEED = 2;

describe.each(['reference', 'lean', 'strict'] as const)(
  'the polling of many uploads in processing, in the dialect %s,',
  (dialect) => {
    it.override('speed', SPEED);

    it('needs fewer polls of single files than there are files', async ({ desk, service }) => {
      await service.control('PATCH', '/settings', { dialect, processing: { delay_ms: 600 / SPEED } });
      for (let index = 0; index < FILES; index += 1) desk.put(`take ${index}.bin`, `bytes ${index}`);
      await desk.add([desk.dir], { duplicates: 'upload' });
      await desk.run();
      const rows = await desk.rows();
      expect(rows.map(({ state, error }) => error ?? state)).toEqual(rows.map(() => 'complete'));
      const single = await requestsOf(service, 'GET', /\/files\/\d+$/);
      // One or two are processed at a time; most of them wait for seconds and would be polled often.
      expect(single.length).toBeLessThan(FILES);
    }, 600_000);
  },
);

describe('a file that is processed for a very long time', () => {
  it('is polled until it ends, with a notice after half an hour, and is not sent again', async ({
    desk,
    service,
    clock,
  }) => {
    // Longer than this test lasts: a restart of the service without the delay ends the processing.
    await service.control('PATCH', '/settings', { processing: { delay_ms: 3_600_000 } });
    await desk.add([desk.put('long.bin')]);
    const processing = desk.whenRow(({ state }) => state === 'processing');
    const noticed = desk.whenRow(({ notice }) => notice !== null);
    desk.engine.startUploads();
    await processing;
    const from = clock.now();
    clock.setSpeed(1000);
    const { state, notice, attempts } = await noticed;
    const passedMs = clock.now() - from;
    clock.setSpeed(20);
    expect({ state, code: notice?.code, attempts }).toEqual({
      state: 'processing',
      code: 'upload.processing-slow',
      attempts: 0,
    });
    expect(passedMs).toBeGreaterThanOrEqual(UNUSUALLY_LONG_MS);
    expect(notice?.details?.minutes).toBeGreaterThanOrEqual(30);
    const before = await requestsOf(service, 'POST', /^\/upload\//);
    await service.control('PATCH', '/settings', { processing: { delay_ms: 0 } });
    await service.restart();
    await desk.engine.whenUploadsIdle();
    expect(await desk.rows()).toMatchObject([{ state: 'complete', error: null, notice: null, attempts: 0 }]);
    const after = await requestsOf(service, 'POST', /^\/upload\//);
    expect(before.length + after.length).toBe(1);
  }, 600_000);
});

describe('the poll schedule', () => {
  it('polls each second at first, and every two minutes in the end', () => {
    expect(pollWaitMs(0)).toBeLessThanOrEqual(1000);
    expect(pollWaitMs(5 * 60_000)).toBeLessThanOrEqual(1000);
    expect(pollWaitMs(3_600_000)).toBeGreaterThan(5000);
    expect(pollWaitMs(30 * 24 * 3_600_000)).toBe(120_000);
  });

  it('permits three requests a second on average, and few more at once', () => {
    const budget = new RequestBudget(0);
    let now = 0;
    let made = 0;
    while (now < 60_000) {
      now += budget.take(now);
      made += 1;
    }
    expect(made).toBeLessThanOrEqual(3 * 60 + 5);
  });
});
