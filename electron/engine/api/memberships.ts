import { calculatedRolesSchema, type Membership, membershipSchema } from '../../../shared/api/people.ts';
import type { SiteClient } from './http-client.ts';
import { itemsOf, pagesOf } from './pages.ts';

const MEMBERSHIPS = '/api2/memberships';
const CALCULATE = '/api2/memberships/calculate-roles-perms';

/**
 * GET /api2/memberships/calculate-roles-perms: the names of the permissions that a user has in a collection, through all
 * roles. The API does not say who may call it for which user.
 */
export async function permissionsIn(
  client: SiteClient,
  { userId, collectionId }: { userId: string; collectionId: string },
  signal?: AbortSignal,
): Promise<Set<string>> {
  const query = { user_id: userId, collection_id: collectionId };
  const names = new Set<string>();
  for await (const { collection, permissions } of itemsOf(
    pagesOf(client, calculatedRolesSchema, CALCULATE, query, signal),
  )) {
    if (collection.id === collectionId) for (const name of permissions) names.add(name);
  }
  return names;
}

/** GET /api2/memberships: the roles of users and groups in a collection that the caller may see. The API calls this a beta. */
export function listMemberships(
  client: SiteClient,
  query: { collection_id: string },
  signal?: AbortSignal,
): AsyncIterable<Membership> {
  return itemsOf(pagesOf(client, membershipSchema, MEMBERSHIPS, { ...query }, signal));
}
