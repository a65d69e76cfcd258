import { retryAfterMsOf, retryDelayMs } from '../../../../shared/model/backoff.ts';
import { mostRetries } from '../../../../shared/model/uploads/retries.ts';
import type { Clock } from '../../ports/clock.ts';
import type { UploadJournal } from '../journal/upload-journal.ts';
import type { UploadStore } from '../journal/upload-store.ts';

/** The limit of a wait that is no retry, such as one until the next poll. */
const OTHER_WAIT_MS = 60_000;

/**
 * Limits every wait to the current step of its backoff, for after the clock was set back. May be repeated. Throws when the
 * store can't be written; some waits may be shortened by then.
 */
export function shortenWaits(store: UploadStore, journal: UploadJournal, clock: Clock): void {
  for (const id of store.select('all', ['waiting'])) {
    const { error, retriesByStep, nextAttemptAt } = store.get(id) ?? {
      error: null,
      retriesByStep: {},
      nextAttemptAt: null,
    };
    if (error === null || nextAttemptAt === null) continue;
    const waitMs = Math.max(retryDelayMs(mostRetries(retriesByStep)) ?? 0, retryAfterMsOf(error) ?? 0, OTHER_WAIT_MS);
    const until = clock.now() + waitMs;
    if (nextAttemptAt > until) journal.record(id, { kind: 'delayed', error, until, failed: null });
  }
}
