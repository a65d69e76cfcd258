import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Config, readConfig } from './app/config.ts';
import { isInUse } from './command-database.ts';
import { fail } from './command-line.ts';
import { openStore } from './database/database.ts';
import { readMeta, writeMeta } from './database/meta.ts';
import { movedDatabase, readMark } from './database/move/mark.ts';
import { type MoveLibraryReport, moveLibrary } from './database/move/move-library.ts';
import { SIGNING_KEY } from './database/move/rows.ts';
import { openPostgresStore } from './database/postgres/store.ts';
import type { Store } from './database/store.ts';
import { openDataDir, replaceSigningKey } from './site/data-dir.ts';
import { type DatabaseConfig, databaseUrlOf } from './site/database-settings.ts';
import { printFailure, printLine, printRecord } from './site/standard-output.ts';
import { MoveError } from './storage/move-error.ts';
import { renameFileNow } from './storage/replace-file.ts';

interface Arguments {
  dataDir: string;
  /** `server`: from the data directory to the server of the configuration. */
  to: 'server' | 'file';
  config: Config & { database: DatabaseConfig };
  isJson: boolean;
}

/**
 * Moves the database of a library from its data directory to a server, or back. Returns the exit code: 0 when it was moved; 1 for a problem;
 * 2 for wrong usage (which ends the process). `command`: how the user started it.
 */
export async function runMoveDatabase(command: string, args: readonly string[]): Promise<number> {
  const given = readArguments(`Usage: ${command} --data DIR --to FILE|--from FILE [--json]`, args);
  try {
    const report = await move(given);
    if (given.isJson) printRecord({ state: 'moved', ...report });
    else printReport(given, report);
    return 0;
  } catch (error) {
    printFailure(error, given.isJson);
    return 1;
  }
}

function readArguments(usage: string, args: readonly string[]): Arguments {
  const text = { type: 'string' } as const;
  const options = { data: text, from: text, to: text, json: { type: 'boolean' }, quiet: { type: 'boolean' } } as const;
  try {
    const { data, from, to, json } = parseArgs({ args: [...args], options }).values;
    const file = to ?? from;
    if (!data || !file || (to !== undefined && from !== undefined)) {
      return fail(usage, '--data and either --to or --from are required.');
    }
    const { database, ...config } = readConfig(file);
    if (database === undefined) throw new Error(`The configuration ${file} has no section “database”.`);
    const direction = to === undefined ? 'file' : 'server';
    return { dataDir: data, to: direction, config: { ...config, database }, isJson: json === true };
  } catch (error) {
    return fail(usage, (error as Error).message);
  }
}

async function move({ dataDir, to, config, isJson }: Arguments): Promise<MoveLibraryReport> {
  const file = join(dataDir, 'library.sqlite');
  if (!existsSync(to === 'server' ? file : dataDir)) {
    throw new MoveError('move.no-library', `There is no library in ${dataDir}.`);
  }
  const { signingKey } = openDataDir(dataDir);
  const opened: Store[] = [];
  const open = async (store: Promise<Store>) => {
    opened.push(await whenIdle(store));
    return opened.at(-1) as Store;
  };
  try {
    const server = await open(openPostgresStore({ connectionString: databaseUrlOf(config.database), isShared: false }));
    if (to === 'file' && existsSync(file)) await setAside(await whenIdle(openStore(file)), file);
    const local = await open(openStore(file));
    return await moveLibrary({
      ...(to === 'server' ? { source: local, target: server } : { source: server, target: local }),
      async onCompared() {
        if (to === 'server') return writeMeta(server, SIGNING_KEY, signingKey.toString('base64url'));
        // A service with a database of its own used the key of the data directory there, too.
        const shared = config.storage === undefined ? undefined : await readMeta(server, SIGNING_KEY);
        if (shared !== undefined) replaceSigningKey(dataDir, shared);
      },
      onStep({ kind, table }) {
        if (!isJson && kind === 'copy') printLine(`${table.name} is copied.`);
      },
    });
  } finally {
    const [server, local] = opened;
    if (local !== undefined) await setAside(local, file);
    await server?.close();
  }
}

/** Rejects with `MoveError` when another process uses the database. */
async function whenIdle(store: Promise<Store>): Promise<Store> {
  try {
    return await store;
  } catch (error) {
    if (!isInUse(error)) throw error;
    throw new MoveError(
      'move.in-use',
      'Another process uses the database. Stop the service, and run the command again.',
    );
  }
}

/**
 * Closes the database of a data directory, and gives the file another name when the library was moved from it: commands for the running service
 * would read it, and a library that comes back needs its place.
 */
async function setAside(store: Store, file: string): Promise<void> {
  let isMoved = false;
  try {
    isMoved = (await readMark(store))?.state === 'moved';
  } finally {
    await store.close();
  }
  if (isMoved) renameFileNow(file, movedDatabase(file));
}

function printReport({ to }: Arguments, { tables, rows, copied }: MoveLibraryReport): void {
  printLine(`Compared: ${rows} rows in ${tables} tables are the same in both. Copied now: ${copied}.`);
  printLine(
    to === 'server'
      ? 'The library is in PostgreSQL now. Start the service with this configuration. Keep library.sqlite.moved in the data folder: because of it, the service refuses to start without the configuration.'
      : 'The library is in its data folder now. Start the service without the section “database”. The database on the server can be deleted.',
  );
}
