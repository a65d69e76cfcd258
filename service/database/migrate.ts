import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { makeDatabasePrivate } from '../storage/private-file.ts';
import { renameFileNow } from '../storage/replace-file.ts';
import { EPOCH_KEY, readMeta, writeMeta } from './meta.ts';
import { READABLE_FROM, SCHEMA_VERSION, schemaSteps } from './schema.ts';
import { renewRestored } from './snapshot.ts';
import type { Store } from './store.ts';

/** The row of `meta` with the lowest version of the schema whose programs can use the database. */
const READABLE_KEY = 'schema_readable_from';

/** The schema that a program knows. */
interface KnownSchema {
  version: number;
  /** What brings a database of version 0 to this one. */
  steps: readonly string[];
  readableFrom: number;
}

const OWN: KnownSchema = {
  version: SCHEMA_VERSION,
  steps: schemaSteps(SCHEMA_VERSION),
  readableFrom: READABLE_FROM,
};

/**
 * Applies the pending steps, all in one transaction, so that a database has either schema, whatever happens meanwhile. `keepCopy` is
 * called first, with the version that the database has, unless it is new. Throws when a newer program made the database and this one
 * can't use it.
 */
export function migrate(
  store: Pick<Store, 'get' | 'run' | 'transaction'>,
  exec: (sql: string) => void,
  keepCopy: (version: number) => void,
  schema: KnownSchema = OWN,
): void {
  const taken = store.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0;
  if (taken === schema.version) return;
  if (taken > schema.version) {
    const readableFrom = Number(readMeta(store, READABLE_KEY) ?? taken);
    if (readableFrom <= schema.version) return;
    throw new Error(
      `A newer version has written the data directory (schema ${taken}; this version can use ${schema.version}). ` +
        'Install the newer version again, or restore a backup that was made before its first start.',
    );
  }
  if (taken > 0) keepCopy(taken);
  store.transaction(() => {
    for (const step of schema.steps.slice(taken)) exec(step);
    writeMeta(store, READABLE_KEY, String(schema.readableFrom));
    exec(`PRAGMA user_version = ${schema.version}`);
  });
}

/**
 * Keeps a copy of a database beside it before its schema changes, as `library.sqlite.schema-N`, in place of earlier such copies. It is
 * a restored library: with another epoch, and without sign-ins. `copyTo` writes a copy to an empty file.
 */
export function keepBeforeMigration(file: string, version: number, copyTo: (path: string) => void): void {
  const kept = `${file}.schema-${version}`;
  const made = `${kept}.new`;
  try {
    rmSync(made, { force: true });
    makeDatabasePrivate(made);
    copyTo(made);
    renewRestored(made, EPOCH_KEY, randomBytes(12).toString('base64url'));
    syncNow(made);
    renameFileNow(made, kept);
  } catch (cause) {
    rmSync(made, { force: true });
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`The database could not be copied before its upgrade, and was not changed: ${reason}`, { cause });
  }
  for (const name of readdirSync(dirname(file))) {
    const isEarlier = name.startsWith(`${basename(file)}.schema-`) && name !== basename(kept);
    if (isEarlier) rmSync(join(dirname(file), name));
  }
}

function syncNow(file: string): void {
  const fd = openSync(file, 'r+');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
