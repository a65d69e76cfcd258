import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { copyIdleDatabase } from './copy-database.ts';
import { SCHEMA_VERSION, schemaSteps } from './schema.ts';
import type { Bindable, Store } from './store.ts';

/** A stored file that a row names. `size`: of its row; null when its table has none. */
export interface StoredRow {
  name: string;
  size: number | null;
}

/** Why a database can't be used; `null` in place of it means that it can. */
interface SnapshotProblem {
  code: 'database.newer' | 'database.schema' | 'database.damaged';
  detail: string;
}

/** The row of `meta` with the settings, as JSON. */
const SETTINGS_KEY = 'settings';
/** What a restored library begins without. */
const FORGOTTEN = [
  ...['sign_in_failures', 'oauth_tokens', 'oauth_codes', 'sessions', 'webhook_deliveries', 'account_links'],
  // What workers had begun: the blobs of it are not in a backup.
  ...['processing_claims', 'processing_lost', 'processing_products'],
];
/** SQLITE_BUSY: another process has the database. */
const BUSY = 5;

interface IdleDatabase extends Pick<Store, 'all'> {
  copyTo(to: string): Promise<void>;
  close(): void;
}

/**
 * Opens the database of a service that does not run, and keeps others from it until `close`. Returns `in-use` when a service runs.
 * The schema stays as it is.
 */
export function openIdleDatabase(file: string): IdleDatabase | 'in-use' {
  const db = new DatabaseSync(file);
  try {
    db.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; COMMIT');
  } catch (error) {
    db.close();
    if (isBusy(error)) return 'in-use';
    throw error;
  }
  return {
    all: async <Row>(sql: string, ...params: Bindable[]) => db.prepare(sql).all(...params) as Row[],
    copyTo: (to) => copyIdleDatabase(db, to),
    close: () => db.close(),
  };
}

/** Returns whether an error of SQLite says that another process has the database. */
export function isBusy(error: unknown): boolean {
  return ((error as { errcode?: number }).errcode ?? 0) % 256 === BUSY;
}

/** Makes a copy a single file: without a log beside it, and readable on a drive that nothing can be written to. */
export function makeSingleFile(file: string): void {
  const db = new DatabaseSync(file);
  try {
    db.exec('PRAGMA journal_mode = DELETE');
  } finally {
    db.close();
  }
}

/** The database in a backup, which may come from anywhere. */
export interface Snapshot {
  version: number;
  /** Returns why it can't be used. Call it first: what it accepts has our tables and nothing else that could run. */
  problem(): SnapshotProblem | null;
  meta(key: string): string | undefined;
  rows(): Iterable<StoredRow>;
  close(): void;
}

/**
 * Opens a single-file database for reading, and reads no other file: a log beside it would change its content. Throws when it is not a
 * database.
 */
export function openSnapshot(file: string): Snapshot {
  const address = pathToFileURL(file);
  address.searchParams.set('immutable', '1');
  const db = new DatabaseSync(address, { readOnly: true, enableDoubleQuotedStringLiterals: false });
  try {
    db.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0');
    const version = Number(db.prepare('PRAGMA user_version').get()?.user_version ?? 0);
    return {
      version,
      problem: () => schemaProblem(db, version) ?? damage(db),
      meta: (key) => {
        const value = db.prepare('SELECT value FROM meta WHERE key = ?').get(key)?.value;
        return typeof value === 'string' ? value : undefined;
      },
      *rows() {
        const found = db
          .prepare(
            `SELECT stored_name AS name, size FROM files WHERE stored_name IS NOT NULL
             UNION ALL SELECT stored_name, NULL FROM thumbs`,
          )
          .iterate();
        for (const { name, size } of found) {
          yield { name: String(name), size: typeof size === 'number' ? size : null };
        }
      },
      close: () => db.close(),
    };
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * Compares the schema with that of the same version as this program makes it. A foreign database could have views or triggers
 * instead of our tables, which would run for any time.
 */
function schemaProblem(db: DatabaseSync, version: number): SnapshotProblem | null {
  if (version > SCHEMA_VERSION) {
    return { code: 'database.newer', detail: `schema ${version}; this version knows ${SCHEMA_VERSION}` };
  }
  const own = new DatabaseSync(':memory:');
  try {
    for (const step of schemaSteps(version)) own.exec(step);
    const expected = new Map(objectsOf(own).map((each) => [each.name, each]));
    const found = objectsOf(db);
    const foreign = found.find((each) => !isSame(expected.get(each.name), each));
    if (version > 0 && foreign === undefined && found.length === expected.size) return null;
    return { code: 'database.schema', detail: foreign?.name ?? 'tables are missing' };
  } finally {
    own.close();
  }
}

interface SchemaObject {
  type: string;
  name: string;
  sql: string | null;
}

function objectsOf(db: DatabaseSync): SchemaObject[] {
  const rows = db.prepare('SELECT type, name, sql FROM sqlite_schema LIMIT 1000').all();
  return rows.map(({ type, name, sql }) => ({
    type: String(type),
    name: String(name),
    sql: sql === null ? null : String(sql),
  }));
}

function isSame(expected: SchemaObject | undefined, found: SchemaObject): boolean {
  if (expected?.type !== found.type) return false;
  // The text of these depends on the version of SQLite that made them.
  return /^(?:sqlite_|media_text_)/.test(found.name) || expected.sql === found.sql;
}

function damage(db: DatabaseSync): SnapshotProblem | null {
  const result = db.prepare('PRAGMA quick_check(1)').get();
  const text = String(Object.values(result ?? {})[0] ?? '');
  return text === 'ok' ? null : { code: 'database.damaged', detail: text.slice(0, 200) };
}

/**
 * Turns the database of a backup into that of a restored library: with another epoch, without sign-ins, one-time links and a webhook. A
 * token that was revoked after the backup would be valid again, and a copy would notify the receiver of the library that still runs.
 */
export function renewRestored(file: string, epochKey: string, epoch: string): void {
  const db = new DatabaseSync(file);
  try {
    db.exec('PRAGMA trusted_schema = OFF; PRAGMA synchronous = FULL; BEGIN');
    db.prepare(
      'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    ).run(epochKey, epoch);
    // An earlier version of the schema lacks some of these tables.
    const isThere = (table: string) =>
      db.prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?`).get(table) !== undefined;
    for (const table of FORGOTTEN) if (isThere(table)) db.exec(`DELETE FROM ${table}`);
    const settings = db.prepare('SELECT value FROM meta WHERE key = ?').get(SETTINGS_KEY)?.value;
    if (typeof settings === 'string') {
      const text = JSON.stringify({ ...JSON.parse(settings), webhook_url: null });
      db.prepare('UPDATE meta SET value = ? WHERE key = ?').run(text, SETTINGS_KEY);
    }
    if (isThere('audit')) {
      db.prepare(
        `INSERT INTO audit (at, action, target_kind, target_id) VALUES (?, 'library.restore', 'library', ?)`,
      ).run(Date.now(), epoch);
    }
    db.exec('COMMIT');
  } finally {
    db.close();
  }
}
