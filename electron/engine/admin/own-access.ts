import type { Subject } from '../../../shared/contract/admin/access.ts';
import { AppError, appError } from '../../../shared/contract/app-error.ts';
import type { SiteClient } from '../api/http-client.ts';
import { calculatedRoles, listMemberships } from '../api/memberships.ts';

/** The role of a subject in a collection that a change would take away. */
interface Taken {
  subject: Subject;
  collectionId: string;
  roleId: string;
}

/**
 * Returns why an account that is no administrator must not take this role away; null when it may. Without it, the account could lose
 * the permission to give it back: the role that it has directly, and a role of a group that it may have by this group. Such an account
 * can't read who belongs to a group, so that a role of the group which the library also counts for the account itself, and which it
 * does not have directly there, is taken as its own. So is every role of a group when the library calculates nothing.
 */
export async function errorOfTakingOwn(
  client: SiteClient,
  actorId: string | null,
  { subject, collectionId, roleId }: Taken,
): Promise<AppError | null> {
  const details = { [subject.kind]: subject.id };
  if (subject.kind === 'user') return subject.id === actorId ? appError('admin.own-role', { details }) : null;
  if (actorId === null) return appError('admin.own-group-role', { details });
  const own = await rolesOf(client, actorId, collectionId);
  if (own !== null && !own.has(roleId)) return null;
  for await (const { role, user, collection } of listMemberships(client, { user_id: actorId })) {
    if (user?.id === actorId && collection.id === collectionId && role.id === roleId) return null;
  }
  return appError('admin.own-group-role', { details });
}

/** Returns the roles that the library counts for a user in a collection; null when it does not say. */
async function rolesOf(client: SiteClient, userId: string, collectionId: string): Promise<Set<string> | null> {
  try {
    const roles = await calculatedRoles(client, { user_id: userId }, collectionId);
    return roles.get(collectionId) ?? null;
  } catch (error) {
    if (error instanceof AppError && ['api.not-found', 'api.forbidden', 'api.malformed'].includes(error.code))
      return null;
    throw error;
  }
}
