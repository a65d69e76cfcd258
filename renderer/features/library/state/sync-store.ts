import { create } from 'zustand';
import type { SyncStatus } from '../../../../shared/contract/library-sync.ts';
import { latestOnly } from '../../../kit/async/latest-only.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { attempt, showError } from '../../common/state/messages-store.ts';

interface SyncState {
  /** The state of the copy of each account's library, by site; accounts whose state is not loaded yet are missing. */
  bySite: Readonly<Record<string, SyncStatus>>;
}

export const useSync = create<SyncState>(() => ({ bySite: {} }));

const reads = latestOnly();

/** Stores a state that the engine announced. */
export function takeSync(status: SyncStatus): void {
  reads.cancel();
  useSync.setState(({ bySite }) => ({ bySite: { ...bySite, [status.siteId]: status } }));
}

export async function loadSync(siteId: string): Promise<void> {
  const read = reads.begin();
  try {
    const status = await call('library.syncStatus', { siteId });
    if (read.accept()) takeSync(status);
  } catch (thrown) {
    if (read.accept()) showError(thrown);
  }
}

/** Removes items from the copy that no longer exist in the library. */
export function removeVanished(siteId: string): Promise<void> {
  return attempt(async () => takeSync(await call('library.syncNow', { siteId, removesVanished: true })));
}
