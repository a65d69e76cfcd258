import { createRequire } from 'node:module';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { appError } from '../../../shared/contract/app-error.ts';
import { createPrivately } from './private-files.ts';
import { noDisk, SharedSync, walFile } from './wal-sync.ts';

/**
 * The only file that imports the SQLite module: Node's own if the runtime has it in a correct version, otherwise
 * `@photostructure/sqlite`, which has the same interface as a Node-API module with prebuilt binaries.
 */

const USUAL_BUSY_TIMEOUT_MS = 5000;

/** Older versions can damage a WAL database when one connection writes during a checkpoint of another. */
const OLDEST_SOUND_VERSION = [3, 51, 3];

/** The name of an in-memory database. */
const MEMORY = ':memory:';

export type SqlValue = SQLInputValue;
export type SqlRow = Record<string, null | number | bigint | string | Uint8Array>;

/** A statement, prepared once. Parameters are named, without a prefix. */
export interface Statement {
  run(parameters?: Record<string, SqlValue>): { changes: number };
  get(parameters?: Record<string, SqlValue>): SqlRow | undefined;
  all(parameters?: Record<string, SqlValue>): SqlRow[];
}

export interface Database {
  readonly path: string;
  exec(sql: string): void;
  prepare(sql: string): Statement;
  /**
   * Sets whether later commits, and with them the whole process, wait until they are on disk. Without that a commit survives a
   * crash of the process, but a power cut can undo the last ones, in order; the next durable commit, or `whenDurable`, makes all
   * earlier ones durable, too.
   */
  setDurable(durable: boolean): void;
  /**
   * Sets how long later writes, and with them the whole process, wait for a lock of another connection. After a write that waited
   * in vain, the next writes do not wait: they fail immediately, until one has succeeded.
   */
  setBusyTimeout(ms: number): void;
  /**
   * Resolves when every commit before this call is on disk; blocks nothing. Rejects with an error that has SQLite's
   * code for a failed disk.
   */
  whenDurable(): Promise<void>;
  /** Runs `work` in one transaction, which is rolled back when it throws. Not reentrant. */
  transaction<T>(work: () => T): T;
  close(): void;
}

export interface OpenOptions {
  /** How long to wait for a lock of another connection, which blocks the whole process: 5 s by default. */
  busyTimeoutMs?: number;
  /** The connection is read-only: it does not checkpoint when it is closed, and does not create a missing file. */
  readOnly?: boolean;
}

/** The used part of either module. */
export type SqliteModule = Pick<typeof import('node:sqlite'), 'DatabaseSync'>;

let loaded: Promise<SqliteModule> | null = null;

/**
 * Opens a database file; creates it, private to its owner, if necessary. Throws the errors of SQLite or of the file system, which
 * the caller turns into an `AppError`, because it knows the purpose of the file.
 */
export async function openDatabase(path: string, options: OpenOptions = {}): Promise<Database> {
  loaded ??= loadSqlite();
  const { DatabaseSync } = await loaded;
  if (!options.readOnly && path !== MEMORY) createPrivately(path);
  const connection = new DatabaseSync(path, { readOnly: options.readOnly ?? false });
  try {
    connection.exec(`PRAGMA busy_timeout = ${options.busyTimeoutMs ?? USUAL_BUSY_TIMEOUT_MS}`);
  } catch (error) {
    connection.close();
    throw error;
  }
  return wrap(connection, path, options.busyTimeoutMs ?? USUAL_BUSY_TIMEOUT_MS);
}

/** Returns SQLite's primary result code of an error (5 is BUSY, 11 CORRUPT, 26 NOTADB); null for other errors. */
export function sqliteCodeOf(error: unknown): number | null {
  const code =
    (error as { errcode?: unknown } | null)?.errcode ?? (error as { sqliteCode?: unknown } | null)?.sqliteCode;
  return typeof code === 'number' ? code & 0xff : null;
}

export const SQLITE_BUSY = 5;

function wrap(connection: DatabaseSync, path: string, busyTimeoutMs: number): Database {
  let depth = 0;
  let isDurable: boolean | null = null;
  let isWantedDurable: boolean | null = null;
  const wal = new SharedSync(path === MEMORY ? noDisk : walFile(path));
  let hasWritten = false;
  /** Notes a commit. A statement without changes, or a rollback, is none: it does not make earlier lazy commits durable. */
  const noteCommit = () => {
    if (!hasWritten || depth > 0) return;
    hasWritten = false;
    if (isDurable) wal.noteDurableCommit();
    else wal.noteLazyCommit();
  };
  const noteChanges = (changes: number) => {
    hasWritten ||= changes > 0;
    noteCommit();
  };
  /** Sets the durability in SQLite, only when a write needs another one than the previous write. */
  const beforeWrite = () => {
    if (isWantedDurable === isDurable || depth > 0) return;
    connection.exec(`PRAGMA synchronous = ${isWantedDurable ? 'FULL' : 'NORMAL'}`);
    isDurable = isWantedDurable;
  };
  let timeoutMs = busyTimeoutMs;
  let hasTimedOut = false;
  const waitForLocks = (ms: number) => connection.exec(`PRAGMA busy_timeout = ${ms}`);
  const write = <T>(effect: () => T): T => {
    try {
      const result = effect();
      if (hasTimedOut) waitForLocks(timeoutMs);
      hasTimedOut = false;
      return result;
    } catch (error) {
      if (sqliteCodeOf(error) === SQLITE_BUSY && !hasTimedOut) {
        hasTimedOut = true;
        waitForLocks(0);
      }
      throw error;
    }
  };
  return {
    path,
    exec(sql) {
      beforeWrite();
      connection.exec(sql);
    },
    prepare: (sql) => wrapStatement(connection.prepare(sql), beforeWrite, write, noteChanges),
    setDurable(durable) {
      isWantedDurable = durable;
    },
    setBusyTimeout(ms) {
      timeoutMs = ms;
      if (!hasTimedOut) waitForLocks(ms);
    },
    whenDurable: () => wal.whenDurable(),
    transaction(work) {
      if (depth > 0) throw appError('internal', { details: { reason: 'nested transaction' } });
      beforeWrite();
      write(() => connection.exec('BEGIN IMMEDIATE'));
      hasWritten = false;
      depth += 1;
      try {
        const result = work();
        connection.exec('COMMIT');
        return result;
      } catch (error) {
        hasWritten = false;
        // SQLite may have rolled back already (a full disk): a second ROLLBACK would hide the first error.
        if (connection.isTransaction) connection.exec('ROLLBACK');
        throw error;
      } finally {
        depth -= 1;
        noteCommit();
      }
    },
    close() {
      connection.close();
      // Closes only a descriptor: the close of the connection has checkpointed everything.
      wal.close();
    },
  };
}

/** `run` writes; `get` and `all` only read. */
function wrapStatement(
  statement: StatementSync,
  beforeWrite: () => void,
  write: <T>(effect: () => T) => T,
  onChanges: (changes: number) => void,
): Statement {
  let readsBigInts = false;
  const setReadBigInts = (wanted: boolean) => {
    if (wanted !== readsBigInts) statement.setReadBigInts(wanted);
    readsBigInts = wanted;
  };
  return {
    run(parameters) {
      beforeWrite();
      // `run` reads the last row id too, and throws when it exceeds 2^53: full-text indexes write such rows of their own.
      setReadBigInts(true);
      const changes = Number(write(() => statement.run(parameters ?? {})).changes);
      onChanges(changes);
      return { changes };
    },
    get(parameters) {
      setReadBigInts(false);
      return statement.get(parameters ?? {}) as SqlRow | undefined;
    },
    all(parameters) {
      setReadBigInts(false);
      return statement.all(parameters ?? {}) as SqlRow[];
    },
  };
}

async function loadSqlite(): Promise<SqliteModule> {
  return soundBuiltin() ?? ((await import('@photostructure/sqlite')) as unknown as SqliteModule);
}

/** Returns a name by which `require` finds the same module from any file. */
export function sqliteModule(): string {
  return soundBuiltin() === null ? createRequire(import.meta.url).resolve('@photostructure/sqlite') : 'node:sqlite';
}

function soundBuiltin(): SqliteModule | null {
  const builtin = process.getBuiltinModule?.('node:sqlite') as SqliteModule | undefined;
  return builtin && isSound(builtin) ? builtin : null;
}

/** A time of a file as the system reports it. SQLite before 3.53 shortens such numbers to 15 digits in JSON: files seem to have changed. */
const LONG_NUMBER = 1732837000123.5625;

/** Returns whether a module has a version without the faults that this program would meet. */
export function isSound({ DatabaseSync }: SqliteModule): boolean {
  const probe = new DatabaseSync(':memory:');
  try {
    const sql = 'SELECT sqlite_version() AS version, json_array($number) AS numbers';
    const row = probe.prepare(sql).get({ number: LONG_NUMBER }) as { version: string; numbers: string };
    if (!row.numbers.includes(String(LONG_NUMBER))) return false;
    const parts = row.version.split('.').map(Number);
    for (const [index, least] of OLDEST_SOUND_VERSION.entries()) {
      const part = parts[index] ?? 0;
      if (part !== least) return part > least;
    }
    return true;
  } finally {
    probe.close();
  }
}
