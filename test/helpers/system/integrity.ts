import { DatabaseSync } from 'node:sqlite';

/** Returns the errors that SQLite finds in the database file at `path`, line by line; empty when it is intact. */
export function integrityFaults(path: string): string[] {
  const database = new DatabaseSync(path);
  try {
    const rows = database.prepare('PRAGMA integrity_check').all() as { integrity_check: string }[];
    return rows.map((row) => row.integrity_check).filter((text) => text !== 'ok');
  } finally {
    database.close();
  }
}
