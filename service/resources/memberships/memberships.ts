import { z } from 'zod';
import { type Condition, whereAll } from '../../database/condition.ts';
import type { Call } from '../../site/site.ts';
import { bodyId, bodyOf } from '../../wire/body.ts';
import { badRequest, forbidden, invalid, notFound } from '../../wire/problem.ts';
import { parseId, type Query } from '../../wire/query.ts';
import { knownId } from '../known-ids.ts';
import { listPaged } from '../listing.ts';
import { maskOfRole, type RoleRow } from '../roles/role-row.ts';
import {
  findMembership,
  MEMBERSHIP_SELECT,
  type MembershipRow,
  maySeeMembership,
  maySeeMemberships,
  membershipVisibility,
  renderMembership,
} from './membership-row.ts';

const subjectFields = { user_id: bodyId.nullish(), group_id: bodyId.nullish() };
const creation = z.object({ role_id: bodyId, collection_id: bodyId, ...subjectFields });
const update = z.object({ role_id: bodyId, ...subjectFields });

/** The bodies of the requests about memberships. */
export const MEMBERSHIP_BODIES = { creation, update };

/** Returns the requested page of memberships, oldest first, limited to those that the caller may see. */
export async function listMemberships(call: Call, query: Query) {
  const conditions: Condition[] = await membershipVisibility(call);
  for (const name of ['user_id', 'group_id', 'collection_id', 'role_id'] as const) {
    if (query[name]) conditions.push({ sql: `m.${name} = ?`, params: [parseId(query[name]) ?? -1] });
  }
  const { sql, params } = whereAll(conditions);
  const ids = { sql: `SELECT m.id FROM memberships m ${sql} ORDER BY m.id`, params };
  const { rows, links } = await listPaged<MembershipRow>(
    call,
    '/api2/memberships',
    query,
    ids,
    (page) => `${MEMBERSHIP_SELECT} WHERE m.id IN (${page}) ORDER BY m.id`,
  );
  return { items: rows.map(renderMembership), links };
}

/** Returns a membership that the caller may see; otherwise throws 404. */
export async function membershipOf(call: Call, idText: string): Promise<MembershipRow> {
  const row = await findMembership(call.site.store, parseId(idText) ?? -1);
  if (!row || !(await maySeeMembership(call, row))) throw notFound('Membership');
  return row;
}

/** Gives a user or a group a role in a collection. It replaces any role that they have in it. */
export async function createMembership(call: Call, body: unknown): Promise<MembershipRow> {
  refuseBoth(body);
  const input = bodyOf(creation, body);
  const { store, access } = call.site;
  if (input.user_id == null && input.group_id == null) {
    throw badRequest('Exactly one of user_id and group_id must be given.');
  }
  const collectionId = await knownId(store, 'collections', 'collection_id', input.collection_id);
  if (!(await access.of(call.caller)).may('collection-read', collectionId)) {
    throw invalid([{ field: 'collection_id', message: 'must be the id of a collection' }]);
  }
  // Checked before any lookup of users and roles: a caller who may not give roles in the collection must not learn who exists.
  if (!(await maySeeMemberships(call, collectionId))) throw forbidden();
  const roleId = await knownId(store, 'roles', 'role_id', input.role_id);
  await refuseUnlessMayGive(call, collectionId, [roleId]);
  const subject = await subjectOf(call, input);
  if (!subject) throw badRequest('Exactly one of user_id and group_id must be given.');
  await refuseUnlessMayGive(call, collectionId, await replacedRoles(call, subject, collectionId));
  const id = await store.transaction(async () => {
    await store.run(
      `DELETE FROM memberships WHERE ${subject.column} = ? AND collection_id = ?`,
      subject.id,
      collectionId,
    );
    return await store.insert(
      `INSERT INTO memberships (${subject.column}, collection_id, role_id, created_on, modified_on) VALUES (?, ?, ?, ?, ?)
       RETURNING id`,
      subject.id,
      collectionId,
      roleId,
      call.nowOn,
      call.nowOn,
    );
  });
  call.effect({ name: 'membership-created', membership_id: id });
  return (await findMembership(store, id)) as MembershipRow;
}

/**
 * Changes the role and, if one is given, the user or group. It replaces a membership that they already have in the collection.
 */
export async function updateMembership(call: Call, idText: string, body: unknown): Promise<MembershipRow> {
  const row = await membershipOf(call, idText);
  refuseBoth(body);
  const input = bodyOf(update, body);
  const { store } = call.site;
  await refuseUnlessMayGive(call, row.collection_id, [row.role_id]);
  const roleId = await knownId(store, 'roles', 'role_id', input.role_id);
  await refuseUnlessMayGive(call, row.collection_id, [roleId]);
  const subject = await subjectOf(call, input);
  if (subject)
    await refuseUnlessMayGive(call, row.collection_id, await replacedRoles(call, subject, row.collection_id));
  await store.transaction(async () => {
    if (subject) {
      await store.run(
        `DELETE FROM memberships WHERE ${subject.column} = ? AND collection_id = ? AND id <> ?`,
        subject.id,
        row.collection_id,
        row.id,
      );
    }
    await store.run(
      'UPDATE memberships SET role_id = ?, user_id = ?, group_id = ?, modified_on = ? WHERE id = ?',
      roleId,
      subject ? (subject.column === 'user_id' ? subject.id : null) : row.user_id,
      subject ? (subject.column === 'group_id' ? subject.id : null) : row.group_id,
      call.nowOn,
      row.id,
    );
  });
  call.effect({ name: 'membership-updated', membership_id: row.id });
  return (await findMembership(store, row.id)) ?? row;
}

/** Deletes a membership; does nothing when it does not exist. */
export async function deleteMembership(call: Call, idText: string): Promise<void> {
  const { store } = call.site;
  const row = await findMembership(store, parseId(idText) ?? -1);
  if (!row || !(await maySeeMembership(call, row))) return;
  await refuseUnlessMayGive(call, row.collection_id, [row.role_id]);
  await store.run('DELETE FROM memberships WHERE id = ?', row.id);
  call.effect({ name: 'membership-deleted', membership_id: row.id });
}

/** Both fields together are a malformed request, whatever the other fields contain. */
function refuseBoth(body: unknown): void {
  const { user_id, group_id } = (body ?? {}) as Record<string, unknown>;
  if (user_id != null && group_id != null) throw badRequest('Only one of user_id and group_id may be given.');
}

/** Returns the user or group of a request; undefined when the request names neither. */
async function subjectOf(
  call: Call,
  given: { user_id?: string | null | undefined; group_id?: string | null | undefined },
) {
  const { store } = call.site;
  if (given.user_id != null)
    return { column: 'user_id', id: await knownId(store, 'users', 'user_id', given.user_id) } as const;
  if (given.group_id == null) return undefined;
  return { column: 'group_id', id: await knownId(store, 'groups', 'group_id', given.group_id) } as const;
}

/** Returns the roles that a new membership would replace. */
async function replacedRoles(
  call: Call,
  subject: { column: 'user_id' | 'group_id'; id: number },
  collectionId: number,
): Promise<number[]> {
  return (
    await call.site.store.all<{ role_id: number }>(
      `SELECT role_id FROM memberships WHERE ${subject.column} = ? AND collection_id = ?`,
      subject.id,
      collectionId,
    )
  ).map((row) => row.role_id);
}

/**
 * Throws unless the caller may give and remove the roles. Administrators may give any role. Other callers need collection-share
 * in the collection, and only for roles of which they hold every permission themselves, so that they cannot extend their own
 * rights.
 */
async function refuseUnlessMayGive(call: Call, collectionId: number, roleIds: readonly number[]): Promise<void> {
  if (call.caller.isAdmin) return;
  if (!(await maySeeMemberships(call, collectionId))) throw forbidden();
  const held = (await call.site.access.of(call.caller)).effective().get(collectionId)?.mask ?? 0;
  for (const roleId of roleIds) {
    const role = await call.site.store.get<Pick<RoleRow, 'permissions'>>(
      'SELECT permissions FROM roles WHERE id = ?',
      roleId,
    );
    if (role && (maskOfRole(role) & ~held) !== 0) throw forbidden();
  }
}
