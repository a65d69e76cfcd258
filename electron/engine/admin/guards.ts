import { type AppError, appError } from '../../../shared/contract/app-error.ts';
import type { Directory, DirectoryRole } from './directory.ts';

/**
 * Returns why the asking account must not delete a user or take away its administrator rights; null when it may. An administrator
 * never removes the own rights, so that each library keeps at least one administrator. `actorId` null: the library does not say
 * who the account is, and any administrator could be it.
 */
export function errorOfRemoving(directory: Directory, userId: string, actorId: string | null): AppError | null {
  const isAdmin = directory.users.get(userId)?.isAdmin === true;
  const details = { userId };
  if (userId === actorId || (actorId === null && isAdmin)) return appError('admin.own-account', { details });
  if (!isAdmin) return null;
  const others = [...directory.users.values()].filter((user) => user.isAdmin && user.id !== userId);
  return others.length === 0 ? appError('admin.last-administrator', { details }) : null;
}

/** Returns why a group can't be changed. An unknown id is refused as well: it could be another name of a built-in group. */
export function errorOfChangingGroup({ groups }: Directory, groupId: string): AppError | null {
  const group = groups.get(groupId);
  if (group === undefined) return appError('api.not-found', { details: { groupId } });
  return group.builtIn === null ? null : appError('admin.built-in-group', { details: { groupId } });
}

export function errorOfDeletingRole(role: DirectoryRole | undefined): AppError | null {
  if (role === undefined) return appError('api.not-found');
  return role.deletable ? null : appError('admin.role-kept', { details: { roleId: role.id } });
}
