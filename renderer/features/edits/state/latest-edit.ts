import type { EditGroup } from '../../../../shared/contract/edits.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { useApp } from '../../common/state/app-store.ts';

/** Undone groups and undos can precede the change. */
const LOOKED_AT = 50;

/** Returns the latest change of this account that can be undone; null when there is none. Throws if reading fails. */
export async function latestEdit(): Promise<EditGroup | null> {
  const { siteId } = useApp.getState();
  const { groups } = await call('edits.groups', { siteId, offset: 0, limit: LOOKED_AT });
  return groups.find(({ canUndo, undoes }) => canUndo && undoes === null) ?? null;
}
