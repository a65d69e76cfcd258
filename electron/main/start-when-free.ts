import { AppError } from '../../shared/contract/app-error.ts';
import { type Clock, sleep } from '../engine/ports/clock.ts';

export interface StartWhenFreeOptions<T> {
  /** Tries to start; `profile.in-use` is thrown while somebody else has the profile. */
  start(): Promise<T>;
  /** Tells a person what is waited for. Resolves when they would rather not; aborted when there is nothing to wait for. */
  tell(error: AppError, signal: AbortSignal): Promise<void>;
  clock: Clock;
  /** Aborted when the program is to end. */
  signal: AbortSignal;
}

const LOOK_EVERY_MS = 500;

/**
 * Starts as soon as the profile is free: the command line may be at work on the same queue, and ends some time. Rejects
 * with what `start` throws; with its `profile.in-use` when the person, or the program's end, puts a stop to the waiting.
 */
export async function startWhenFree<T>({ start, tell, clock, signal }: StartWhenFreeOptions<T>): Promise<T> {
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
          void tell(error, box.signal).then(() => {
            // Closed by us because the wait is over, or by the person.
            if (!box.signal.aborted) isGivenUp = true;
          });
        }
      }
      await sleep(clock, LOOK_EVERY_MS, signal).catch(() => {});
      // Looked at before the next try: who chose to quit must not be given a window all the same.
      if (isGivenUp || signal.aborted) throw refusal;
    }
  } finally {
    waiting?.abort();
  }
}
