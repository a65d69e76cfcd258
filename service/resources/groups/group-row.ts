import type { Group } from '../../../shared/api/people.ts';
import type { Store } from '../../database/store.ts';
import type { Call } from '../../site/site.ts';
import { notFound } from '../../wire/problem.ts';
import { parseId, timestamp } from '../../wire/query.ts';

/** The built-in groups. Their members are implicit: everyone in the first, every user in the second. */
const BUILT_IN_GROUPS = ['public', 'registered-users'] as const;

export interface GroupRow {
  id: number;
  display_name: string;
  built_in: (typeof BUILT_IN_GROUPS)[number] | null;
  created_on: number;
  modified_on: number;
}

/** Finds a group by its id, or a built-in one by its name. */
export async function findGroup(store: Store, idText: string): Promise<GroupRow | undefined> {
  if (BUILT_IN_GROUPS.some((name) => name === idText)) {
    return await store.get<GroupRow>('SELECT * FROM groups WHERE built_in = ?', idText);
  }
  return await store.get<GroupRow>('SELECT * FROM groups WHERE id = ?', parseId(idText) ?? -1);
}

/** Returns the group; otherwise throws 404. */
export async function groupOf(call: Call, idText: string): Promise<GroupRow> {
  const row = await findGroup(call.site.store, idText);
  if (!row) throw notFound('Group');
  return row;
}

/**
 * The condition that a user is a member of group `g`: explicitly, or because every user is. Its parameters are the user's id,
 * twice.
 */
export const HAS_USER = `EXISTS (SELECT 1 FROM users WHERE id = ?)
  AND (g.built_in IS NOT NULL OR g.id IN (SELECT group_id FROM group_users WHERE user_id = ?))`;

/** Returns the groups of a user, including the built-in ones. */
export function groupsOfUser(store: Store, userId: number): Promise<GroupRow[]> {
  return store.all<GroupRow>(
    `SELECT g.* FROM groups g WHERE ${HAS_USER} ORDER BY g.display_name COLLATE NOCASE, g.id`,
    userId,
    userId,
  );
}

export function groupPath(id: number): string {
  return `/api2/groups/${id}`;
}

export function renderGroup(row: GroupRow): Group {
  return {
    id: String(row.id),
    display_name: row.display_name,
    created_on: timestamp(row.created_on),
    modified_on: timestamp(row.modified_on),
    links: { self: groupPath(row.id), users: `/api2/users?group_id=${row.id}` },
  };
}
