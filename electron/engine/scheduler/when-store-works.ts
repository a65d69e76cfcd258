import { toAppError } from '../../../shared/contract/app-error.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import { sqliteCodeOf } from '../store/database.ts';
import { STORE_REST_MS } from './scheduler.ts';

/**
 * Does work on the database outside the scheduler that no caller waits for, such as a listener's, now or, when the
 * database can't be used at the moment, again later. Returns the function that cancels the later try, or null.
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
