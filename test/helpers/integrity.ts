import { DatabaseSync } from 'node:sqlite';

/** What SQLite finds wrong with the database at `path` as it lies there, line by line: nothing when it is sound. */
export function integrityFaults(path: string): string[] {
  const database = new DatabaseSync(path);
  try {
    const rows = database.prepare('PRAGMA integrity_check').all() as { integrity_check: string }[];
    return rows.map((row) => row.integrity_check).filter((text) => text !== 'ok');
  } finally {
    database.close();
  }
}
