import type { Failpoints } from '../ports/failpoints.ts';
import type { Database } from './database.ts';

/** Wraps a database: each statement that writes and each transaction is a failpoint whose name `writeName` returns. */
export function databaseWithFailpoints(database: Database, failpoints: Failpoints): Database {
  return {
    ...database,
    prepare(sql) {
      const statement = database.prepare(sql);
      const name = writeName(sql);
      if (name === null) return statement;
      return { ...statement, run: (parameters) => failpoints.run(name, () => statement.run(parameters)) };
    },
    transaction: (work) => failpoints.run('store.transaction', () => database.transaction(work)),
  };
}

/**
 * Returns `store.update.uploads` for a statement that writes to the table `uploads`; null for one that writes nothing.
 */
export function writeName(sql: string): string | null {
  const match = /^\s*(INSERT|REPLACE|UPDATE|DELETE)\b(?:\s+OR\s+\w+)?(?:\s+(?:INTO|FROM))?\s+(\w+)/i.exec(sql);
  return match === null ? null : `store.${match[1]?.toLowerCase()}.${match[2]?.toLowerCase()}`;
}

/** Returns the name of the migration to `version`. */
export function migrationName(version: number): string {
  return `store.migrate.${version}`;
}
