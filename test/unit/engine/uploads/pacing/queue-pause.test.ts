import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../../../electron/engine/store/database.ts';
import { SettingStore } from '../../../../../electron/engine/store/setting-store.ts';
import { QueuePause } from '../../../../../electron/engine/uploads/pacing/queue-pause.ts';
import { emptyDatabase } from '../../../../helpers/data/empty-database.ts';
import { SettableClock } from '../../../../helpers/time/settable-clock.ts';

const HOUR_MS = 3_600_000;

let database: Database;
let clock: SettableClock;
let pause: QueuePause;

const reopened = () => new QueuePause(new SettingStore(database), clock);

beforeEach(async () => {
  database = await emptyDatabase();
  clock = new SettableClock();
  pause = reopened();
});
afterEach(() => database.close());

describe('a pause of the queue until an instant', () => {
  it.each(['{"until":', '{"until":"soon","since":1}', 'null', '7'])('is not restored from %s', (damaged) => {
    new SettingStore(database).set('queue.paused-until', damaged);
    expect(reopened().until).toBe(null);
  });

  it('ends at its time, not earlier', () => {
    const until = clock.now() + HOUR_MS;
    pause.pauseUntil(until);
    clock.advance(HOUR_MS - 1);
    pause.check();
    expect(pause.until).toBe(until);
    clock.advance(1);
    pause.check();
    expect(pause.until).toBeNull();
  });

  it('survives a restart, and has ended when its time passed meanwhile', () => {
    const until = clock.now() + HOUR_MS;
    pause.pauseUntil(until);
    pause = reopened();
    pause.check();
    expect(pause.until).toBe(until);
    clock.advance(2 * HOUR_MS);
    pause = reopened();
    pause.check();
    expect(pause.until).toBeNull();
    expect(reopened().until).toBeNull();
  });

  it('replaces a pause without a time, and is replaced by such a pause', () => {
    pause.pause();
    pause.pauseUntil(clock.now() + HOUR_MS);
    expect([pause.isIndefinite, pause.until === null]).toEqual([false, false]);
    pause.pause();
    expect([pause.isIndefinite, pause.until]).toEqual([true, null]);
    pause.resume();
    expect([pause.isIndefinite, pause.until]).toEqual([false, null]);
  });

  it('is not extended when the clock is set back', () => {
    pause.pauseUntil(clock.now() + HOUR_MS);
    clock.offsetMs = -24 * HOUR_MS;
    pause.check();
    expect(pause.until).toBe(clock.now() + HOUR_MS);
    clock.advance(HOUR_MS);
    pause.check();
    expect(pause.until).toBeNull();
  });

  it('follows the wall clock when the clock is corrected during the pause', () => {
    const until = clock.now() + 3 * HOUR_MS;
    pause.pauseUntil(until);
    clock.advance(2 * HOUR_MS);
    clock.offsetMs = -HOUR_MS;
    pause.check();
    expect(pause.until).toBe(until);
    clock.offsetMs = HOUR_MS;
    pause.check();
    expect(pause.until).toBeNull();
  });
});
