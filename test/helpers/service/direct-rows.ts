// Rows that are written to the database of a stopped service: seconds for what a hundred thousand requests would create.
import { DatabaseSync } from 'node:sqlite';

const ON = 1_700_000_000;

type Values = Record<string, string | number | null>;

/** Writes to the database of a service in one transaction. */
export function writeRows<T>(path: string, write: (rows: DirectRows) => T): T {
  const database = new DatabaseSync(path);
  try {
    database.exec('PRAGMA foreign_keys = OFF; BEGIN');
    const result = write(new DirectRows(database));
    database.exec('COMMIT');
    return result;
  } finally {
    database.close();
  }
}

export class DirectRows {
  readonly database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.database = database;
  }

  /** Returns the id of the new row. `or`: such as `OR REPLACE`. */
  insert(table: string, values: Values, or = ''): number {
    const all = { ...values, created_on: ON, modified_on: ON };
    const names = Object.keys(all);
    const sql = `INSERT ${or} INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
    return Number(this.database.prepare(sql).run(...Object.values(all)).lastInsertRowid);
  }

  user(name: string, last: string, isAdmin = false): number {
    const email_address = `${name}@filled.example`;
    return this.insert('users', {
      email_address,
      first_name: name,
      last_name: last,
      unique_id: `basic:${email_address}`,
      is_admin: Number(isAdmin),
    });
  }

  group(display_name: string): number {
    return this.insert('groups', { display_name });
  }

  join(group: number, user: number): void {
    const sql = 'INSERT OR IGNORE INTO group_users (group_id, user_id) VALUES (?, ?)';
    this.database.prepare(sql).run(group, user);
  }

  role(display_name: string, permissions: readonly string[]): number {
    return this.insert('roles', { display_name, permissions: JSON.stringify(permissions), deletable: 1, lti: 0 });
  }

  /** `slug`: unique in the library. */
  collection(slug: string, display_name: string, parent_id: number | null, inherits: boolean): number {
    return this.insert('collections', {
      parent_id,
      slug,
      display_name,
      description: '',
      description_plain: '',
      inherit_memberships: Number(inherits),
      is_podcast: 0,
      autotranscribe_enabled: 0,
      autotranscribe_subcollections: 0,
    });
  }

  /** Replaces the role that the user or the group has in the collection. */
  membership(holder: { user: number } | { group: number }, collection_id: number, role_id: number): void {
    const user_id = 'user' in holder ? holder.user : null;
    const group_id = 'group' in holder ? holder.group : null;
    this.insert('memberships', { user_id, group_id, collection_id, role_id }, 'OR REPLACE');
  }
}
