// The limits of the readiness check. Times in milliseconds of the clock of the observations.

/** The shortest and the longest time for which a file has to be unchanged before it counts as finished. */
export const LEAST_QUIET_MS = 10_000;
export const MOST_QUIET_MS = 5 * 60_000;
/** The quiet time is this many times the longest gap between two writes. */
export const GAPS = 3;

/** A file that changes is polled at this interval, so that the gaps between its writes are known. */
export const POLL_GROWING_MS = 2000;
/** A file that did not change yet is polled at this interval. */
export const POLL_QUIET_MS = 4000;
/**
 * The time before a poll that comes later than this after the last one does not count: the computer may have slept, and then the
 * writer had no time to write either. When polls are late again and again, each counts as `POLL_GROWING_MS`.
 */
export const LATE_MS = 6000;

/** A file that is still open or not complete is inspected again after this time. */
export const INSPECT_AGAIN_MS = 10_000;
/** After this time without a change, a file that is still open or not complete is shown to the user. */
export const GIVE_UP_MS = 5 * 60_000;
/**
 * A file that has not changed for `GIVE_UP_MS` is polled after this time, then after twice the time of the last poll, up to
 * `MOST_IDLE_MS`: an event or a sweep finds a change earlier.
 */
export const POLL_IDLE_MS = 30_000;
export const MOST_IDLE_MS = 60 * 60_000;
/** Nothing reports that a program closes a file, or that its permissions change: such files are polled more often. */
export const LOCKED_AGAIN_MS = 15_000;
export const MOST_OPEN_MS = 2 * 60_000;
