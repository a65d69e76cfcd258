import type { Clock } from '../../electron/engine/ports/clock.ts';
import { nodeClock } from '../../electron/engine/ports/node-clock.ts';

/** A real clock that runs `speed` times as fast: waits of minutes pass in seconds, in the order that they have. */
export function fastClock(speed: number): Clock {
  const wallStart = nodeClock.now();
  const start = nodeClock.monotonic();
  const passed = () => (nodeClock.monotonic() - start) * speed;
  return {
    now: () => Math.round(wallStart + passed()),
    monotonic: () => start + passed(),
    schedule: (delayMs, task) => nodeClock.schedule(delayMs / speed, task),
  };
}
