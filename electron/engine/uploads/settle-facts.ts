import { toAppError } from '../../../shared/contract/app-error.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { UploadJournal } from './upload-journal.ts';

/** A power cut takes back no more than this of what nobody waited for. */
const SETTLE_MS = 1000;

/** Brings facts to the disk soon also when nothing waits for them. Answers the function that ends it. */
export function settleFacts(tools: { journal: UploadJournal; clock: Clock; logger: Logger }): () => void {
  const { journal, clock, logger } = tools;
  let cancel: (() => void) | null = null;
  const unsubscribe = journal.onDidChange.on(() => {
    cancel ??= clock.schedule(SETTLE_MS, () => {
      cancel = null;
      journal.whenDurable().catch((error: unknown) => {
        // Whoever relies on it waits for it and hears of it as well.
        logger.warn('journal.not-on-disk', { code: toAppError(error).code });
      });
    });
  });
  return () => {
    unsubscribe();
    cancel?.();
  };
}
