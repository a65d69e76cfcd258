import { calculatedRolesSchema } from '../../../shared/api/people.ts';
import type { SiteClient } from './http-client.ts';
import { itemsOf, pagesOf } from './pages.ts';

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
