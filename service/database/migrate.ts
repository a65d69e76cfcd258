import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { makeDatabasePrivate } from '../storage/private-file.ts';
import { renameFileNow } from '../storage/replace-file.ts';
import { EPOCH_KEY, readMeta, writeMeta } from './meta.ts';
import { OWN_SCHEMA } from './schema.ts';
import { type KnownSchema, pendingSteps, READABLE_KEY } from './schema-version.ts';
import { renewRestored } from './snapshot.ts';
import type { Store } from './store.ts';

/**
 * Applies the pending steps, all in one transaction, so that a database has either schema, whatever happens meanwhile. `keepCopy` is
 * called first, with the version that the database has, unless it is new. Throws when a newer program made the database and this one
 * can't use it.
 */
export async function migrate(
  store: Pick<Store, 'get' | 'run' | 'transaction'>,
  exec: (sql: string) => void,
  keepCopy: (version: number) => void,
  schema: KnownSchema = OWN_SCHEMA,
): Promise<void> {
  const taken = (await store.get<{ user_version: number }>('PRAGMA user_version'))?.user_version ?? 0;
  if (taken === schema.version) return;
  const steps = pendingSteps(schema, taken, taken === 0 ? undefined : await readMeta(store, READABLE_KEY));
  if (steps === undefined) return;
  if (taken > 0) keepCopy(taken);
  await store.transaction(async () => {
    for (const step of steps) exec(step);
    await writeMeta(store, READABLE_KEY, String(schema.readableFrom));
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
