import { createRequire } from 'node:module';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { appError } from '../../../shared/contract/app-error.ts';
import { createPrivately } from './private-files.ts';
import { noDisk, SharedSync, walFile } from './wal-sync.ts';

/**
 * The only file that knows which SQLite is underneath: Node's own where the runtime has it and it is sound, otherwise
 * `@photostructure/sqlite`, which has the same interface as a Node-API module with prebuilt binaries.
 */

const USUAL_BUSY_TIMEOUT_MS = 5000;

/** Older versions can damage a WAL database when one connection writes while another checkpoints. */
const OLDEST_SOUND_VERSION = [3, 51, 3];

/** The name of a database that is in no file. */
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
   * Whether commits from now on wait until they are on the disk, and everything in this process with them. Without that
   * a commit survives a crash of the process, and a power cut may take back the last ones, in order; the next durable
   * commit, or `whenDurable`, makes all before it durable too.
   */
  setDurable(durable: boolean): void;
  /**
   * How long writes wait from now on for a lock of another connection, and everything in this process with them. Code that
   * met such a lock once does not wait for it again: the next writes fail at once, until one has succeeded.
   */
  setBusyTimeout(ms: number): void;
  /**
   * Resolves when every commit before this call is on the disk; nothing else waits meanwhile. Rejects with an error that
   * carries SQLite's code for a failed disk.
   */
  whenDurable(): Promise<void>;
  /** Runs `work` in one transaction: all of it or, when it throws, nothing. Not reentrant. */
  transaction<T>(work: () => T): T;
  close(): void;
}

export interface OpenOptions {
  /** How long to wait for a lock of another connection, and everything in this process with it: 5 s unless given. */
  busyTimeoutMs?: number;
  /**
   * Nothing can be written through this connection, not even the write-ahead log back into the database when it is closed, and a
   * file that is not there is not made.
   */
  readOnly?: boolean;
}

/** As much of either module as is used. */
export type SqliteModule = Pick<typeof import('node:sqlite'), 'DatabaseSync'>;

let loaded: Promise<SqliteModule> | null = null;

/**
 * Opens (and makes, for its owner alone) a database file. Throws what SQLite or the file system throws: the caller knows what
 * the file is for.
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

/** SQLite's primary result code of a thrown error (5 is BUSY, 11 CORRUPT, 26 NOTADB), null for other errors. */
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
  /** What changed nothing, or was rolled back, brought nothing to the disk: also not the lazy commits before it. */
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
  /** Told to SQLite only when something is written: most writes are of the kind that the last one was. */
  const beforeWrite = () => {
    if (isWantedDurable === isDurable || depth > 0) return;
    connection.exec(`PRAGMA synchronous = ${isWantedDurable ? 'FULL' : 'NORMAL'}`);
    isDurable = isWantedDurable;
  };
  let patienceMs = busyTimeoutMs;
  let hasTimedOut = false;
  const waitForLocks = (ms: number) => connection.exec(`PRAGMA busy_timeout = ${ms}`);
  const write = <T>(effect: () => T): T => {
    try {
      const result = effect();
      if (hasTimedOut) waitForLocks(patienceMs);
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
      patienceMs = ms;
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
        // SQLite may have rolled back by itself (a full disk): a second ROLLBACK would hide the first error.
        if (connection.isTransaction) connection.exec('ROLLBACK');
        throw error;
      } finally {
        depth -= 1;
        noteCommit();
      }
    },
    close() {
      connection.close();
      // Its descriptor only: closing the connection has brought everything into the database itself.
      wal.close();
    },
  };
}

/** Writes go through `run`; `get` and `all` only read. */
function wrapStatement(
  statement: StatementSync,
  beforeWrite: () => void,
  write: <T>(effect: () => T) => T,
  onChanges: (changes: number) => void,
): Statement {
  return {
    run(parameters) {
      beforeWrite();
      const changes = Number(write(() => statement.run(parameters ?? {})).changes);
      onChanges(changes);
      return { changes };
    },
    get: (parameters) => statement.get(parameters ?? {}) as SqlRow | undefined,
    all: (parameters) => statement.all(parameters ?? {}) as SqlRow[],
  };
}

async function loadSqlite(): Promise<SqliteModule> {
  return soundBuiltin() ?? ((await import('@photostructure/sqlite')) as unknown as SqliteModule);
}

/** What `require` finds the same module by, wherever it is called. */
export function sqliteModule(): string {
  return soundBuiltin() === null ? createRequire(import.meta.url).resolve('@photostructure/sqlite') : 'node:sqlite';
}

function soundBuiltin(): SqliteModule | null {
  const builtin = process.getBuiltinModule?.('node:sqlite') as SqliteModule | undefined;
  return builtin && isSound(builtin) ? builtin : null;
}

function isSound({ DatabaseSync }: SqliteModule): boolean {
  const probe = new DatabaseSync(':memory:');
  try {
    const row = probe.prepare('SELECT sqlite_version() AS version').get() as { version: string };
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
