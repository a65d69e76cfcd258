import type { Clock } from '../ports/clock.ts';

/** Smaller corrections of the clock are ignored: they extend a wait too little to matter. */
const SET_BACK_MS = 5000;
/** A larger step of the clock, or a timer that is later, means that the computer slept or the clock was set. */
const JUMP_MS = 30_000;

export interface ClockNews {
  /** The clock was set back, so that waits until a time of day would get longer. */
  wasSetBack: boolean;
  /** Time passed without this process running, or the clock was changed. */
  hasJumped: boolean;
}

/**
 * Detects that the computer slept and that the clock was set. Both look similar: on some systems the monotonic clock
 * stops during a sleep, on others it continues and a timer fires late.
 */
export class ClockWatch {
  readonly #clock: Clock;
  /** Wall clock minus monotonic clock. */
  #wallAheadMs: number | null = null;
  /** When the next check should come at the latest, on the monotonic clock. */
  #expectedBy: number | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Notes that the next check comes in `inMs`: if it comes much later, the computer slept. null: no check is planned. */
  expect(inMs: number | null): void {
    this.#expectedBy = inMs === null ? null : this.#clock.monotonic() + inMs;
  }

  /** Returns the changes of the clock since the last check. */
  check(): ClockNews {
    const aheadMs = this.#clock.now() - this.#clock.monotonic();
    const stepMs = this.#wallAheadMs === null ? 0 : aheadMs - this.#wallAheadMs;
    const lateMs = this.#expectedBy === null ? 0 : this.#clock.monotonic() - this.#expectedBy;
    this.#wallAheadMs = aheadMs;
    return { wasSetBack: stepMs < -SET_BACK_MS, hasJumped: Math.abs(stepMs) > JUMP_MS || lateMs > JUMP_MS };
  }
}
