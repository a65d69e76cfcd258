// With `MEDIADESK_TEST_DATABASE=postgres`, every service that tests start has its library in PostgreSQL, each in a database of its own.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { openStore } from '../../../service/database/database.ts';
import { openPostgresStore } from '../../../service/database/postgres/store.ts';
import type { Store } from '../../../service/database/store.ts';

/** `postgres`, and for the tests themselves the address of the server, without a database. */
export const TEST_DATABASE = 'MEDIADESK_TEST_DATABASE';

/** The database with the schema, from which others are made. */
export const TEMPLATE = 'library_template';

/** Whether libraries are on a server: tests about the file of a database are skipped then. */
export const IS_ON_SERVER = process.env[TEST_DATABASE] !== undefined;

/** Returns the address of the database for a data directory, made when there is none; undefined when libraries are in files. */
async function databaseFor(dataDir: string): Promise<string | undefined> {
  const server = process.env[TEST_DATABASE];
  if (server === undefined) return undefined;
  const name = `library_${createHash('sha256').update(dataDir).digest('hex').slice(0, 20)}`;
  const client = new Client({ connectionString: `${server}/postgres` });
  await client.connect();
  try {
    const { rows } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (rows.length === 0) await client.query(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`);
  } finally {
    await client.end();
  }
  return `${server}/${name}`;
}

/** Returns everything that the database of a running service contains: the bytes of its files, or the rows of all tables as text. */
export async function databaseContent(dataDir: string): Promise<Buffer> {
  const connectionString = await databaseFor(dataDir.replace(/\/+$/, ''));
  if (connectionString === undefined) {
    return Buffer.concat(['library.sqlite', 'library.sqlite-wal'].map((name) => readFileSync(join(dataDir, name))));
  }
  const client = new Client({ connectionString });
  await client.connect();
  try {
    const { rows: tables } = await client.query(`SELECT tablename FROM pg_tables WHERE schemaname = 'public'`);
    const texts: string[] = [];
    for (const { tablename } of tables) {
      const { rows } = await client.query(`SELECT t::text AS row FROM "${tablename}" t`);
      texts.push(...rows.map(({ row }) => row as string));
    }
    if (texts.length === 0) throw new Error('The database has no rows.');
    return Buffer.from(texts.join('\n'));
  } finally {
    await client.end();
  }
}

/** Opens the database of a service that does not run, and closes it after the work. */
export async function withDatabaseOf<T>(dataDir: string, work: (store: Store) => Promise<T>): Promise<T> {
  const connectionString = await databaseFor(dataDir.replace(/\/+$/, ''));
  const store =
    connectionString === undefined
      ? await openStore(join(dataDir, 'library.sqlite'))
      : await openPostgresStore({ connectionString, isShared: false });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Writes the section `database` of a configuration for a data directory, with its address in a file beside it; undefined: it has none. */
export async function databaseSection(dataDir: string): Promise<{ database?: object }> {
  const url = await databaseFor(dataDir);
  if (url === undefined) return {};
  writeFileSync(`${dataDir}-database`, url, { mode: 0o600 });
  return { database: { url_file: `${dataDir}-database`, connections: 4 } };
}

/** The options of a command with which it finds the database of a library. */
export async function databaseOptions(dataDir: string): Promise<string[]> {
  const section = await databaseSection(dataDir.replace(/\/+$/, ''));
  if (section.database === undefined) return [];
  const file = `${dataDir}-command.json`;
  writeFileSync(file, JSON.stringify(section));
  return ['--config', file];
}
