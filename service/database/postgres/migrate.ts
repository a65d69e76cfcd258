import type { PoolClient } from 'pg';
import { type KnownSchema, pendingSteps, READABLE_KEY } from '../schema-version.ts';
import { changeTriggers } from './change-triggers.ts';
import { type Run, replaceTriggers } from './program-triggers.ts';
import { postgresStep } from './schema.ts';

/** One process at a time changes the schema. */
const LOCK = 0x4d44_4c42;
const VERSION_KEY = 'schema_version';

/**
 * Runs `work` in a transaction, while no other process is here: it sees what the one before has done, and all of it is done or nothing.
 * Closes the connection when it fails.
 */
export async function inStepWithOthers(client: PoolClient, work: (run: Run) => Promise<void>): Promise<void> {
  const run: Run = async (sql, ...params) => (await client.query<Record<string, unknown>>(sql, params)).rows;
  let hasFailed = true;
  try {
    await run('BEGIN ISOLATION LEVEL READ COMMITTED');
    await run(`SELECT pg_advisory_xact_lock(${LOCK})`);
    await work(run);
    await run('COMMIT');
    hasFailed = false;
  } finally {
    client.release(hasFailed);
  }
}

/** Applies the pending steps of the schema, within `inStepWithOthers`. Throws when a newer program made the database and this one can't use it. */
export async function migratePostgres(run: Run, schema: KnownSchema): Promise<void> {
  const [meta] = await run(`SELECT to_regclass('meta') IS NOT NULL AS "isThere"`);
  const read = async (key: string) => {
    const [row] = meta?.isThere === 1 ? await run('SELECT value FROM meta WHERE key = $1', key) : [];
    return row === undefined ? undefined : String(row.value);
  };
  const version = Number((await read(VERSION_KEY)) ?? 0);
  const steps = pendingSteps(schema, version, await read(READABLE_KEY));
  // A newer version has made the triggers, too.
  if (steps === undefined) return;
  for (const [index, step] of steps.entries()) {
    for (const statement of postgresStep(step, version + index)) await run(statement);
  }
  if (steps.length > 0) {
    await write(run, VERSION_KEY, schema.version);
    await write(run, READABLE_KEY, schema.readableFrom);
  }
  await replaceTriggers(run, {
    name: 'changes',
    prefixes: ['send_change', 'send_items', 'subject_changed', 'item_changed_'],
    statements: changeTriggers(),
  });
}

async function write(run: Run, key: string, value: number): Promise<void> {
  await run(
    'INSERT INTO meta (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    key,
    String(value),
  );
}
