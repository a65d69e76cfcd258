import type { EditGroup } from '../../../../shared/contract/edits.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { useApp } from '../../common/state/app-store.ts';

const PAGE = 50;

/** Returns the latest change of this account that can be undone; null when there is none. Throws if reading fails. */
export async function latestEdit(): Promise<EditGroup | null> {
  const { siteId } = useApp.getState();
  for (let offset = 0; ; offset += PAGE) {
    const { groups, total } = await call('edits.groups', { siteId, offset, limit: PAGE });
    const found = groups.find(({ canUndo, undoes, undoneAt }) => canUndo && undoes === null && undoneAt === null);
    if (found !== undefined || offset + PAGE >= total) return found ?? null;
  }
}
