/** The poll interval soon after the delivery of a file, so that the end of its processing is detected within a second. */
const SHORTEST_WAIT_MS = 800;
const LONGEST_WAIT_MS = 2 * 60_000;
/**
 * The wait between polls is this share of the time for which the file has been processed: 0.8 s after five minutes, 10 s after an
 * hour, 2 min from 12.5 hours on.
 */
const AGE_SHARE = 1 / 375;

/** Returns the milliseconds until the next poll of a file that has been polled for `watchedMs`. */
export function pollWaitMs(watchedMs: number): number {
  return Math.min(Math.max(watchedMs * AGE_SHARE, SHORTEST_WAIT_MS), LONGEST_WAIT_MS);
}

/** The time after which a notice says that the library may have a problem. */
export const UNUSUALLY_LONG_MS = 30 * 60_000;

/** The limit of polling at a site, for any number of files in processing: requests per second, and requests without a pause. */
const REQUESTS_PER_SECOND = 3;
const BURST = 3;

/** A budget for requests that find no change: a token bucket on the monotonic clock. */
export class RequestBudget {
  #tokens = BURST;
  #filledAt: number;

  constructor(now: number) {
    this.#filledAt = now;
  }

  /** Takes one request. Returns how many milliseconds to wait before it is sent. */
  take(now: number): number {
    this.#tokens = Math.min(BURST, this.#tokens + ((now - this.#filledAt) / 1000) * REQUESTS_PER_SECOND) - 1;
    this.#filledAt = now;
    return Math.max(0, (-this.#tokens / REQUESTS_PER_SECOND) * 1000);
  }

  /** Returns a request to the budget, because it found a change. */
  giveBack(): void {
    this.#tokens = Math.min(BURST, this.#tokens + 1);
  }
}
