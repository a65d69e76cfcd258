import { type Database, openDatabase } from '../../../electron/engine/store/database.ts';
import { MIGRATIONS } from '../../../electron/engine/store/migrations.ts';

/** An empty database of a profile, in memory. */
export async function emptyDatabase(): Promise<Database> {
  const database = await openDatabase(':memory:');
  for (const step of MIGRATIONS) database.exec(step);
  return database;
}
