import type { Role } from '../../../shared/api/people.ts';
import { maskOf, namesOf, type PermissionMask } from '../../../shared/api/permission-sets.ts';
import type { Store } from '../../database/store.ts';
import type { Call } from '../../site/site.ts';
import { notFound } from '../../wire/problem.ts';
import { parseId, timestamp } from '../../wire/query.ts';

export interface RoleRow {
  id: number;
  display_name: string;
  /** JSON array of names. */
  permissions: string;
  deletable: number;
  lti: number;
  created_on: number;
  modified_on: number;
}

export function findRole(store: Store, id: number): Promise<RoleRow | undefined> {
  return store.get<RoleRow>('SELECT * FROM roles WHERE id = ?', id);
}

/** Returns the role; otherwise throws 404. */
export async function roleOf(call: Call, idText: string): Promise<RoleRow> {
  const row = await findRole(call.site.store, parseId(idText) ?? -1);
  if (!row) throw notFound('Role');
  return row;
}

export function rolePath(id: number): string {
  return `/api2/roles/${id}`;
}

export function maskOfRole(row: Pick<RoleRow, 'permissions'>): PermissionMask {
  return maskOf(JSON.parse(row.permissions) as string[]);
}

export function renderRole(row: RoleRow): Role {
  return {
    id: String(row.id),
    display_name: row.display_name,
    created_on: timestamp(row.created_on),
    modified_on: timestamp(row.modified_on),
    permissions: namesOf(maskOfRole(row)),
    deletable: row.deletable === 1,
    lti: row.lti === 1,
    links: { self: rolePath(row.id) },
  };
}
