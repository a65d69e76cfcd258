import { whereAll } from '../../database/condition.ts';
import { thumbsOf } from '../../signed-urls/thumb-list.ts';
import type { Call } from '../../site/site.ts';
import { inOrder } from '../../wire/in-order.ts';
import { joinsOf, type Query } from '../../wire/query.ts';
import { groupsOfUser, renderGroup } from '../groups/group-row.ts';
import { listAll } from '../listing.ts';
import { userConditions } from './user-filter.ts';
import { renderUser, USER_COLUMNS, type UserRow, userOf } from './user-row.ts';

const JOINS = ['thumbs', 'groups'];

/** Lists the users that match the query's filters, by name. */
export async function listUsers(call: Call, query: Query) {
  const { sql, params } = whereAll(await userConditions(call.site.store, query));
  const { rows, links } = await listAll<UserRow>(call, '/api2/users', query, {
    sql: `SELECT ${USER_COLUMNS} FROM users u ${sql}
      ORDER BY u.last_name COLLATE NOCASE, u.first_name COLLATE NOCASE, u.id`,
    params,
  });
  return { items: await inOrder(rows, (row) => joinUser(call, row, query)), links };
}

export async function getUser(call: Call, idText: string, query: Query) {
  return await joinUser(call, await userOf(call, idText), query);
}

/** Returns a user with the requested joins, each under its own name. */
async function joinUser(call: Call, row: UserRow, query: Query) {
  const joins = joinsOf(query, JOINS);
  return {
    ...renderUser(row),
    ...(joins.has('thumbs') ? { thumbs: await thumbsOf(call.site, 'users', row.id) } : {}),
    ...(joins.has('groups') ? { groups: (await groupsOfUser(call.site.store, row.id)).map(renderGroup) } : {}),
  };
}
