import type { CalculatedRoles } from '../../../shared/api/people.ts';
import { ALL_PERMISSIONS, namesOf } from '../../../shared/api/permission-sets.ts';
import type { EffectiveAccess } from '../../access/effective-permissions.ts';
import type { Store } from '../../database/store.ts';
import type { Call } from '../../site/site.ts';
import { filterInOrder } from '../../wire/in-order.ts';
import { pageLinks, pageOf } from '../../wire/paging.ts';
import { badRequest, invalid } from '../../wire/problem.ts';
import { parseId, type Query } from '../../wire/query.ts';
import { knownId } from '../known-ids.ts';
import { maySeeMemberships } from './membership-row.ts';

const PATH = '/api2/memberships/calculate-roles-perms';

/**
 * Returns the roles and permissions of a user or a group in each collection, including those inherited along the tree and, for a
 * user, through groups. Callers other than administrators see their own roles, and roles in collections that they may share.
 */
export async function calculateRoles(call: Call, query: Query) {
  if (query.user_id && query.group_id) throw badRequest('Only one of user_id and group_id may be given.');
  if (!query.user_id && !query.group_id) throw badRequest('One of user_id and group_id must be given.');
  const page = pageOf(call.site, query);
  const { store } = call.site;
  const userId = query.user_id ? await subjectId(call, 'users', 'user_id', query.user_id) : undefined;
  const held =
    userId === undefined
      ? (await call.site.access.ofGroup(await subjectId(call, 'groups', 'group_id', query.group_id ?? ''))).effective()
      : await accessOfUser(call, userId);
  const wanted = query.collection_id ? (parseId(query.collection_id) ?? -1) : undefined;
  const named = [...held.keys()].filter((id) => wanted === undefined || id === wanted).sort((a, b) => a - b);
  const isOwn = userId === call.caller.userId;
  const ids = isOwn ? named : await filterInOrder(named, (id) => maySeeMemberships(call, id));
  const shown = ids.slice(page.offset, page.offset + page.perPage);
  const collections = await namesIn(store, 'collections', shown);
  const roles = await namesIn(
    store,
    'roles',
    shown.flatMap((id) => held.get(id)?.roleIds ?? []),
  );
  const items = shown.map((id): CalculatedRoles => {
    const { mask, roleIds } = held.get(id) ?? { mask: 0, roleIds: [] };
    return {
      collection: reference(id, collections),
      roles: roleIds.map((roleId) => reference(roleId, roles)),
      permissions: namesOf(mask),
    };
  });
  return { items, links: pageLinks(PATH, query, page, page.offset + page.perPage < ids.length) };
}

/**
 * Returns the id of the user or group. For callers other than administrators, an unknown id looks like an id without roles, so
 * that trying ids reveals nothing.
 */
async function subjectId(call: Call, table: 'users' | 'groups', field: string, text: string): Promise<number> {
  if (call.caller.isAdmin) return await knownId(call.site.store, table, field, text);
  const id = parseId(text);
  if (id === undefined) throw invalid([{ field, message: 'must be an identifier' }]);
  return id;
}

/**
 * Returns the access of a user. An administrator has every permission in every collection, with or without a role in it. Only
 * administrators see who is an administrator.
 */
async function accessOfUser(call: Call, userId: number): Promise<ReadonlyMap<number, EffectiveAccess>> {
  const { store, access } = call.site;
  const given = (await access.of({ userId, isAdmin: false })).effective();
  if (!call.caller.isAdmin) return given;
  if (!(await store.get('SELECT 1 FROM users WHERE id = ? AND is_admin = 1', userId))) return given;
  const all = await store.all<{ id: number }>('SELECT id FROM collections');
  return new Map(all.map(({ id }) => [id, { mask: ALL_PERMISSIONS, roleIds: given.get(id)?.roleIds ?? [] }]));
}

async function namesIn(
  store: Store,
  table: 'collections' | 'roles',
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const rows = await store.all<{ id: number; display_name: string }>(
    `SELECT id, display_name FROM ${table} WHERE id IN (SELECT value FROM json_each(?))`,
    JSON.stringify(ids),
  );
  return new Map(rows.map((row) => [row.id, row.display_name]));
}

function reference(id: number, names: ReadonlyMap<number, string>) {
  return { id: String(id), display_name: names.get(id) ?? '' };
}
