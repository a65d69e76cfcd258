import type { Clock } from '../../../ports/clock.ts';

interface Waiter {
  wanted: number;
  grant(bytes: number): void;
}

/** The duration of one round, in which each transfer gets a share: short, so that a new limit takes effect at once. */
const ROUND_MS = 200;
const SMALLEST_SHARE = 1024;
/** With a very low limit, shares are smaller so that a round stays this short: destinations close a connection that is idle. */
const LONGEST_ROUND_MS = 4000;
/** Unused bandwidth of this duration may be used later. */
const BURST_MS = 500;

/**
 * The bandwidth of all transfers together: `bytesPerSecond` on average. Waiting transfers get equal shares in turn. The
 * size of a share is determined when it is granted, so that no transfer waits for a share of an old limit.
 */
export class BandwidthLimit {
  readonly #clock: Clock;
  #bytesPerSecond: number | null = null;
  #waiting: Waiter[] = [];
  #members = 0;
  /** Bytes that may be sent at once. */
  #tokens = 0;
  #filledAt: number;
  #cancelTimer: () => void = () => {};

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#filledAt = clock.monotonic();
  }

  /** Sets the limit; null: no limit; 0: nothing is sent. Takes effect at once, also for waiting transfers. */
  set(bytesPerSecond: number | null): void {
    this.#bytesPerSecond = bytesPerSecond;
    this.#tokens = 0;
    this.#filledAt = this.#clock.monotonic();
    this.#serve();
  }

  /** Adds a transfer that shares the bandwidth; the returned function removes it. */
  join(): () => void {
    this.#members += 1;
    return () => {
      this.#members -= 1;
    };
  }

  /** Resolves with the bytes that may go now, at most `wanted`; rejects with the signal's reason when it is aborted. */
  take(wanted: number, signal: AbortSignal): Promise<number> {
    if (this.#bytesPerSecond === null) return Promise.resolve(wanted);
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      const waiter: Waiter = {
        wanted,
        grant: (bytes) => {
          signal.removeEventListener('abort', onAbort);
          resolve(bytes);
        },
      };
      const onAbort = () => {
        this.#waiting = this.#waiting.filter((other) => other !== waiter);
        reject(signal.reason);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waiting.push(waiter);
      this.#serve();
    });
  }

  /** Returns granted bytes that are not sent. */
  giveBack(bytes: number): void {
    if (this.#bytesPerSecond !== null) this.#tokens += bytes;
  }

  /** Grants shares in turn while bytes are available, then waits for the next ones. */
  #serve(): void {
    this.#cancelTimer();
    this.#fill();
    for (let waiter = this.#waiting[0]; waiter !== undefined; waiter = this.#waiting[0]) {
      const rate = this.#bytesPerSecond;
      const share = rate === null ? waiter.wanted : Math.min(waiter.wanted, this.#shareOf(rate));
      if (rate !== null && this.#tokens < share) {
        if (rate === 0) return;
        const waitMs = ((share - this.#tokens) / rate) * 1000;
        this.#cancelTimer = this.#clock.schedule(Math.max(1, waitMs), () => this.#serve());
        return;
      }
      this.#waiting.shift();
      if (rate !== null) this.#tokens -= share;
      waiter.grant(share);
    }
    this.#limitBurst();
  }

  #shareOf(rate: number): number {
    const sharers = Math.max(1, this.#members, this.#waiting.length);
    const each = rate / 1000 / sharers;
    const smallest = Math.max(1, Math.min(SMALLEST_SHARE, Math.floor(each * LONGEST_ROUND_MS)));
    return Math.max(smallest, Math.floor(each * ROUND_MS));
  }

  #fill(): void {
    const now = this.#clock.monotonic();
    const rate = this.#bytesPerSecond ?? 0;
    this.#tokens += ((now - this.#filledAt) / 1000) * rate;
    this.#filledAt = now;
  }

  /** Called after the waiting transfers got their shares: bytes that were saved during a break are limited to a short burst. */
  #limitBurst(): void {
    this.#tokens = Math.min(this.#tokens, ((this.#bytesPerSecond ?? 0) * BURST_MS) / 1000);
  }
}
