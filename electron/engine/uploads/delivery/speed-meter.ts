import type { Clock } from '../../ports/clock.ts';

const SAMPLE_MS = 500;
/** The weight of the newest sample: the result reflects about the last five seconds. */
const NEWEST_WEIGHT = 0.18;

/** Bytes per second, smoothed for display. */
export class SpeedMeter {
  readonly #clock: Clock;
  #sampleStartedAt: number;
  #sampleBytes = 0;
  #smoothed: number | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#sampleStartedAt = clock.monotonic();
  }

  add(bytes: number): void {
    this.#close();
    this.#sampleBytes += bytes;
  }

  /** null until the first sample has ended. */
  bytesPerSecond(): number | null {
    this.#close();
    return this.#smoothed;
  }

  /** Resets the measurement: after a pause the old speed is meaningless. */
  reset(): void {
    this.#smoothed = null;
    this.#sampleBytes = 0;
    this.#sampleStartedAt = this.#clock.monotonic();
  }

  #close(): void {
    const now = this.#clock.monotonic();
    const tookMs = now - this.#sampleStartedAt;
    if (tookMs < SAMPLE_MS) return;
    const speed = (this.#sampleBytes / tookMs) * 1000;
    this.#smoothed = this.#smoothed === null ? speed : this.#smoothed + NEWEST_WEIGHT * (speed - this.#smoothed);
    this.#sampleBytes = 0;
    this.#sampleStartedAt = now;
  }
}
