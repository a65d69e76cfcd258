import { z } from 'zod';
import {
  addPermissions,
  closed,
  isPermission,
  maskOf,
  namesOf,
  PERMISSIONS,
  type PermissionMask,
  removePermissions,
} from '../../../shared/api/permission-sets.ts';
import { type Condition, whereAll } from '../../database/condition.ts';
import type { Call } from '../../site/site.ts';
import { bodyOf, line } from '../../wire/body.ts';
import { conflict } from '../../wire/problem.ts';
import { param, parseId, type Query, zeroOrOne } from '../../wire/query.ts';
import { listAll } from '../listing.ts';
import { findRole, maskOfRole, type RoleRow, renderRole, roleOf } from './role-row.ts';

const names = z
  .array(z.enum(PERMISSIONS, 'must be the name of a permission'))
  .max(1000, 'must have at most 1000 names');
const creation = z.object({ display_name: line(255), permissions: names });
const update = z.object({ display_name: line(255).optional(), permissions: names.nullish() });
const change = z.object({ permissions: names });

/** The bodies of the requests about roles. */
export const ROLE_BODIES = { creation, update, change };

/** Lists the roles that match the query's filters, by name. */
export async function listRoles(call: Call, query: Query) {
  const { sql, params } = whereAll(roleConditions(query));
  const { rows, links } = await listAll<RoleRow>(call, '/api2/roles', query, {
    sql: `SELECT r.* FROM roles r ${sql} ORDER BY r.display_name COLLATE NOCASE, r.id`,
    params,
  });
  return { items: rows.map(renderRole), links };
}

/** Returns the number of roles that match the same filters. */
export async function countRoles(call: Call, query: Query): Promise<number> {
  const { sql, params } = whereAll(roleConditions(query));
  return (
    (await call.site.store.get<{ count: number }>(`SELECT count(*) AS count FROM roles r ${sql}`, ...params))?.count ??
    0
  );
}

function roleConditions(query: Query): Condition[] {
  const conditions: Condition[] = [];
  if (query.display_name) conditions.push({ sql: 'r.display_name = ?', params: [query.display_name] });
  for (const name of ['deletable', 'lti'] as const) {
    const value = param(query, name, zeroOrOne, 'must be 0 or 1');
    if (value !== undefined) conditions.push({ sql: `r.${name} = ?`, params: [Number(value)] });
  }
  const wanted = param(query, 'permissions', permissionList, 'must be names of permissions, separated by commas');
  if (wanted) {
    conditions.push({
      sql: `NOT EXISTS (SELECT 1 FROM json_each(?) wanted
        WHERE wanted.atom NOT IN (SELECT atom FROM json_each(r.permissions)))`,
      params: [JSON.stringify(wanted)],
    });
  }
  return conditions;
}

function permissionList(text: string): string[] | undefined {
  const list = text.split(',').map((name) => name.trim());
  return list.every(isPermission) ? list : undefined;
}

/** Creates a role. A permission whose dependencies are not given either is omitted. */
export async function createRole(call: Call, body: unknown): Promise<RoleRow> {
  const input = bodyOf(creation, body);
  const { store } = call.site;
  const id = await store.insert(
    'INSERT INTO roles (display_name, permissions, deletable, lti, created_on, modified_on) VALUES (?, ?, 1, 0, ?, ?) RETURNING id',
    input.display_name.trim(),
    JSON.stringify(namesOf(closed(maskOf(input.permissions)))),
    call.nowOn,
    call.nowOn,
  );
  call.effect({ name: 'role-created', role_id: id });
  return (await findRole(store, id)) as RoleRow;
}

/** Saves the given fields. `permissions` replaces the existing ones, with the same rule as in a creation. */
export async function updateRole(call: Call, idText: string, body: unknown): Promise<RoleRow> {
  const row = await roleOf(call, idText);
  const input = bodyOf(update, body);
  return await save(
    call,
    row,
    input.display_name?.trim() ?? row.display_name,
    input.permissions ? closed(maskOf(input.permissions)) : maskOfRole(row),
  );
}

/**
 * Adds permissions whose dependencies are held or added as well, or removes permissions together with everything that
 * depends on them.
 */
export async function changePermissions(
  call: Call,
  idText: string,
  body: unknown,
  how: 'add' | 'remove',
): Promise<RoleRow> {
  const row = await roleOf(call, idText);
  const given = maskOf(bodyOf(change, body).permissions);
  const held = maskOfRole(row);
  return await save(
    call,
    row,
    row.display_name,
    how === 'add' ? addPermissions(held, given) : removePermissions(held, given),
  );
}

/** Deletes a role with its memberships; does nothing when it does not exist. */
export async function deleteRole(call: Call, idText: string): Promise<void> {
  const { store } = call.site;
  const row = await findRole(store, parseId(idText) ?? -1);
  if (!row) return;
  if (row.deletable !== 1) throw conflict('This role cannot be deleted.');
  await store.run('DELETE FROM roles WHERE id = ?', row.id);
  call.effect({ name: 'role-deleted', role_id: row.id });
}

async function save(call: Call, row: RoleRow, displayName: string, mask: PermissionMask): Promise<RoleRow> {
  const { store } = call.site;
  await store.run(
    'UPDATE roles SET display_name = ?, permissions = ?, modified_on = ? WHERE id = ?',
    displayName,
    JSON.stringify(namesOf(mask)),
    call.nowOn,
    row.id,
  );
  call.effect({ name: 'role-updated', role_id: row.id });
  return (await findRole(store, row.id)) ?? row;
}
