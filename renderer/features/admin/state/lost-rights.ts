import { create } from 'zustand';
import type { AdminLogEntry } from '../../../../shared/contract/admin/admin-calls.ts';
import type { EventData } from '../../../../shared/contract/contract.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { readDirectory, useAdmin } from './admin-store.ts';

/** The number of log entries that are read for what was done. */
const MOST_ENTRIES = 1000;

/** An account that lost its administrator rights while its view was open. */
interface LostRights extends EventData<'onDidLoseRights'> {
  /** The changes that the library accepted since the view was opened, the newest first; null: not read. */
  done: readonly AdminLogEntry[] | null;
}

export const useLostRights = create<{ lost: LostRights | null }>(() => ({ lost: null }));

/** Takes the event of the engine. Without an open view of this library, the next reading says that it is refused. */
export async function takeLostRights(event: EventData<'onDidLoseRights'>): Promise<void> {
  const { siteId, openedAt } = useAdmin.getState();
  if (siteId !== event.siteId) return;
  const lost: LostRights = { ...event, done: null };
  useLostRights.setState({ lost });
  try {
    const { entries } = await call('admin.log', { siteId, offset: 0, limit: MOST_ENTRIES });
    const done = entries.filter(({ at, outcome }) => outcome === 'done' && Date.parse(at) >= openedAt);
    if (useLostRights.getState().lost === lost) useLostRights.setState({ lost: { ...lost, done } });
  } catch (thrown) {
    console.warn('Log not read', thrown);
  }
}

/** Asks the library again, for an account that got its rights back. */
export async function readAfterLoss(): Promise<void> {
  useLostRights.setState({ lost: null });
  useAdmin.setState({ facts: null });
  await readDirectory(true);
}
