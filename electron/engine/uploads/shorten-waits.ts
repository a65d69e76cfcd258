import { retryDelayMs } from '../../../shared/model/backoff.ts';
import type { Clock } from '../ports/clock.ts';
import type { UploadJournal } from './upload-journal.ts';
import { CREATE_SETTLES_MS } from './upload-steps.ts';
import type { UploadStore } from './upload-store.ts';

/** After the clock was set back nobody waits longer than the step of the back-off that they are in. */
export function shortenWaits(store: UploadStore, journal: UploadJournal, clock: Clock): void {
  for (const id of store.select('all', ['waiting'])) {
    const { error, attempts, nextAttemptAt } = store.get(id) ?? { error: null, attempts: 0, nextAttemptAt: null };
    const until = clock.now() + Math.max(retryDelayMs(attempts) ?? 0, CREATE_SETTLES_MS);
    if (error === null || nextAttemptAt === null || nextAttemptAt <= until) continue;
    journal.record(id, { kind: 'delayed', error, until, countsAsAttempt: false });
  }
}
