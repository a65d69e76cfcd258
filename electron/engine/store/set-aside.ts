import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Failpoints } from '../ports/failpoints.ts';

/** What SQLite keeps beside a database file. The first holds the last commits. */
const COMPANIONS = ['-wal', '-shm'] as const;

/** Each rename is a failpoint of this name. */
export const SET_ASIDE = 'store.set-aside';

/** Gives a database and what lies beside it another name. The database goes first: from then on it counts as set aside. */
export function setDatabaseAside(path: string, nowMs: number, failpoints: Failpoints): void {
  const target = freeName(path, nowMs);
  failpoints.run(SET_ASIDE, () => renameSync(path, target));
  moveCompanions(path, target, failpoints);
}

/**
 * Ends what a crash interrupted. The last commits of a database that is not there are useless: SQLite would throw them
 * away as soon as it makes a new database of that name.
 */
export function setOrphansAside(path: string, nowMs: number, failpoints: Failpoints): void {
  if (existsSync(path) || !existsSync(`${path}-wal`)) return;
  const interrupted = setAsideDatabases(path).findLast((name) => existsSync(name) && !existsSync(`${name}-wal`));
  moveCompanions(path, interrupted ?? freeName(path, nowMs), failpoints);
}

/** Paths of the databases that were set aside, oldest first. A database with only its last commits left counts too. */
export function setAsideDatabases(path: string): string[] {
  const prefix = `${basename(path)}.damaged-`;
  const names = readdirSync(dirname(path))
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.replace(/-(wal|shm)$/, ''));
  return [...new Set(names)].sort().map((name) => join(dirname(path), name));
}

function freeName(path: string, nowMs: number): string {
  const stamp = new Date(nowMs).toISOString().replace(/[:.]/g, '-');
  return `${path}.damaged-${stamp}-${randomUUID().slice(0, 8)}`;
}

function moveCompanions(path: string, target: string, failpoints: Failpoints): void {
  for (const suffix of COMPANIONS) {
    if (existsSync(path + suffix)) failpoints.run(SET_ASIDE, () => renameSync(path + suffix, target + suffix));
  }
}
