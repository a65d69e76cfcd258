import type { Clock } from '../../../ports/clock.ts';

interface Waiter {
  wanted: number;
  grant(bytes: number): void;
}

/** How long one share lasts when all transfers together have had theirs: short, so that a new limit acts at once. */
const ROUND_MS = 200;
const SMALLEST_SHARE = 1024;
/** Under a very low limit shares are smaller still: destinations close a connection on which nothing moves for long. */
const LONGEST_ROUND_MS = 4000;
/** What was not used for a moment may be made up for. */
const BURST_MS = 500;

/**
 * The bandwidth of all transfers together: `bytesPerSecond` on average. Who waits gets a share in turn, all of them the
 * same, and how large it is comes out when it is granted, so that nobody waits for a share of an old limit.
 */
export class BandwidthLimit {
  readonly #clock: Clock;
  #bytesPerSecond: number | null = null;
  #waiting: Waiter[] = [];
  #members = 0;
  /** Bytes that may go at once. */
  #tokens = 0;
  #filledAt: number;
  #cancelTimer: () => void = () => {};

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#filledAt = clock.monotonic();
  }

  /** null: no limit; 0: nothing. Acts at once, also on who waits. */
  set(bytesPerSecond: number | null): void {
    this.#bytesPerSecond = bytesPerSecond;
    this.#tokens = 0;
    this.#filledAt = this.#clock.monotonic();
    this.#serve();
  }

  /** One more transfer that the bandwidth is shared with; the function that it answers ends that. */
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

  /** Bytes that were granted and are not sent after all. */
  giveBack(bytes: number): void {
    if (this.#bytesPerSecond !== null) this.#tokens += bytes;
  }

  /** Grants shares in turn for as long as there are bytes, then waits for the next one. */
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

  /** Only who waited may catch up on all of it: after a rest it begins with a small stock. */
  #limitBurst(): void {
    this.#tokens = Math.min(this.#tokens, ((this.#bytesPerSecond ?? 0) * BURST_MS) / 1000);
  }
}
