import { whereAll } from '../../database/condition.ts';
import { thumbsOf } from '../../signed-urls/thumb-list.ts';
import type { Call } from '../../site/site.ts';
import { joinsOf, type Query } from '../../wire/query.ts';
import { groupsOfUser, renderGroup } from '../groups/group-row.ts';
import { listWhole } from '../listing.ts';
import { userConditions } from './user-filter.ts';
import { renderUser, USER_COLUMNS, type UserRow, userOf } from './user-row.ts';

const JOINS = ['thumbs', 'groups'];

/** The users that the query's filters find, by name. */
export function listUsers(call: Call, query: Query) {
  const { sql, params } = whereAll(userConditions(call.site.store, query));
  const { rows, links } = listWhole<UserRow>(call, '/api2/users', query, {
    sql: `SELECT ${USER_COLUMNS} FROM users u ${sql}
      ORDER BY u.last_name COLLATE NOCASE, u.first_name COLLATE NOCASE, u.id`,
    params,
  });
  return { items: rows.map((row) => joinUser(call, row, query)), links };
}

export function getUser(call: Call, idText: string, query: Query) {
  return joinUser(call, userOf(call, idText), query);
}

/** A user with the linked data that was asked for, each bundle under the name of its join. */
function joinUser(call: Call, row: UserRow, query: Query) {
  const joins = joinsOf(query, JOINS);
  return {
    ...renderUser(row),
    ...(joins.has('thumbs') ? { thumbs: thumbsOf(call.site, 'users', row.id) } : {}),
    ...(joins.has('groups') ? { groups: groupsOfUser(call.site.store, row.id).map(renderGroup) } : {}),
  };
}
