import { existsSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { AppError, appError, toAppError } from '../../../shared/contract/app-error.ts';
import type { Clock } from '../ports/clock.ts';
import { type Failpoints, NO_FAILPOINTS } from '../ports/failpoints.ts';
import { type Logger, silentLogger } from '../ports/logger.ts';
import { isDiskFull } from '../ports/system/disk-space.ts';
import { failDamagedRows } from './damaged-rows.ts';
import { type Database, openDatabase, SQLITE_BUSY, sqliteCodeOf } from './database.ts';
import { databaseWithFailpoints, migrationName } from './failpoint-database.ts';
import { MIGRATIONS } from './migrations.ts';
import { missingRowsNotices, noteMissingRows } from './missing-rows.ts';
import { prepareProfile } from './prepare-profile.ts';
import { makeFolderPrivate, makePrivate } from './private-files.ts';
import { createRowMark, MARKED_TABLES, type MarkedTable, withRowMark } from './row-mark.ts';
import { setAsideDatabases, setDatabaseAside, setOrphansAside } from './set-aside.ts';
import { StoreHealth, withHealth } from './store-health.ts';

export interface QueueStore {
  database: Database;
  /** Notices for the user: a damaged queue was renamed, or rows are missing. Repeated at every start while this is the case. */
  notices: AppError[];
  /** Whether writes succeed. */
  health: StoreHealth;
  close(): void;
}

export interface QueueStoreOptions {
  failpoints?: Failpoints;
  logger?: Logger;
}

const QUEUE_FILE = 'queue.db';
const MARK_FILES: Readonly<Record<MarkedTable, string>> = { uploads: 'queue.rows', edits: 'queue.edits' };
const LOCK_FILE = 'profile.lock';
/**
 * How long a write waits for a lock. Only another program (a backup, a database tool) holds such a lock; the window is blocked
 * during the wait.
 */
const BUSY_AT_WORK_MS = 250;

/** The path of a profile's queue. */
export function queueFileOf(profileDir: string): string {
  return join(profileDir, QUEUE_FILE);
}

/**
 * Locks the profile for this process and opens its queue database, with WAL and full synchronization, because recorded
 * events must survive a power cut.
 *
 * An unreadable database is renamed, never deleted, and reported in `notices` for as long as the file exists. Rows that
 * are missing without an SQLite error are reported, too. Throws `profile.in-use` when another process has the profile,
 * `profile.newer` for a newer schema, `profile.not-own` for files that are not the profile's own, `profile.disk-full` for a full disk and `profile.unwritable` when nothing can be stored.
 */
export async function openQueueStore(
  profileDir: string,
  clock: Clock,
  options: QueueStoreOptions = {},
): Promise<QueueStore> {
  const { failpoints = NO_FAILPOINTS, logger = silentLogger } = options;
  const lock = await takeProfile(profileDir);
  let opened: Database | null = null;
  try {
    const path = join(profileDir, QUEUE_FILE);
    // Called before SQLite opens the database: the files that SQLite creates beside it get the same mode.
    const exposed = [QUEUE_FILE, ...Object.values(MARK_FILES), LOCK_FILE].flatMap((name) =>
      makePrivate(join(profileDir, name)),
    );
    if (exposed.length > 0) logger.warn('store.not-private', { paths: exposed });
    const marks = MARKED_TABLES.map((table) => ({
      table,
      mark: createRowMark(join(profileDir, MARK_FILES[table])),
    }));
    setOrphansAside(path, clock.now(), failpoints);
    let database: Database;
    let isNew = false;
    try {
      database = await openAndMigrate(path, failpoints);
    } catch (error) {
      if (!isDamage(error)) throw error;
      // A check of a full disk fails like a check of a damaged database.
      if (isDiskFull(profileDir)) throw fullDisk(profileDir, error);
      logger.error('store.set-aside', { reason: toAppError(error).details?.reason });
      setDatabaseAside(path, clock.now(), failpoints);
      database = await openAndMigrate(path, failpoints);
      isNew = true;
    }
    opened = database;
    database.setBusyTimeout(BUSY_AT_WORK_MS);
    const damagedRows = failDamagedRows(database, clock.now());
    if (damagedRows > 0) logger.error('store.rows-damaged', { rows: damagedRows });
    for (const marked of marks) noteMissingRows(database, marked, { isNew, now: clock.now() });
    const health = new StoreHealth(clock);
    return {
      health,
      database: marks.reduce(
        (wrapped, marked) =>
          withRowMark(wrapped, marked, failpoints, (error) =>
            logger.warn('store.mark-not-written', { reason: toAppError(error).details?.reason }),
          ),
        withHealth(database, health),
      ),
      notices: [...setAsideNotices(path), ...missingRowsNotices(database, clock.now())],
      close() {
        health.dispose();
        database.close();
        lock.close();
      },
    };
  } catch (error) {
    // Windows moves and deletes no file that is open.
    opened?.close();
    lock.close();
    throw asProfileError(error, profileDir);
  }
}

/** Returns one notice for all renamed databases, because the user has to do the same for each. */
export function setAsideNotices(path: string): AppError[] {
  const paths = setAsideDatabases(path);
  const newest = paths.at(-1);
  return newest === undefined ? [] : [appError('profile.damaged', { details: { path: newest, paths } })];
}

async function takeProfile(profileDir: string): Promise<Database> {
  try {
    prepareProfile(profileDir);
    makeFolderPrivate(profileDir);
    return await lockProfile(profileDir);
  } catch (error) {
    throw asProfileError(error, profileDir);
  }
}

/**
 * Locks the profile, which has one owner at a time. The lock is an exclusive lock on a separate database file: the operating
 * system releases it when the process ends in any way, so there is no stale lock.
 */
async function lockProfile(profileDir: string): Promise<Database> {
  const path = join(profileDir, LOCK_FILE);
  const lock = await openDatabase(path, { busyTimeoutMs: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock.close();
    if (isDamage(error) && statSync(path).size > 0) {
      // The file contains no data. It is truncated, not removed, because another process may have it open.
      truncateSync(path);
      return lockProfile(profileDir);
    }
    if (sqliteCodeOf(error) === SQLITE_BUSY)
      throw appError('profile.in-use', { details: { profileDir }, cause: error });
    throw error;
  }
}

async function openAndMigrate(path: string, failpoints: Failpoints): Promise<Database> {
  if (existsSync(path)) await assertSound(path);
  const database = databaseWithFailpoints(await openDatabase(path), failpoints);
  try {
    database.exec('PRAGMA journal_mode = WAL; PRAGMA fullfsync = 1; PRAGMA foreign_keys = ON');
    database.setDurable(true);
    migrate(database, failpoints);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** The size of a queue of 50,000 uploads. Up to this size the complete check takes a few tenths of a second. */
const THOROUGH_BELOW_BYTES = 32 * 1024 * 1024;

/**
 * Checks without writing, because a damaged database and its write-ahead log must be kept unchanged. The quick check
 * does not compare indexes with rows, so a row could be found under a wrong key; the complete check does, after a crash
 * and whenever it is fast.
 */
async function assertSound(path: string): Promise<void> {
  const isThorough = existsSync(`${path}-wal`) || statSync(path).size < THOROUGH_BELOW_BYTES;
  const pragma = isThorough ? 'integrity_check' : 'quick_check';
  const database = await openDatabase(path, { readOnly: true });
  try {
    const verdict = database.prepare(`PRAGMA ${pragma}(1)`).get()?.[pragma];
    if (verdict !== 'ok') throw new DamagedDatabase(String(verdict));
  } finally {
    database.close();
  }
}

function migrate(database: Database, failpoints: Failpoints): void {
  const version = Number(database.prepare('PRAGMA user_version').get()?.user_version ?? 0);
  if (version > MIGRATIONS.length) {
    throw appError('profile.newer', { details: { version, known: MIGRATIONS.length } });
  }
  for (const [index, step] of MIGRATIONS.entries()) {
    if (index < version) continue;
    failpoints.run(migrationName(index + 1), () =>
      database.transaction(() => {
        database.exec(step);
        database.exec(`PRAGMA user_version = ${index + 1}`);
      }),
    );
  }
}

class DamagedDatabase extends Error {}

const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;

function isDamage(error: unknown): boolean {
  if (error instanceof DamagedDatabase) return true;
  const code = sqliteCodeOf(error);
  return code === SQLITE_CORRUPT || code === SQLITE_NOTADB;
}

/** READONLY, IOERR, FULL, CANTOPEN: SQLite's codes when the file system does not permit a write. */
const UNWRITABLE_CODES: ReadonlySet<number> = new Set([8, 10, 13, 14]);
const FULL_REASONS: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);
const UNWRITABLE_REASONS: ReadonlySet<string> = new Set([
  'EACCES',
  'ENOENT',
  'EPERM',
  'EROFS',
  'ENOSPC',
  'EDQUOT',
  'EIO',
  'ENOTDIR',
  'EEXIST',
]);

function asProfileError(error: unknown, profileDir: string): unknown {
  if (error instanceof AppError) return error;
  const sqliteCode = sqliteCodeOf(error);
  const reason = (error as NodeJS.ErrnoException | null)?.code ?? null;
  const isUnwritable =
    sqliteCode === null ? reason !== null && UNWRITABLE_REASONS.has(reason) : UNWRITABLE_CODES.has(sqliteCode);
  if (!isUnwritable) return error;
  if (FULL_REASONS.has(reason ?? '') || isDiskFull(profileDir)) return fullDisk(profileDir, error);
  const details = sqliteCode === null ? { path: profileDir, reason } : { path: profileDir, sqliteCode };
  return appError('profile.unwritable', { details, cause: error });
}

function fullDisk(path: string, cause: unknown): AppError {
  return appError('profile.disk-full', { details: { path }, cause });
}
