import { toAppError } from '../../../../shared/contract/app-error.ts';
import { isEnded } from '../../../../shared/model/uploads/upload-states.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { UploadJournal } from '../journal/upload-journal.ts';
import type { CandidateStore } from './candidate-store.ts';

/** The retry interval of uploads that wait for another with the same contents; usually the end of that upload wakes them. */
export const DUPLICATE_RECHECK_MS = 10 * 60_000;

/**
 * Wakes uploads that wait for another with the same contents when that upload has ended. Returns the function that stops this.
 */
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
    // Runs after all listeners of the event that ended the upload; a failure here does not affect them: waiting uploads retry
    // anyway.
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
