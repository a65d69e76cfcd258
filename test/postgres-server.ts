// Runs once before the tests (`globalSetup` in vitest.config.ts): with `MEDIADESK_TEST_DATABASE=postgres`, starts a server of PostgreSQL for
// their libraries, and ends it after them.
import { openPostgresStore } from '../service/database/postgres/store.ts';
import { startPostgres } from './helpers/service/postgres.ts';
import { TEMPLATE, TEST_DATABASE } from './helpers/service/test-database.ts';

export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env[TEST_DATABASE] !== 'postgres') return undefined;
  const server = await startPostgres();
  const connectionString = await server.create(TEMPLATE);
  const store = await openPostgresStore({ connectionString, isShared: true });
  await store.close();
  process.env[TEST_DATABASE] = connectionString.slice(0, -`/${TEMPLATE}`.length);
  return () => server.stop();
}
