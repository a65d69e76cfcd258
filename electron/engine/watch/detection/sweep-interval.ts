import type { FolderRecord } from '../rows/folder-store.ts';

/** The interval for a folder whose changes the system reports: a sweep finds missed ones. */
const WITH_EVENTS_MS = 10 * 60_000;
/** The interval without events, or on a network drive, where only sweeps find files. */
const WITHOUT_EVENTS_MS = 60_000;
/** The interval of checks whether a missing folder is back. */
const AWAY_MS = 15_000;

/** Returns the wait after a sweep. `lastedMs`: after a long sweep the wait is longer. */
export function sweepIntervalMs(
  folder: Pick<FolderRecord, 'sweepEveryMs' | 'sweepOnly'>,
  { isThere, hasEvents, lastedMs }: { isThere: boolean; hasEvents: boolean; lastedMs: number },
): number {
  if (!isThere) return AWAY_MS;
  const hasOwn = folder.sweepEveryMs !== null;
  const usualMs = hasEvents && folder.sweepOnly === null ? WITH_EVENTS_MS : WITHOUT_EVENTS_MS;
  const everyMs = hasOwn ? (folder.sweepEveryMs ?? usualMs) : usualMs;
  return Math.max(everyMs, 2 * lastedMs);
}
