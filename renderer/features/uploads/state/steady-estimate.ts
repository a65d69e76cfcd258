/** The speed and the time left as screens show them. */
export interface Estimate {
  bytesPerSecond: number;
  secondsLeft: number | null;
}

/** The time between two changes of the shown numbers. */
const UPDATE_MS = 1000;
/** The time after which a new speed has most of its weight. */
const SMOOTH_MS = 3000;
/** A new time left replaces the running countdown only when it differs by more than this share. */
const TOLERANCE = 0.2;
const SMALLEST_DIFFERENCE_S = 3;

/**
 * Makes the speed and the time left of transfers easy to read: the speed is averaged, numbers change once a second, and the time
 * left counts down until a measurement differs from it by more than `TOLERANCE`.
 */
export class SteadyEstimate {
  #shown: Estimate = { bytesPerSecond: 0, secondsLeft: null };
  #speed = 0;
  #measuredAt = 0;
  #shownAt = Number.NEGATIVE_INFINITY;

  /** Adds a measurement and returns the estimate to show. Times in epoch milliseconds. */
  update(nowMs: number, bytesPerSecond: number, bytesLeft: number): Estimate {
    if (bytesPerSecond <= 0) {
      this.#speed = 0;
      this.#shownAt = Number.NEGATIVE_INFINITY;
      this.#shown = { bytesPerSecond: 0, secondsLeft: null };
      return this.#shown;
    }
    const weight = this.#speed === 0 ? 1 : 1 - Math.exp(-Math.max(0, nowMs - this.#measuredAt) / SMOOTH_MS);
    this.#speed += (bytesPerSecond - this.#speed) * weight;
    this.#measuredAt = nowMs;
    const elapsedMs = nowMs - this.#shownAt;
    if (elapsedMs >= 0 && elapsedMs < UPDATE_MS) return this.#shown;
    const measured = Math.max(0, bytesLeft) / this.#speed;
    const { secondsLeft } = this.#shown;
    const countedDown = secondsLeft === null ? null : Math.max(0, secondsLeft - elapsedMs / 1000);
    const isConfirmed =
      countedDown !== null &&
      countedDown > 0 &&
      Math.abs(measured - countedDown) <= Math.max(SMALLEST_DIFFERENCE_S, measured * TOLERANCE);
    this.#shown = { bytesPerSecond: this.#speed, secondsLeft: isConfirmed ? countedDown : measured };
    this.#shownAt = nowMs;
    return this.#shown;
  }
}
