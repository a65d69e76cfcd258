import { create } from 'zustand';
import type { FileFacts, MediaRow } from '../../../../shared/contract/library.ts';
import { call } from '../../../kit/bridge/bridge.ts';

/** Facts about the files of an item that the library list lacks, by item and version. Rows request them when they show them. */
export const useFileFacts = create<{ facts: ReadonlyMap<string, FileFacts> }>(() => ({ facts: new Map() }));

const MAX_KEPT = 5000;
const requested = new Set<string>();

export function factsKey(siteId: string, row: Pick<MediaRow, 'id' | 'modifiedOn'>): string {
  return `${siteId} ${row.id} ${row.modifiedOn ?? ''}`;
}

/** Loads the facts of an item once. A failure leaves them unknown; the row requests them again when it is shown again. */
export async function loadFileFacts(siteId: string, row: MediaRow): Promise<void> {
  const key = factsKey(siteId, row);
  if (requested.has(key) || useFileFacts.getState().facts.has(key)) return;
  requested.add(key);
  try {
    const found = await call('library.fileFacts', { siteId, mediaId: row.id });
    if (found === null) return;
    useFileFacts.setState(({ facts }) => {
      const kept = [...facts].slice(Math.max(0, facts.size - MAX_KEPT + 1));
      return { facts: new Map([...(facts.size < MAX_KEPT ? facts : kept), [key, found]]) };
    });
  } catch {
    // The row shows that the facts are unknown.
  } finally {
    requested.delete(key);
  }
}
