import type { Membership } from '../../../shared/api/people.ts';
import type { Condition } from '../../database/condition.ts';
import type { Store } from '../../database/store.ts';
import type { Call } from '../../site/site.ts';
import { timestamp } from '../../wire/query.ts';
import { fullName } from '../users/user-row.ts';

export interface MembershipRow {
  id: number;
  user_id: number | null;
  group_id: number | null;
  collection_id: number;
  role_id: number;
  created_on: number;
  modified_on: number;
  first_name: string | null;
  last_name: string | null;
  group_name: string | null;
  collection_name: string;
  role_name: string;
}

/** Selects rows together with the names of their user, group, collection and role; the table of memberships is `m`. */
export const MEMBERSHIP_SELECT = `SELECT m.*, u.first_name, u.last_name, g.display_name AS group_name,
  c.display_name AS collection_name, r.display_name AS role_name
  FROM memberships m JOIN collections c ON c.id = m.collection_id JOIN roles r ON r.id = m.role_id
  LEFT JOIN users u ON u.id = m.user_id LEFT JOIN groups g ON g.id = m.group_id`;

export function findMembership(store: Store, id: number): Promise<MembershipRow | undefined> {
  return store.get<MembershipRow>(`${MEMBERSHIP_SELECT} WHERE m.id = ?`, id);
}

/**
 * Returns whether the caller may see and change the memberships of a collection: administrators and holders of collection-share
 * may.
 */
export async function maySeeMemberships(call: Call, collectionId: number): Promise<boolean> {
  return (await call.site.access.of(call.caller)).may('collection-share', collectionId);
}

/** Returns whether the caller may see the membership. Callers always see their own. */
export async function maySeeMembership(call: Call, row: MembershipRow): Promise<boolean> {
  return row.user_id === call.caller.userId || (await maySeeMemberships(call, row.collection_id));
}

/** `maySeeMembership` as conditions of a query. */
export async function membershipVisibility(call: Call): Promise<Condition[]> {
  const shared = (await call.site.access.of(call.caller)).condition('collection-share')?.('m.collection_id');
  if (!shared) return [];
  return [{ sql: `m.user_id = ? OR ${shared.sql}`, params: [call.caller.userId, ...shared.params] }];
}

export function membershipPath(id: number): string {
  return `/api2/memberships/${id}`;
}

export function renderMembership(row: MembershipRow): Membership {
  const user = { first_name: row.first_name ?? '', last_name: row.last_name ?? '' };
  return {
    id: String(row.id),
    group: row.group_id === null ? null : { id: String(row.group_id), display_name: row.group_name ?? '' },
    user: row.user_id === null ? null : { id: String(row.user_id), display_name: fullName(user) },
    collection: { id: String(row.collection_id), display_name: row.collection_name },
    role: { id: String(row.role_id), display_name: row.role_name },
    created_on: timestamp(row.created_on),
    modified_on: timestamp(row.modified_on),
    links: { self: membershipPath(row.id) },
  };
}
