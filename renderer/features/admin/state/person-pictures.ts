import { create } from 'zustand';
import type { CallInput } from '../../../../shared/contract/contract.ts';
import { thumbnailPath } from '../../../../shared/contract/thumbnail-address.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { useAdmin } from './admin-store.ts';

/** How often the picture of each user was set since the start. */
const useChanges = create<Readonly<Record<string, number>>>(() => ({}));

/** Returns the address of the picture of a user of the shown library; null while no library is open. */
export function usePersonPicture(userId: string): string | null {
  const siteId = useAdmin((state) => state.siteId);
  const changes = useChanges((state) => state[userId] ?? 0);
  if (siteId === null) return null;
  const path = thumbnailPath({ siteId, subject: 'users', id: userId, version: '', isStoredOnly: false });
  return changes === 0 ? path : `${path}?change=${changes}`;
}

/** Sets the picture of a user. Throws the error of the library. */
export async function setPersonPicture(
  userId: string,
  picture: CallInput<'admin.setPicture'>['picture'],
): Promise<void> {
  const { siteId } = useAdmin.getState();
  if (siteId === null) return;
  await call('admin.setPicture', { siteId, userId, picture });
  useChanges.setState((state) => ({ [userId]: (state[userId] ?? 0) + 1 }));
}
