import type { FolderRecord } from '../rows/folder-store.ts';

/** A folder whose changes the system reports is swept for what events missed. */
const WITH_EVENTS_MS = 10 * 60_000;
/** Without events, or on a network drive, sweeps are the only way to find files. */
const WITHOUT_EVENTS_MS = 60_000;
/** The interval of checks whether a missing folder is back. */
const AWAY_MS = 15_000;

/** How long after a sweep the next one follows. `lastedMs`: a sweep that takes long does not follow at once. */
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
