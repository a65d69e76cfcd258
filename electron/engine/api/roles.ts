import { type Role, roleSchema } from '../../../shared/api/people.ts';
import { countSchema } from '../../../shared/api/wire.ts';
import { createdId } from './created.ts';
import type { SiteClient } from './http-client.ts';
import { segment } from './links.ts';
import { type Pages, pagesOf } from './pages.ts';

const ROLES = '/api2/roles';
const one = (id: string) => `${ROLES}/${segment(id)}`;

export interface RoleListQuery {
  /** Exact match. */
  display_name?: string;
  deletable?: 0 | 1;
  lti?: 0 | 1;
  /** Names separated by commas: the roles that have all of them. */
  permissions?: string;
}

/** GET /api2/roles: for administrators only. The API calls this a beta. */
export function rolePages(client: SiteClient, query: RoleListQuery, signal?: AbortSignal): Pages<Role> {
  return pagesOf(client, roleSchema, ROLES, { ...query }, signal);
}

/** GET /api2/roles/count. */
export async function countRoles(client: SiteClient, query: RoleListQuery): Promise<number> {
  return (await client.read(countSchema, `${ROLES}/count`, { ...query })).count;
}

/** GET /api2/roles/<id>. */
export function getRole(client: SiteClient, id: string): Promise<Role> {
  return client.read(roleSchema, one(id));
}

/** POST /api2/roles, which answers 200. A permission without all that it depends on is dropped without an error. */
export async function createRole(
  client: SiteClient,
  input: { display_name: string; permissions: readonly string[] },
): Promise<{ id: string }> {
  const answer = await client.request({ method: 'POST', target: ROLES, json: input });
  return { id: createdId(client, answer, ROLES) };
}

/** POST /api2/roles/<id>. */
export async function renameRole(client: SiteClient, id: string, name: string): Promise<void> {
  await client.request({ method: 'POST', target: one(id), json: { display_name: name }, isRepeatable: true });
}

/** POST /api2/roles/<id>/add-permissions and /remove-permissions. A removal removes all that depends on it as well. */
export async function changePermissionsOfRole(
  client: SiteClient,
  id: string,
  change: 'add' | 'remove',
  permissions: readonly string[],
): Promise<void> {
  const target = `${one(id)}/${change}-permissions`;
  await client.request({ method: 'POST', target, json: { permissions }, isRepeatable: true });
}

/** DELETE /api2/roles/<id>. Idempotent. */
export async function deleteRole(client: SiteClient, id: string): Promise<void> {
  await client.request({ method: 'DELETE', target: one(id), isRepeatable: true });
}
