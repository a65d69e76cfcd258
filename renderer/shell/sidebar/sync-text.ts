import type { SyncStatus } from '../../../shared/contract/library-sync.ts';
import { formatWait } from '../../kit/text/format.ts';
import { texts } from '../texts.ts';

const MINUTE_MS = 60_000;

/**
 * Returns the line about the copy of the library at the time `now`; null when there is no copy. `isOnline`: the library can be
 * reached; otherwise it is unknown whether the copy is up to date.
 */
export function syncText(status: SyncStatus, isOnline: boolean, now: number): string | null {
  const { phase, items, total, syncedAt, isRunning, error } = status;
  if (phase === 'none') return error?.code === 'library.copy-damaged' ? texts.sync.rebuilding : null;
  if (phase === 'first-sync') {
    if (!isRunning) return texts.sync.waiting;
    return total === null ? texts.sync.syncing(items) : texts.sync.syncingOf(items, Math.max(items, total));
  }
  if (syncedAt === null) return null;
  const age = now - syncedAt;
  const time = age < MINUTE_MS ? null : formatWait(age / 1000);
  if (error !== null || !isOnline) return time === null ? texts.sync.behindNow : texts.sync.behind(time);
  return time === null ? texts.sync.upToDateNow : texts.sync.upToDate(time);
}
