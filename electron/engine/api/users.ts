import {
  type User,
  type UserInput,
  type UserWithGroups,
  userSchema,
  userWithGroupsSchema,
} from '../../../shared/api/people.ts';
import { createdId } from './created.ts';
import type { SiteClient } from './http-client.ts';
import { segment } from './links.ts';
import { itemsOf, type Pages, pagesOf } from './pages.ts';

const USERS = '/api2/users';
const one = (id: string) => `${USERS}/${segment(id)}`;

/** The filters of the list of users. */
export interface UserListQuery {
  is_admin?: 0 | 1;
  /** Exact match, as the names. */
  email_address?: string;
  first_name?: string;
  last_name?: string;
  /** `%` stands for any text. */
  unique_id?: string;
  group_id?: string;
  /** ISO-8601. */
  last_login_before?: string;
  last_login_after?: string;
}

/** GET /api2/users/<id>: for administrators only. */
export function getUser(client: SiteClient, id: string, signal?: AbortSignal): Promise<User> {
  return client.read(userSchema, one(id), undefined, signal);
}

/** GET /api2/users/<id> with the groups, as far as the library joins them. */
export function getUserWithGroups(client: SiteClient, id: string): Promise<UserWithGroups> {
  return client.read(userWithGroupsSchema, one(id), { joins: 'groups' });
}

/** GET /api2/users with the groups. Administrators only; the API promises no pages and no order. */
export function userPages(client: SiteClient, query: UserListQuery, signal?: AbortSignal): Pages<UserWithGroups> {
  return pagesOf(client, userWithGroupsSchema, USERS, { ...query, joins: 'groups' }, signal);
}

/** GET /api2/users without the groups. */
export function listUsers(client: SiteClient, query: UserListQuery, signal?: AbortSignal): AsyncIterable<User> {
  return itemsOf(filteredUserPages(client, query, signal));
}

/** GET /api2/users without the groups, page by page: the numbers of unreadable entries are known. */
export function filteredUserPages(client: SiteClient, query: UserListQuery, signal?: AbortSignal): Pages<User> {
  return pagesOf(client, userSchema, USERS, { ...query }, signal);
}

/** POST /api2/users. */
export async function createUser(client: SiteClient, input: UserInput): Promise<{ id: string }> {
  const answer = await client.request({ method: 'POST', target: USERS, json: input });
  return { id: createdId(client, answer, USERS) };
}

/** POST /api2/users/<id>: only these two fields of a user can be changed. */
export async function updateUser(
  client: SiteClient,
  id: string,
  patch: { is_admin?: boolean; unique_id?: string },
): Promise<void> {
  await client.request({ method: 'POST', target: one(id), json: patch, isRepeatable: true });
}

/** POST /api2/users/<id>/add-groups and /remove-groups. Other groups of the user stay. */
export async function changeGroupsOfUser(
  client: SiteClient,
  id: string,
  change: 'add' | 'remove',
  groupIds: readonly string[],
): Promise<void> {
  const target = `${one(id)}/${change}-groups`;
  await client.request({ method: 'POST', target, json: { group_ids: groupIds }, isRepeatable: true });
}

/**
 * DELETE /api2/users/bulk-delete: all users of a filter except the asking one. Never repeated by itself: in the meantime, the filter may
 * match other users.
 */
export async function bulkDeleteUsers(client: SiteClient, filter: UserListQuery): Promise<void> {
  const query = new URLSearchParams(Object.entries(filter).map(([name, value]) => [name, String(value)]));
  if (query.size === 0) throw new Error('A deletion without a filter');
  await client.request({ method: 'DELETE', target: `${USERS}/bulk-delete?${query}` });
}

/** DELETE /api2/users/<id>. Idempotent. */
export async function deleteUser(client: SiteClient, id: string): Promise<void> {
  await client.request({ method: 'DELETE', target: one(id), isRepeatable: true });
}
