import type { Clock } from '../../electron/engine/ports/clock.ts';
import { nodeClock } from '../../electron/engine/ports/node-clock.ts';

export interface FastClock extends Clock {
  /** From now on. What is scheduled already keeps the time that it was given. */
  setSpeed(speed: number): void;
}

/**
 * A real clock that runs `speed` times as fast from `epochMs` on (now unless given): waits of minutes pass in seconds, in
 * the order that they have. All processes with the same epoch and speed agree on the time.
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
