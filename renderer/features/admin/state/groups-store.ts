import { useEffect } from 'react';
import { create } from 'zustand';
import type { GroupRow } from '../../../../shared/contract/admin/people.ts';
import { latestOnly } from '../../../kit/async/latest-only.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { attempt } from '../../common/state/messages-store.ts';
import { useAdmin } from './admin-store.ts';

/** The groups of the library, the built-in ones first. */
const useGroupRows = create<{ siteId: string | null; rows: readonly GroupRow[] }>(() => ({ siteId: null, rows: [] }));
const NONE: readonly GroupRow[] = [];
const reads = latestOnly();
/** What was asked for last: several components show the groups, and each change loads them once. */
let asked = '';

/** Returns the groups of the shown library; none until they are loaded. */
export function useGroups(): readonly GroupRow[] {
  const siteId = useAdmin((state) => state.siteId);
  const changes = useAdmin((state) => state.changes);
  const rows = useGroupRows((state) => (state.siteId === siteId ? state.rows : NONE));
  useEffect(() => {
    if (siteId !== null) void attempt(() => loadGroups(siteId, changes));
  }, [siteId, changes]);
  return rows;
}

async function loadGroups(siteId: string, changes: number): Promise<void> {
  const key = `${siteId} ${changes}`;
  if (asked === key) return;
  asked = key;
  const read = reads.begin();
  try {
    const rows = await call('admin.groups', { siteId });
    if (read.accept()) useGroupRows.setState({ siteId, rows });
  } catch (thrown) {
    if (asked === key) asked = '';
    throw thrown;
  }
}
