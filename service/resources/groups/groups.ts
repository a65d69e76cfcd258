import { z } from 'zod';
import { type Condition, whereAll } from '../../database/condition.ts';
import type { Call } from '../../site/site.ts';
import { bodyOf, line } from '../../wire/body.ts';
import { conflict } from '../../wire/problem.ts';
import { parseId, type Query } from '../../wire/query.ts';
import { idArray, knownIds } from '../known-ids.ts';
import { listAll } from '../listing.ts';
import { findGroup, type GroupRow, groupOf, HAS_USER, renderGroup } from './group-row.ts';
import { addToGroups, removeFromGroups } from './group-users.ts';

const name = line(255);
const creation = z.object({ display_name: name });
const update = z.object({ display_name: name.optional() });
const userIds = z.object({ user_ids: idArray });

/** The bodies of the requests about groups. */
export const GROUP_BODIES = { creation, update, userIds };

/** Lists the groups that match the query's filters, by name. */
export async function listGroups(call: Call, query: Query) {
  const conditions: Condition[] = [];
  if (query.display_name) conditions.push({ sql: 'g.display_name = ?', params: [query.display_name] });
  if (query.user_id) {
    const userId = parseId(query.user_id) ?? -1;
    conditions.push({ sql: HAS_USER, params: [userId, userId] });
  }
  const { sql, params } = whereAll(conditions);
  const { rows, links } = await listAll<GroupRow>(call, '/api2/groups', query, {
    sql: `SELECT g.* FROM groups g ${sql} ORDER BY g.display_name COLLATE NOCASE, g.id`,
    params,
  });
  return { items: rows.map(renderGroup), links };
}

export async function createGroup(call: Call, body: unknown): Promise<GroupRow> {
  const { display_name } = bodyOf(creation, body);
  const { store } = call.site;
  const id = await store.insert(
    'INSERT INTO groups (display_name, created_on, modified_on) VALUES (?, ?, ?) RETURNING id',
    display_name.trim(),
    call.nowOn,
    call.nowOn,
  );
  call.effect({ name: 'group-created', group_id: id });
  return (await findGroup(store, String(id))) as GroupRow;
}

export async function updateGroup(call: Call, idText: string, body: unknown): Promise<GroupRow> {
  const row = await groupOf(call, idText);
  const { display_name } = bodyOf(update, body);
  return await touched(call, row, display_name?.trim());
}

/** Adds users to the group, or removes users from it; other members stay. */
export async function changeGroupUsers(
  call: Call,
  idText: string,
  body: unknown,
  change: 'add' | 'remove',
): Promise<GroupRow> {
  const row = await groupOf(call, idText);
  const { user_ids } = bodyOf(userIds, body);
  const { store } = call.site;
  const after = await store.transaction(async () => {
    if (change === 'add') await addToGroups(store, await knownIds(store, 'users', 'user_ids', user_ids), [row.id]);
    else await removeFromGroups(store, user_ids.map(parseId), [row.id]);
    return await touched(call, row);
  });
  return after;
}

/** Deletes a group with its memberships; does nothing when it does not exist. Built-in groups cannot be deleted. */
export async function deleteGroup(call: Call, idText: string): Promise<void> {
  const { store } = call.site;
  const row = await findGroup(store, idText);
  if (!row) return;
  if (row.built_in !== null) throw conflict('A built-in group cannot be deleted.');
  await store.run('DELETE FROM groups WHERE id = ?', row.id);
  call.effect({ name: 'group-deleted', group_id: row.id });
}

async function touched(call: Call, row: GroupRow, displayName = row.display_name): Promise<GroupRow> {
  await call.site.store.run(
    'UPDATE groups SET display_name = ?, modified_on = ? WHERE id = ?',
    displayName,
    call.nowOn,
    row.id,
  );
  call.effect({ name: 'group-updated', group_id: row.id });
  return { ...row, display_name: displayName, modified_on: call.nowOn };
}
