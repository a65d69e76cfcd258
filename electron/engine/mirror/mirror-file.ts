import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Failpoints } from '../ports/failpoints.ts';
import { whileHeldNow } from '../ports/system/rename-file.ts';
import { type Database, openDatabase, sqliteCodeOf } from '../store/database.ts';
import { databaseWithFailpoints } from '../store/failpoint-database.ts';
import { makePrivate } from '../store/private-files.ts';
import { MIRROR_MIGRATIONS } from './mirror-schema.ts';

/** Each removal of a mirror's files is a failpoint with this name. */
export const MIRROR_REMOVED = 'mirror.remove';

const SUFFIX = '.sqlite';
/** In the order of removal. The database itself comes last: after a crash during the removal, it is still found and removed. */
const FILES = ['-wal', '-shm', ''];
const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;
/** SQL logic errors: a table of the schema is missing. */
const SQLITE_ERROR = 1;

/** The folder of a profile's mirrors: one file for each account. */
export class MirrorFolder {
  readonly #dir: string;
  readonly #failpoints: Failpoints;

  constructor(profileDir: string, failpoints: Failpoints) {
    this.#dir = join(profileDir, 'mirror');
    this.#failpoints = failpoints;
  }

  path(siteId: string): string {
    // Ids are UUIDs of this profile; any other text must not lead to a path outside of the folder.
    return join(this.#dir, `${encodeURIComponent(siteId).replaceAll('.', '%2E')}${SUFFIX}`);
  }

  has(siteId: string): boolean {
    return existsSync(this.path(siteId));
  }

  /** Opens the mirror of an account; creates the file if necessary. Throws SQLite's errors, `NewerMirror` and `EmptyMirror`. */
  async open(siteId: string): Promise<Database> {
    mkdirSync(this.#dir, { recursive: true, mode: 0o700 });
    const path = this.path(siteId);
    if (existsSync(path)) {
      if (statSync(path).size === 0) throw new EmptyMirror(path);
      makePrivate(path);
    }
    const database = databaseWithFailpoints(await openDatabase(path), this.#failpoints);
    try {
      // A checkpoint by this connection blocks the thread, so a first sync runs checkpoints in another thread before.
      database.exec('PRAGMA journal_mode = WAL; PRAGMA cache_size = -16000; PRAGMA wal_autocheckpoint = 32000');
      // A power cut may undo the last commits: they are read from the library again.
      database.setDurable(false);
      migrate(database);
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  }

  /** Removes the mirror of an account. Its database must be closed. */
  remove(siteId: string): void {
    const path = this.path(siteId);
    for (const suffix of FILES) {
      if (existsSync(path + suffix)) this.#failpoints.run(MIRROR_REMOVED, () => removeNow(path + suffix));
    }
  }

  /** Removes the mirrors of all accounts that are not in `wanted`, including mirrors that remained after a crash. */
  removeOthers(wanted: readonly string[]): void {
    if (!existsSync(this.#dir)) return;
    const paths = new Set(wanted.map((siteId) => this.path(siteId)));
    for (const name of readdirSync(this.#dir)) {
      const path = join(this.#dir, name);
      const main = path.replace(/-(?:wal|shm)$/, '');
      if (main.endsWith(SUFFIX) && !paths.has(main)) {
        this.#failpoints.run(MIRROR_REMOVED, () => removeNow(path));
      }
    }
  }
}

function removeNow(path: string): void {
  whileHeldNow(() => rmSync(path, { force: true }));
}

/** The file was written by a newer version of the program. */
class NewerMirror extends Error {}

/** The file lost its contents. SQLite would treat it as a new database without a notice. */
class EmptyMirror extends Error {}

/** Returns whether an error means that the file can't be used and must be created again. */
export function isMirrorDamage(error: unknown): boolean {
  if (error instanceof NewerMirror || error instanceof EmptyMirror) return true;
  const code = sqliteCodeOf(error);
  return code === SQLITE_CORRUPT || code === SQLITE_NOTADB || code === SQLITE_ERROR;
}

function migrate(database: Database): void {
  const version = Number(database.prepare('PRAGMA user_version').get()?.user_version ?? 0);
  if (version > MIRROR_MIGRATIONS.length) throw new NewerMirror(`schema ${version}`);
  for (const [index, step] of MIRROR_MIGRATIONS.entries()) {
    if (index < version) continue;
    database.transaction(() => {
      step(database);
      database.exec(`PRAGMA user_version = ${index + 1}`);
    });
  }
}
