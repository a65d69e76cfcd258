import { toAppError } from '../../../shared/contract/app-error.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import { sqliteCodeOf } from '../store/database.ts';

/** How long a store that could not be used is left alone. */
export const STORE_REST_MS = 10_000;

/**
 * Does work that nobody waits for, a timer's or a listener's, now or, when the store can't be used at the moment, again
 * later. Whoever set it off has done their part: the store's trouble is none of theirs. Answers the function that calls
 * the later try off, or null when there is none.
 */
export function whenStoreWorks(
  tools: { clock: Clock; logger: Logger },
  what: string,
  work: () => void,
  again: () => void = work,
): (() => void) | null {
  try {
    work();
    return null;
  } catch (error) {
    if (sqliteCodeOf(error) === null) throw error;
    tools.logger.error('store.unusable', { what, error: toAppError(error).toData() });
    return tools.clock.schedule(STORE_REST_MS, again);
  }
}
