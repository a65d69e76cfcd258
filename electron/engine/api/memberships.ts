import { calculatedRolesSchema, type Membership, membershipSchema } from '../../../shared/api/people.ts';
import type { SiteClient } from './http-client.ts';
import { segment } from './links.ts';
import { itemsOf, type Pages, pagesOf } from './pages.ts';

const MEMBERSHIPS = '/api2/memberships';
const one = (id: string) => `${MEMBERSHIPS}/${segment(id)}`;
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

/** Entries for each page. The API names no limit; a library that allows fewer sends fewer. */
const PER_PAGE = 500;

/** The filters of the list of memberships. */
export interface MembershipListQuery {
  user_id?: string;
  group_id?: string;
  collection_id?: string;
  role_id?: string;
}

/** GET /api2/memberships: the roles of users and groups in a collection that the caller may see. The API calls this a beta. */
export function listMemberships(
  client: SiteClient,
  query: MembershipListQuery,
  signal?: AbortSignal,
): AsyncIterable<Membership> {
  return itemsOf(membershipPages(client, query, signal));
}

/** The pages of the same list. */
export function membershipPages(
  client: SiteClient,
  query: MembershipListQuery,
  signal?: AbortSignal,
): Pages<Membership> {
  return pagesOf(client, membershipSchema, MEMBERSHIPS, { ...query, per_page: PER_PAGE }, signal);
}

/** GET /api2/memberships/<id>. */
export function getMembership(client: SiteClient, id: string): Promise<Membership> {
  return client.read(membershipSchema, one(id));
}

/** POST /api2/memberships: replaces an earlier role of the same user or group in the collection. */
export async function setMembership(
  client: SiteClient,
  input: { collection_id: string; role_id: string } & ({ user_id: string } | { group_id: string }),
): Promise<void> {
  await client.request({ method: 'POST', target: MEMBERSHIPS, json: input, isRepeatable: true });
}

/** POST /api2/memberships/<id>: gives the user or group of the membership another role. Throws `api.not-found`. */
export async function updateMembership(client: SiteClient, id: string, roleId: string): Promise<void> {
  await client.request({ method: 'POST', target: one(id), json: { role_id: roleId }, isRepeatable: true });
}

/** DELETE /api2/memberships/<id>. Idempotent. */
export async function deleteMembership(client: SiteClient, id: string): Promise<void> {
  await client.request({ method: 'DELETE', target: one(id), isRepeatable: true });
}

/** GET /api2/memberships/calculate-roles-perms: the permissions that the library itself calculates, by collection. */
export async function calculatedPermissions(
  client: SiteClient,
  subject: CalculatedSubject,
  collectionId?: string,
): Promise<Map<string, string[]>> {
  const by = new Map<string, string[]>();
  for await (const { collection, permissions } of calculated(client, subject, collectionId)) {
    by.set(collection.id, [...(by.get(collection.id) ?? []), ...permissions]);
  }
  return by;
}

/** The same for the ids of the roles, also of inherited ones and of those by groups. */
export async function calculatedRoles(
  client: SiteClient,
  subject: CalculatedSubject,
  collectionId?: string,
): Promise<Map<string, Set<string>>> {
  const by = new Map<string, Set<string>>();
  for await (const { collection, roles } of calculated(client, subject, collectionId)) {
    by.set(collection.id, new Set([...(by.get(collection.id) ?? []), ...roles.map(({ id }) => id)]));
  }
  return by;
}

type CalculatedSubject = { user_id: string } | { group_id: string };

function calculated(client: SiteClient, subject: CalculatedSubject, collectionId: string | undefined) {
  const query = { ...subject, collection_id: collectionId, per_page: PER_PAGE };
  return itemsOf(pagesOf(client, calculatedRolesSchema, CALCULATE, query));
}
