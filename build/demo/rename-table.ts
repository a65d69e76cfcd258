import { DatabaseSync } from 'node:sqlite';

/**
 * Renames a table of a database that a running app has open, so that the app's next read of it fails as in a damaged file.
 * Returns a function that restores the name of the table.
 */
export function renameTable(databasePath: string, table: string): () => void {
  const rename = (from: string, to: string) => {
    const database = new DatabaseSync(databasePath, { timeout: 5_000 });
    try {
      // Views, triggers and foreign keys keep the old name.
      database.exec(`PRAGMA legacy_alter_table = ON; ALTER TABLE "${from}" RENAME TO "${to}"`);
    } finally {
      database.close();
    }
  };
  rename(table, `${table}_renamed`);
  return () => rename(`${table}_renamed`, table);
}
