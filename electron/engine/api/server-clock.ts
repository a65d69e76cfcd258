import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '../ports/clock.ts';

/** After this long a measurement is not used any more: either clock may have been set. */
const MEASUREMENT_LASTS_MS = 60_000;
/** The wall clock and the monotonic clock may differ by this much before the wall clock counts as set, or the computer as suspended. */
const STEADY_WITHIN_MS = 2000;

/** The clock of a service, measured by the `Date` header of its answers. */
export class ServerClock {
  readonly #clock: Clock;
  #tellsTime = true;
  #measured: { serverMs: number; wallMs: number; monotonicMs: number } | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Reads the time of an answer that has just arrived. An answer from a cache carries the time of an earlier one. */
  observe({ date, age }: Pick<IncomingHttpHeaders, 'date' | 'age'>): void {
    const serverMs = Date.parse(date ?? '');
    this.#tellsTime = !Number.isNaN(serverMs) && (age === undefined || age === '0');
    if (!this.#tellsTime) return;
    this.#measured = { serverMs, wallMs: this.#clock.now(), monotonicMs: this.#clock.monotonic() };
  }

  /** Whether another request would bring a time that is not known now. */
  get isStale(): boolean {
    return this.#tellsTime && this.now() === null;
  }

  /** The service's time now, whole epoch milliseconds, to about a second; null when it was not measured lately. */
  now(): number | null {
    if (this.#measured === null) return null;
    const { serverMs, wallMs, monotonicMs } = this.#measured;
    const passedMs = this.#clock.monotonic() - monotonicMs;
    const isSteady = Math.abs(this.#clock.now() - wallMs - passedMs) <= STEADY_WITHIN_MS;
    return isSteady && passedMs <= MEASUREMENT_LASTS_MS ? Math.round(serverMs + passedMs) : null;
  }
}
