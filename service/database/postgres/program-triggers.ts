import { createHash } from 'node:crypto';
import type { ProgramTriggers } from '../change-notes.ts';

/** Runs one statement, in the transaction in which the triggers are replaced. */
export type Run = (sql: string, ...params: string[]) => Promise<Record<string, unknown>[]>;

/** Replaces the triggers when the database has others. Two versions that run at the same time use those of the one that started last. */
export async function replaceTriggers(run: Run, { name, prefixes, statements }: ProgramTriggers): Promise<void> {
  const key = `triggers_${name}`;
  const digest = createHash('sha256').update(statements.join('\n')).digest('base64url');
  const [held] = await run('SELECT value FROM meta WHERE key = $1', key);
  if (held?.value === digest) return;
  const like = prefixes.map((prefix) => `${prefix.replaceAll('_', '\\_')}%`);
  const found = await run(
    `SELECT CAST(oid::regprocedure AS text) AS signature FROM pg_proc
     WHERE pronamespace = current_schema()::regnamespace AND proname LIKE ANY (CAST($1 AS text[]))`,
    `{${like.map((each) => JSON.stringify(each)).join(',')}}`,
  );
  for (const { signature } of found) await run(`DROP FUNCTION ${String(signature)} CASCADE`);
  for (const statement of statements) await run(statement);
  await run(
    'INSERT INTO meta (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    key,
    digest,
  );
}
