import { AppError } from '../../shared/contract/app-error.ts';
import { type Clock, sleep } from '../engine/ports/clock.ts';

export interface StartWhenFreeOptions<T> {
  /** Tries to start; throws `profile.in-use` while another process uses the profile. */
  start(): Promise<T>;
  /** Shows that the start waits. Resolves when the user quits; `signal` is aborted when the wait ends. */
  showWaiting(error: AppError, signal: AbortSignal): Promise<void>;
  clock: Clock;
  /** Aborted when the program is to end. */
  signal: AbortSignal;
}

const RETRY_EVERY_MS = 500;

/**
 * Starts as soon as the profile is free: a command line may be using the same queue. Rejects with the errors of `start`; with its
 * `profile.in-use` when the user or the end of the program stops the wait.
 */
export async function startWhenFree<T>({ start, showWaiting, clock, signal }: StartWhenFreeOptions<T>): Promise<T> {
  let waiting: AbortController | null = null;
  let isGivenUp = false;
  let refusal: unknown;
  try {
    for (;;) {
      try {
        return await start();
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'profile.in-use') throw error;
        refusal = error;
        if (waiting === null) {
          const box = new AbortController();
          waiting = box;
          void showWaiting(error, box.signal).then(() => {
            // Without an abort, the user has closed the message, and with it the wait.
            if (!box.signal.aborted) isGivenUp = true;
          });
        }
      }
      await sleep(clock, RETRY_EVERY_MS, signal).catch(() => {});
      // Checked before the next attempt: after the choice to quit, no window may open.
      if (isGivenUp || signal.aborted) throw refusal;
    }
  } finally {
    waiting?.abort();
  }
}
