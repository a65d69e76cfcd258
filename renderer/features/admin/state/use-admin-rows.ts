import { useEffect } from 'react';
import { type Loaded, useLoaded } from '../../../kit/async/use-loaded.ts';
import type { WindowedList } from '../../../kit/lists/windowed-list.ts';
import { useAdmin } from './admin-store.ts';

/**
 * Loads something of the shown library, and loads it again after each change. `subject`: what of the library `read` is about, such as
 * an id.
 */
export function useAdminLoaded<T>(subject: string, read: (siteId: string) => Promise<T>): Loaded<T> {
  const siteId = useAdmin((state) => state.siteId);
  const changes = useAdmin((state) => state.changes);
  return useLoaded(`${siteId} ${subject}`, siteId === null ? null : () => read(siteId), changes);
}

/** Opens a list when its query differs from the listed one, and loads its rows again after each change. */
export function useAdminList<Query extends { siteId: string }, Row>(
  list: WindowedList<Query, Row>,
  query: Omit<Query, 'siteId'>,
): void {
  const siteId = useAdmin((state) => state.siteId);
  const changes = useAdmin((state) => state.changes);
  const key = JSON.stringify(query);
  // biome-ignore lint/correctness/useExhaustiveDependencies: loaded again after each change
  useEffect(() => {
    if (siteId === null) return;
    const wanted = { siteId, ...JSON.parse(key) } as Query;
    if (JSON.stringify(list.useList.getState().query) !== JSON.stringify(wanted)) list.open(wanted);
    else list.refresh();
  }, [list, siteId, key, changes]);
}
