import { beforeEach, describe, expect, it } from 'vitest';
import { ClockWatch } from '../../../../electron/engine/scheduler/clock-watch.ts';
import { SettableClock } from '../../../helpers/time/settable-clock.ts';

const HOUR_MS = 3_600_000;

let clock: SettableClock;

beforeEach(() => {
  clock = new SettableClock();
});

describe('the detection of clock changes', () => {
  it('reports nothing when time passes normally, also with late timers', () => {
    const watch = new ClockWatch(clock);
    watch.check();
    watch.expect(5000);
    clock.advance(25_000);
    expect(watch.check()).toEqual({ wasSetBack: false, hasJumped: false });
  });

  it('reports a sleep, whether the monotonic clock stopped or not', () => {
    const watch = new ClockWatch(clock);
    watch.check();
    clock.offsetMs += 31_000;
    expect(watch.check()).toEqual({ wasSetBack: false, hasJumped: true });
    expect(watch.check()).toEqual({ wasSetBack: false, hasJumped: false });
    watch.expect(5000);
    clock.advance(36_000);
    expect(watch.check()).toEqual({ wasSetBack: false, hasJumped: true });
  });

  it('distinguishes a clock that was set back from a small correction', () => {
    const watch = new ClockWatch(clock);
    watch.check();
    clock.offsetMs -= 4000;
    expect(watch.check().wasSetBack).toBe(false);
    clock.offsetMs -= 6000;
    expect(watch.check()).toEqual({ wasSetBack: true, hasJumped: false });
    clock.offsetMs -= HOUR_MS;
    expect(watch.check()).toEqual({ wasSetBack: true, hasJumped: true });
  });
});
