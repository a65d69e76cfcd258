import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, NO_CONFIG, readConfig } from './app/config.ts';
import { DATABASE_IN_USE } from './database/postgres/listener.ts';
import { isBusy } from './database/snapshot.ts';
import type { Store } from './database/store.ts';
import { openDatabase } from './open-database.ts';

/** The library that a command is about. Its database is in the data directory, or on the server of its configuration. */
export interface CommandLibrary {
  dataDir: string;
  config: Config;
}

/** Reads the library of a command from its options `--data` and `--config`. Throws when the configuration can't be read. */
export function commandLibrary(dataDir: string, configFile: string | undefined): CommandLibrary {
  return { dataDir, config: configFile === undefined ? NO_CONFIG : readConfig(configFile) };
}

/** The file with the database of a library, unless it is on a server. */
export const databaseFile = ({ dataDir }: CommandLibrary) => join(dataDir, 'library.sqlite');

/** Returns whether the data directory has no database, and the configuration names no server. */
export const hasNoDatabase = (library: CommandLibrary) =>
  library.config.database === undefined && !existsSync(databaseFile(library));

/**
 * Opens the database of a library; undefined while a service uses it. Processes that share a database on a server are no obstacle if the
 * configuration says that they share the content, too.
 */
export async function openUnlessInUse(library: CommandLibrary): Promise<Store | undefined> {
  try {
    return await openDatabase(databaseFile(library), library.config);
  } catch (error) {
    if (isInUse(error)) return undefined;
    throw error;
  }
}

/** Returns whether an error says that another process uses the database. */
export const isInUse = (error: unknown): boolean =>
  isBusy(error) || (error as { code?: unknown }).code === DATABASE_IN_USE;
