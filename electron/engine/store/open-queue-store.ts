import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { type AppError, appError } from '../../../shared/contract/app-error.ts';
import type { Clock } from '../ports/clock.ts';
import { type Database, openDatabase, SQLITE_BUSY, sqliteCodeOf } from './database.ts';
import { MIGRATIONS } from './migrations.ts';

export interface QueueStore {
  database: Database;
  /** What a person should know: a damaged queue was set aside. */
  notices: AppError[];
  close(): void;
}

const QUEUE_FILE = 'queue.db';

/** Where the queue of a profile is. */
export function queueFileOf(profileDir: string): string {
  return join(profileDir, QUEUE_FILE);
}

const LOCK_FILE = 'profile.lock';

/**
 * Takes the profile for this process and opens its queue database: WAL and full synchronous writes, because what was
 * journaled must survive a power cut.
 *
 * A database that can't be read is set aside under another name, never deleted, and said so in `notices`.
 * Throws `profile.in-use` when another process has the profile, `profile.newer` for a schema of the future.
 */
export async function openQueueStore(profileDir: string, clock: Clock): Promise<QueueStore> {
  mkdirSync(profileDir, { recursive: true, mode: 0o700 });
  const lock = await lockProfile(profileDir);
  try {
    const path = join(profileDir, QUEUE_FILE);
    const notices: AppError[] = [];
    let database: Database;
    try {
      database = await openAndMigrate(path);
    } catch (error) {
      if (!isDamage(error)) throw error;
      const setAside = setDatabaseAside(path, clock.now());
      notices.push(appError('profile.damaged', { details: { path: setAside }, cause: error }));
      database = await openAndMigrate(path);
    }
    return {
      database,
      notices,
      close() {
        database.close();
        lock.close();
      },
    };
  } catch (error) {
    lock.close();
    throw error;
  }
}

/**
 * One owner per profile. The lock is an exclusive lock on a database file of its own: the operating system frees it
 * when the process dies, however it dies, so there is no stale lock to reason about.
 */
async function lockProfile(profileDir: string): Promise<Database> {
  const lock = await openDatabase(join(profileDir, LOCK_FILE), { busyTimeoutMs: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock.close();
    if (sqliteCodeOf(error) === SQLITE_BUSY)
      throw appError('profile.in-use', { details: { profileDir }, cause: error });
    throw error;
  }
}

async function openAndMigrate(path: string): Promise<Database> {
  const database = await openDatabase(path);
  try {
    database.exec('PRAGMA journal_mode = WAL; PRAGMA fullfsync = 1; PRAGMA foreign_keys = ON');
    database.setDurable(true);
    const check = database.prepare('PRAGMA quick_check(1)').get();
    if (check?.quick_check !== 'ok') throw new DamagedDatabase(String(check?.quick_check));
    migrate(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function migrate(database: Database): void {
  const version = Number(database.prepare('PRAGMA user_version').get()?.user_version ?? 0);
  if (version > MIGRATIONS.length) {
    throw appError('profile.newer', { details: { version, known: MIGRATIONS.length } });
  }
  for (const [index, step] of MIGRATIONS.entries()) {
    if (index < version) continue;
    database.transaction(() => {
      database.exec(step);
      database.exec(`PRAGMA user_version = ${index + 1}`);
    });
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

function setDatabaseAside(path: string, nowMs: number): string {
  const stamp = new Date(nowMs).toISOString().replace(/[:.]/g, '-');
  const target = `${path}.damaged-${stamp}-${randomUUID().slice(0, 8)}`;
  renameSync(path, target);
  for (const suffix of ['-wal', '-shm']) {
    try {
      renameSync(path + suffix, target + suffix);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  return target;
}
