import { toAppError } from '../../../../shared/contract/app-error.ts';
import { isEnded } from '../../../../shared/model/uploads/upload-states.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { UploadJournal } from '../journal/upload-journal.ts';
import type { CandidateStore } from './candidate-store.ts';

/** Uploads that wait for one of the same contents are woken by its end; without that they retry only this often. */
export const DUPLICATE_RECHECK_MS = 10 * 60_000;

/** Wakes uploads that wait for another of the same contents when that one has ended. Returns the function that stops it. */
export function wakeWaiting(
  journal: UploadJournal,
  candidates: CandidateStore,
  clock: Clock,
  logger: Logger,
  pump: () => void,
): () => void {
  let stopped = false;
  const unsubscribe = journal.onDidChange.on(({ before, after }) => {
    if (before === after.state || !isEnded(after.state)) return;
    // After all listeners of the fact that ended it; a failure here is no failure of that fact: waiting uploads retry anyway.
    clock.schedule(0, () => {
      if (stopped) return;
      try {
        const ids = candidates.waitingFor(after);
        for (const id of ids) journal.record(id, { kind: 'put-back', error: null });
        if (ids.length > 0) pump();
      } catch (error) {
        logger.warn('upload.duplicate-not-woken', { code: toAppError(error).code });
      }
    });
  });
  return () => {
    stopped = true;
    unsubscribe();
  };
}
