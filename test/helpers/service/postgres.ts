// A private server of PostgreSQL in a folder of its own, for tests. It runs as an unprivileged user, and ends with its test file.
import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';

/** Where Debian and its relatives have the programs, one folder for each version. */
const VERSIONS = '/usr/lib/postgresql';
/** The user and group `nobody`: the server refuses to run as root. */
const NOBODY = 65_534;
const USER = 'library';

/** Returns the folder with `initdb` and `postgres`; undefined when PostgreSQL is not installed. */
export function postgresPrograms(): string | undefined {
  if (!existsSync(VERSIONS)) return undefined;
  const versions = readdirSync(VERSIONS).sort((a, b) => Number(b) - Number(a));
  return versions.map((version) => join(VERSIONS, version, 'bin')).find((bin) => existsSync(join(bin, 'initdb')));
}

export interface PostgresServer {
  /** The connection string of a database. */
  address(database: string): string;
  /** Creates an empty database, with the sort order of a language unlike that of C, and returns its connection string. */
  create(name?: string): Promise<string>;
  /** Ends the server at once, as a power failure does to its processes. */
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** `kept`: a folder that stays at the end, and may have a server of an earlier run; omitted: a new one that does not. */
export async function startPostgres(kept?: string): Promise<PostgresServer> {
  const bin = postgresPrograms();
  if (bin === undefined) throw new Error('PostgreSQL is not installed.');
  const folder = kept ?? mkdtempSync(join(tmpdir(), 'library-postgres-'));
  const data = join(folder, 'data');
  const isNew = !existsSync(join(data, 'PG_VERSION'));
  mkdirSync(data, { mode: 0o700, recursive: true });
  const owner = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  if (owner.uid !== undefined) for (const each of [folder, data]) chownSync(each, NOBODY, NOBODY);
  const made = !isNew
    ? { status: 0, stderr: '' }
    : spawnSync(
        join(bin, 'initdb'),
        ['-D', data, '-U', USER, '--auth=trust', '--locale=C.UTF-8', '-E', 'UTF8', '--no-sync'],
        { ...owner, cwd: folder, encoding: 'utf8' },
      );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  const port = await freePort();
  // The last line of the file counts.
  appendFileSync(
    join(data, 'postgresql.conf'),
    `listen_addresses = '127.0.0.1'\nport = ${port}\nunix_socket_directories = ''\nmax_connections = 200\n`,
  );
  const address = (database: string) => `postgresql://${USER}@127.0.0.1:${port}/${database}`;
  let server: ReturnType<typeof spawn> | undefined;
  let databases = 0;

  async function start(): Promise<void> {
    server = spawn(join(bin ?? '', 'postgres'), ['-D', data], { ...owner, cwd: folder, stdio: 'ignore' });
    while (server.exitCode === null && !(await answers(address('postgres')))) {
      // Each question waits for its answer.
    }
    if (server.exitCode !== null) throw new Error(`The server ended with code ${server.exitCode}.`);
  }

  async function end(signal: 'SIGQUIT' | 'SIGINT' | 'SIGKILL'): Promise<void> {
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const ended = new Promise((resolve) => server?.once('exit', resolve));
    server.kill(signal);
    await ended;
  }

  await start();
  return {
    address,
    async create(given) {
      databases += 1;
      const name = given ?? `library${databases}`;
      const client = new Client({ connectionString: address('postgres') });
      await client.connect();
      await client.query(
        `CREATE DATABASE ${name} TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'de' LOCALE 'C.UTF-8'`,
      );
      await client.end();
      return address(name);
    },
    // An immediate end: without a checkpoint, but no process of it is left.
    kill: () => end('SIGQUIT'),
    start,
    async stop() {
      await end('SIGINT');
      if (kept === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Connects to a database; the caller ends the connection. */
export async function connectTo(connectionString: string): Promise<Client> {
  const client = new Client({ connectionString });
  await client.connect();
  return client;
}

/** Runs a statement on a connection of its own, and returns its rows. */
export async function ask<Row>(connectionString: string, sql: string): Promise<Row[]> {
  const client = await connectTo(connectionString);
  try {
    return (await client.query(sql)).rows as Row[];
  } finally {
    await client.end();
  }
}

async function answers(connectionString: string): Promise<boolean> {
  const client = new Client({ connectionString });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
