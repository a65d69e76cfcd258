import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Failpoints } from '../ports/failpoints.ts';
import { renameFileNow } from '../ports/system/rename-file.ts';

/** The files that SQLite keeps beside a database. The first contains the last commits. */
const COMPANIONS = ['-wal', '-shm'] as const;

/** Each rename is a failpoint with this name. */
export const SET_ASIDE = 'store.set-aside';

/** Renames a database and its companion files. The database comes first: after that it counts as renamed. */
export function setDatabaseAside(path: string, nowMs: number, failpoints: Failpoints): void {
  const target = freeName(path, nowMs);
  failpoints.run(SET_ASIDE, () => renameFileNow(path, target));
  moveCompanions(path, target, failpoints);
}

/**
 * Completes a rename that a crash interrupted. The last commits without their database would be lost: SQLite deletes
 * them when it creates a new database with that name.
 */
export function setOrphansAside(path: string, nowMs: number, failpoints: Failpoints): void {
  if (existsSync(path) || !existsSync(`${path}-wal`)) return;
  const interrupted = setAsideDatabases(path).findLast((name) => existsSync(name) && !existsSync(`${name}-wal`));
  moveCompanions(path, interrupted ?? freeName(path, nowMs), failpoints);
}

/** Returns the paths of the renamed databases, oldest first. A database of which only the last commits remain counts, too. */
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
    if (existsSync(path + suffix)) failpoints.run(SET_ASIDE, () => renameFileNow(path + suffix, target + suffix));
  }
}
