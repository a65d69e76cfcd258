import type { Bindable } from '../condition.ts';
import { READABLE_KEY } from '../schema-version.ts';
import type { Store } from '../store.ts';
import { MOVE_KEY } from './mark.ts';
import type { Table } from './tables.ts';

export type Row = Record<string, Bindable>;
/** The values of the primary key of a row. */
export type Key = readonly (string | number)[];

/** Rows that are read, and written in one transaction. */
export const BATCH = 1000;

/** The key of the signing key, which a library with one process has in its data directory instead. */
export const SIGNING_KEY = 'signing_key';
/** The keys of `meta` that belong to a database and not to the library. */
const OF_A_DATABASE: ReadonlySet<string> = new Set(['schema_version', READABLE_KEY, SIGNING_KEY, MOVE_KEY]);
const OF_TRIGGERS = 'triggers_';

/** Puts the name of a table or column in quotes. */
export const quoted = (name: string): string => `"${name}"`;

/** Puts names in quotes, with commas between them. */
export const list = (names: readonly string[]): string => names.map(quoted).join(', ');

/**
 * Reads the next rows of a table in the order of its primary key. `after`: the key of the last row that was read; undefined for the
 * first ones. `condition`: an expression without parameters.
 */
export function readBatch(store: Store, table: Table, after: Key | undefined, condition = ''): Promise<Row[]> {
  const places = `(${table.key.map(() => '?').join(', ')})`;
  const parts = [after && `(${list(table.key)}) > ${places}`, condition && `(${condition})`].filter(Boolean);
  const where = parts.length === 0 ? '' : `WHERE ${parts.join(' AND ')}`;
  return store.all<Row>(
    `SELECT ${list(table.columns.map(({ name }) => name))} FROM ${quoted(table.name)} ${where}
     ORDER BY ${list(table.key)} LIMIT ${BATCH}`,
    ...(after ?? []),
  );
}

/** Returns the primary key of the last row. */
export function lastKey(table: Table, rows: readonly Row[]): Key | undefined {
  const last = rows.at(-1);
  return last && table.key.map((name) => last[name] as string | number);
}

/** Returns whether a row belongs to the library, not to one of its databases. */
export function isOfLibrary(table: Table, row: Row): boolean {
  if (table.name !== 'meta') return true;
  const key = String(row.key);
  return !OF_A_DATABASE.has(key) && !key.startsWith(OF_TRIGGERS);
}
