import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Delayed, delayed } from '../../../../../renderer/kit/async/delayed.ts';

describe('delayed', () => {
  let runs: number;
  let work: Delayed;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    runs = 0;
    work = delayed(() => {
      runs += 1;
    }, 100);
  });
  afterEach(() => vi.useRealTimers());

  it('runs once when it is scheduled many times within the delay', () => {
    work.schedule();
    vi.advanceTimersByTime(99);
    work.schedule();
    expect(runs).toBe(0);
    vi.advanceTimersByTime(1);
    expect(runs).toBe(1);
    vi.advanceTimersByTime(1000);
    expect(runs).toBe(1);
  });

  it('runs again when it is scheduled after a run', () => {
    work.schedule();
    vi.advanceTimersByTime(100);
    work.schedule();
    vi.advanceTimersByTime(100);
    expect(runs).toBe(2);
  });

  it('runs once, one delay after the last call, when it is postponed again and again', () => {
    for (let step = 0; step < 5; step += 1) {
      work.postpone();
      vi.advanceTimersByTime(60);
    }
    expect(runs).toBe(0);
    vi.advanceTimersByTime(40);
    expect(runs).toBe(1);
  });

  it('runs immediately, and not a second time, when it is run before its scheduled time', () => {
    work.schedule();
    work.runNow();
    expect(runs).toBe(1);
    vi.advanceTimersByTime(1000);
    expect(runs).toBe(1);
  });
});
