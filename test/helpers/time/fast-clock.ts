import type { Clock } from '../../../electron/engine/ports/clock.ts';
import { nodeClock } from '../../../electron/engine/ports/system/node-clock.ts';

export interface FastClock extends Clock {
  /** Changes the speed from now on. Tasks that are already scheduled keep their time. */
  setSpeed(speed: number): void;
}

/**
 * A real clock that runs `speed` times faster from `epochMs` on (now by default): waits of minutes pass in seconds, in
 * the same order. All processes with the same epoch and speed show the same time.
 */
export function fastClock(speed: number, epochMs = nodeClock.now()): FastClock {
  let since = nodeClock.monotonic();
  let passedBefore = (nodeClock.now() - epochMs) * speed;
  let factor = speed;
  const passed = () => passedBefore + (nodeClock.monotonic() - since) * factor;
  return {
    now: () => Math.round(epochMs + passed()),
    monotonic: () => passed(),
    schedule: (delayMs, task) => nodeClock.schedule(delayMs / factor, task),
    setSpeed(next) {
      passedBefore = passed();
      since = nodeClock.monotonic();
      factor = next;
    },
  };
}
