import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '../ports/clock.ts';

/** A measurement is not used after this time, because either clock may have been set. */
const MEASUREMENT_LASTS_MS = 60_000;
/** The header has whole seconds. */
const WHOLE_SECOND_MS = 1000;
/** If wall clock and monotonic clock differ by more, the wall clock was set or the computer slept. */
const STEADY_WITHIN_MS = 2000;

/** The clock of a library, measured by the `Date` header of its answers. */
export class ServerClock {
  readonly #clock: Clock;
  #tellsTime = true;
  #measured: { serverMs: number; wallMs: number; monotonicMs: number } | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Uses the time of an answer that has just arrived, `tookMs` milliseconds after its request was sent. An answer from a cache
   * has the time of an earlier answer. The library wrote the time at any moment of the request: a measurement that a delay of the
   * answer explains is kept, and any other is replaced, because the library's clock may have been set.
   */
  observe({ date, age }: Pick<IncomingHttpHeaders, 'date' | 'age'>, tookMs: number): void {
    const serverMs = Date.parse(date ?? '');
    this.#tellsTime = !Number.isNaN(serverMs) && (age === undefined || age === '0');
    if (!this.#tellsTime) return;
    const aheadMs = (this.now() ?? serverMs) - serverMs;
    if (aheadMs > WHOLE_SECOND_MS && aheadMs <= WHOLE_SECOND_MS + tookMs) return;
    this.#measured = { serverMs, wallMs: this.#clock.now(), monotonicMs: this.#clock.monotonic() };
  }

  /** Returns whether another request could measure the time that is unknown now. */
  get isStale(): boolean {
    return this.#tellsTime && this.now() === null;
  }

  /**
   * Returns the library's current time in whole epoch milliseconds, accurate to about a second; null without a recent
   * measurement.
   */
  now(): number | null {
    if (this.#measured === null) return null;
    const { serverMs, wallMs, monotonicMs } = this.#measured;
    const passedMs = this.#clock.monotonic() - monotonicMs;
    const isSteady = Math.abs(this.#clock.now() - wallMs - passedMs) <= STEADY_WITHIN_MS;
    return isSteady && passedMs <= MEASUREMENT_LASTS_MS ? Math.round(serverMs + passedMs) : null;
  }
}
