import type { Clock } from '../../../electron/engine/ports/clock.ts';

/**
 * A clock that runs `speed` times as fast as the real one from `epochMs` on, so that a wait of a minute takes seconds. All
 * processes with the same epoch agree on the time.
 */
export function fastClock(speed: number, epochMs: number): Clock {
  return {
    now: () => Math.round(epochMs + (Date.now() - epochMs) * speed),
    monotonic: () => performance.now() * speed,
    schedule(delayMs, task) {
      const timer = setTimeout(task, delayMs / speed);
      return () => clearTimeout(timer);
    },
  };
}
