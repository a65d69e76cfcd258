import { toAppError } from '../../../shared/contract/app-error.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import { sqliteCodeOf } from '../store/database.ts';
import { STORE_REST_MS } from './scheduler.ts';

/**
 * Runs work on the database that belongs to no job and that no caller awaits, for example of a listener. After a database
 * error, calls `again` (default: the work) after the rest period, once. Returns a function that cancels this call; null when
 * the work was done.
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
