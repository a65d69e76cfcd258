import type { Store } from '../../database/store.ts';
import { conflict } from '../../wire/problem.ts';

/** Adds users to groups. Built-in groups already contain every user, so naming one changes nothing. */
export async function addToGroups(
  store: Store,
  userIds: readonly number[],
  groupIds: readonly number[],
): Promise<void> {
  await store.run(
    `INSERT INTO group_users (group_id, user_id)
     SELECT g.id, u.value FROM groups g, json_each(?) u
     WHERE g.built_in IS NULL AND g.id IN (SELECT value FROM json_each(?))
     ON CONFLICT DO NOTHING`,
    JSON.stringify(userIds),
    JSON.stringify(groupIds),
  );
}

/** Removes users from groups; ids that do not exist are ignored. Throws 409 for a built-in group. */
export async function removeFromGroups(
  store: Store,
  userIds: readonly (number | undefined)[],
  groupIds: readonly (number | undefined)[],
): Promise<void> {
  const [users, groups] = [JSON.stringify(userIds), JSON.stringify(groupIds)];
  const builtIn = await store.get<{ display_name: string }>(
    'SELECT display_name FROM groups WHERE built_in IS NOT NULL AND id IN (SELECT value FROM json_each(?))',
    groups,
  );
  if (builtIn && userIds.length > 0) throw conflict(`Every user is in the group ${builtIn.display_name}.`);
  await store.run(
    `DELETE FROM group_users WHERE user_id IN (SELECT value FROM json_each(?))
       AND group_id IN (SELECT value FROM json_each(?))`,
    users,
    groups,
  );
}

/** Sets the groups of a user exactly; the built-in ones stay. */
export async function setGroups(store: Store, userId: number, groupIds: readonly number[]): Promise<void> {
  await store.run('DELETE FROM group_users WHERE user_id = ?', userId);
  await addToGroups(store, [userId], groupIds);
}
