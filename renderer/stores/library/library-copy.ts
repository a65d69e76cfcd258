import { create } from 'zustand';
import type { SyncStatus } from '../../../shared/contract/library-sync.ts';
import { call } from '../../bridge/bridge.ts';

/** The accounts whose library is copied completely to this computer: some orders need that. */
export const useLibraryCopy = create<{ complete: ReadonlySet<string> }>(() => ({ complete: new Set() }));

/** Takes an event about the copy of a library. */
export function takeSync({ siteId, phase }: Pick<SyncStatus, 'siteId' | 'phase'>): void {
  const { complete } = useLibraryCopy.getState();
  if (complete.has(siteId) === (phase === 'ready')) return;
  const next = new Set(complete);
  if (phase === 'ready') next.add(siteId);
  else next.delete(siteId);
  useLibraryCopy.setState({ complete: next });
}

/** Loads whether the library of an account is copied completely. Until then it counts as not copied. */
export async function loadSync(siteId: string): Promise<void> {
  try {
    takeSync(await call('library.syncStatus', { siteId }));
  } catch {
    // An event reports it later.
  }
}
