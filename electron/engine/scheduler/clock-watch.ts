import type { Clock } from '../ports/clock.ts';

/** Smaller corrections of the clock do not extend a wait noticeably. */
const SET_BACK_MS = 5000;
/** A clock step, or a timer delay, of at least this: the computer slept, or the clock was set. */
const JUMP_MS = 30_000;

export interface ClockNews {
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
  #expectedBy: number | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Sets when the next check is due: a check that is much too late means a sleep. */
  expect(inMs: number | null): void {
    this.#expectedBy = inMs === null ? null : this.#clock.monotonic() + inMs;
  }

  check(): ClockNews {
    const aheadMs = this.#clock.now() - this.#clock.monotonic();
    const stepMs = this.#wallAheadMs === null ? 0 : aheadMs - this.#wallAheadMs;
    const lateMs = this.#expectedBy === null ? 0 : this.#clock.monotonic() - this.#expectedBy;
    this.#wallAheadMs = aheadMs;
    return { wasSetBack: stepMs < -SET_BACK_MS, hasJumped: Math.abs(stepMs) > JUMP_MS || lateMs > JUMP_MS };
  }
}
