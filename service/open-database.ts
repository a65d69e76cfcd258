import type { Config } from './app/config.ts';
import { openStore } from './database/database.ts';
import { checkFileNotMoved, checkNotMoved } from './database/move/mark.ts';
import { openPostgresStore } from './database/postgres/store.ts';
import type { Store } from './database/store.ts';
import { databaseUrlOf } from './site/database-settings.ts';

/**
 * Opens the database of a configuration: `file`, or one on a server. Rejects when the library is being moved, or was moved to another one. Several
 * processes can have the database on a server only if they have the same content, too.
 */
export async function openDatabase(file: string, { database, storage }: Config): Promise<Store> {
  const isShared = storage !== undefined;
  if (database === undefined) checkFileNotMoved(file);
  const store =
    database === undefined
      ? await openStore(file)
      : await openPostgresStore({
          connectionString: databaseUrlOf(database),
          connections: database.connections,
          isShared,
        });
  try {
    await checkNotMoved(store);
  } catch (error) {
    await store.close();
    throw error;
  }
  return store;
}
