import { ManualClock } from './manual-clock.ts';

/** A clock whose wall time the test sets. */
export class SettableClock extends ManualClock {
  offsetMs = 0;
  override now(): number {
    return super.now() + this.offsetMs;
  }
}
