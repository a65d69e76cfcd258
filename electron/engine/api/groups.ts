import { type Group, groupSchema } from '../../../shared/api/people.ts';
import { createdId } from './created.ts';
import type { SiteClient } from './http-client.ts';
import { segment } from './links.ts';
import { type Pages, pagesOf } from './pages.ts';

const GROUPS = '/api2/groups';
const one = (id: string) => `${GROUPS}/${segment(id)}`;

export interface GroupListQuery {
  /** Exact match. */
  display_name?: string;
  user_id?: string;
}

/** GET /api2/groups: for administrators only. */
export function groupPages(client: SiteClient, query: GroupListQuery, signal?: AbortSignal): Pages<Group> {
  return pagesOf(client, groupSchema, GROUPS, { ...query }, signal);
}

/** GET /api2/groups/<id>, /public and /registered-users. */
export function getGroup(client: SiteClient, id: string, signal?: AbortSignal): Promise<Group> {
  return client.read(groupSchema, one(id), undefined, signal);
}

/** POST /api2/groups. */
export async function createGroup(client: SiteClient, name: string): Promise<{ id: string }> {
  const answer = await client.request({ method: 'POST', target: GROUPS, json: { display_name: name } });
  return { id: createdId(client, answer, GROUPS) };
}

/** POST /api2/groups/<id>. The API does not show whether the id stands in the path; in the other updates it does. */
export async function renameGroup(client: SiteClient, id: string, name: string): Promise<void> {
  await client.request({ method: 'POST', target: one(id), json: { display_name: name }, isRepeatable: true });
}

/** POST /api2/groups/<id>/add-users and /remove-users. Other users of the group stay. */
export async function changeUsersOfGroup(
  client: SiteClient,
  id: string,
  change: 'add' | 'remove',
  userIds: readonly string[],
): Promise<void> {
  const target = `${one(id)}/${change}-users`;
  await client.request({ method: 'POST', target, json: { user_ids: userIds }, isRepeatable: true });
}

/** DELETE /api2/groups/<id>. Idempotent. */
export async function deleteGroup(client: SiteClient, id: string): Promise<void> {
  await client.request({ method: 'DELETE', target: one(id), isRepeatable: true });
}
