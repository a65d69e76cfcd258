import type { Clock } from '../../ports/clock.ts';
import { sleep } from '../../ports/clock.ts';
import { abortable } from './abortable.ts';

/**
 * What every byte passes on its way out: a pause that holds the connection, and a bandwidth limit that all transfers
 * share.
 */
export interface SendGate {
  /** Resolves when `bytes` may be sent; rejects with the signal's reason when it is aborted. */
  pass(bytes: number, signal: AbortSignal): Promise<void>;
  /** True while a pause keeps bytes back: standing still is then no stall. */
  isHeld(): boolean;
  /** The largest write that the limit allows without making others wait long. */
  largestSlice(wanted: number): number;
}

/** The pause of one transfer, in front of the limit of all. */
export class TransferGate implements SendGate {
  readonly #limit: BandwidthLimit;
  #release: (() => void) | null = null;
  #held: Promise<void> | null = null;

  constructor(limit: BandwidthLimit) {
    this.#limit = limit;
  }

  /** Keeps further bytes back. The connection stays open for as long as the destination bears it. */
  hold(): void {
    if (this.#held) return;
    this.#held = new Promise((resolve) => {
      this.#release = resolve;
    });
  }

  release(): void {
    this.#release?.();
    this.#release = null;
    this.#held = null;
  }

  isHeld(): boolean {
    return this.#held !== null;
  }

  largestSlice(wanted: number): number {
    return this.#limit.largestSlice(wanted);
  }

  async pass(bytes: number, signal: AbortSignal): Promise<void> {
    while (this.#held) await abortable(this.#held, signal);
    await this.#limit.take(bytes, signal);
  }
}

/** A token bucket: `bytesPerSecond` on average, bursts of a quarter of a second. */
export class BandwidthLimit {
  readonly #clock: Clock;
  #bytesPerSecond: number | null = null;
  /** Bytes that may go at once; negative when they were lent. */
  #tokens = 0;
  #filledAt: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#filledAt = clock.monotonic();
  }

  /** null: no limit. */
  set(bytesPerSecond: number | null): void {
    this.#bytesPerSecond = bytesPerSecond;
    this.#tokens = 0;
    this.#filledAt = this.#clock.monotonic();
  }

  largestSlice(wanted: number): number {
    if (this.#bytesPerSecond === null) return wanted;
    return Math.max(4096, Math.min(wanted, Math.floor(this.#bytesPerSecond / 4)));
  }

  async take(bytes: number, signal: AbortSignal): Promise<void> {
    if (this.#bytesPerSecond === null) return;
    this.#fill(this.#bytesPerSecond);
    this.#tokens -= bytes;
    // The wait is cut into short ones, so that a changed limit acts soon.
    while (this.#bytesPerSecond !== null && this.#tokens < 0) {
      const waitMs = Math.min((-this.#tokens / this.#bytesPerSecond) * 1000, 250);
      await sleep(this.#clock, Math.max(1, waitMs), signal);
      if (this.#bytesPerSecond !== null) this.#fill(this.#bytesPerSecond);
    }
  }

  #fill(bytesPerSecond: number): void {
    const now = this.#clock.monotonic();
    const burst = bytesPerSecond / 4;
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#filledAt) / 1000) * bytesPerSecond);
    this.#filledAt = now;
  }
}
