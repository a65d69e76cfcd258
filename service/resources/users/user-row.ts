import type { User } from '../../../shared/api/people.ts';
import type { Store } from '../../database/store.ts';
import type { Call } from '../../site/site.ts';
import { notFound } from '../../wire/problem.ts';
import { parseId, timestamp } from '../../wire/query.ts';

export interface UserRow {
  id: number;
  email_address: string;
  first_name: string;
  last_name: string;
  unique_id: string;
  is_admin: number;
  created_on: number;
  modified_on: number;
  last_login_on: number | null;
}

/** Columns of a `UserRow`, for a query that names the table `u`. They do not include the password's hash. */
export const USER_COLUMNS =
  'u.id, u.email_address, u.first_name, u.last_name, u.unique_id, u.is_admin, u.created_on, u.modified_on, u.last_login_on';

export function findUser(store: Store, id: number): Promise<UserRow | undefined> {
  return store.get<UserRow>(`SELECT ${USER_COLUMNS} FROM users u WHERE u.id = ?`, id);
}

/** Returns the user; otherwise throws 404. */
export async function userOf(call: Call, idText: string): Promise<UserRow> {
  const id = parseId(idText);
  const row = id === undefined ? undefined : await findUser(call.site.store, id);
  if (!row) throw notFound('User');
  return row;
}

export function userPath(id: number): string {
  return `/api2/users/${id}`;
}

export function fullName(row: Pick<UserRow, 'first_name' | 'last_name'>): string {
  return `${row.first_name} ${row.last_name}`.trim();
}

/** Returns the JSON form of a user; the answer to a creation has no link to thumbs. */
export function renderUser(row: UserRow, moment: 'creation' | 'later' = 'later'): User {
  const self = userPath(row.id);
  return {
    id: String(row.id),
    is_admin: row.is_admin === 1,
    email_address: row.email_address,
    display_name: fullName(row),
    unique_id: row.unique_id,
    created_on: timestamp(row.created_on),
    modified_on: timestamp(row.modified_on),
    last_login_date: timestamp(row.last_login_on),
    links: {
      self,
      groups: `/api2/groups?user_id=${row.id}`,
      ...(moment === 'creation' ? {} : { thumbs: `${self}/thumbs` }),
    },
  };
}
