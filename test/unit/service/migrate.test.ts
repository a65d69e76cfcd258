import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { migrate } from '../../../service/database/migrate.ts';

const META = 'CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)';
const BROKEN = 'CREATE TABLE c (x); INSERT INTO nowhere VALUES (1)';

/** A database in memory, and a program that knows some steps. */
function database() {
  const db = new DatabaseSync(':memory:');
  const copies: number[] = [];
  return {
    db,
    copies,
    open: (steps: readonly string[], readableFrom = steps.length) =>
      migrate(
        {
          get: async <Row>(sql: string, ...params: []) => db.prepare(sql).get(...params) as Row | undefined,
          async run(sql, ...params) {
            db.prepare(sql).run(...params);
            return { changes: 1, id: 0 };
          },
          async transaction(work) {
            db.exec('BEGIN');
            try {
              const result = await work();
              db.exec('COMMIT');
              return result;
            } catch (error) {
              db.exec('ROLLBACK');
              throw error;
            }
          },
        },
        (sql) => db.exec(sql),
        (version) => void copies.push(version),
        { version: steps.length, steps, readableFrom },
      ),
    version: () => db.prepare('PRAGMA user_version').get()?.user_version,
    tables: () =>
      db
        .prepare('SELECT name FROM sqlite_schema WHERE sql IS NOT NULL')
        .all()
        .map(({ name }) => name),
  };
}

test('steps are applied all or none: after one that fails, the next start applies them from the same schema', async () => {
  const { open, version, tables, copies } = database();
  await open([META]);
  await expect(open([META, 'CREATE TABLE b (x)', BROKEN])).rejects.toThrow('nowhere');
  expect([version(), tables()]).toEqual([1, ['meta']]);
  await open([META, 'CREATE TABLE b (x)', 'CREATE TABLE c (x)']);
  expect([version(), tables()]).toEqual([3, ['meta', 'b', 'c']]);
  expect(copies).toEqual([1, 1]);
});

test('a new database and one that has the schema are not copied', async () => {
  const { open, copies } = database();
  await open([META, 'CREATE TABLE b (x)']);
  await open([META, 'CREATE TABLE b (x)']);
  expect(copies).toEqual([]);
});

test('a database is refused by programs below the lowest version that it names, and only by those', async () => {
  const { open, version } = database();
  const steps = [META, 'CREATE TABLE b (x)', 'CREATE TABLE c (x)', 'CREATE TABLE d (x)'];
  await open(steps, 2);
  for (const known of [2, 3, 4]) await open(steps.slice(0, known));
  await expect(open(steps.slice(0, 1))).rejects.toThrow('schema 4; this version can use 1');
  expect(version()).toBe(4);
});

test('a database whose lowest version is not named is refused by every earlier program', async () => {
  const { db, open } = database();
  const steps = [META, 'CREATE TABLE b (x)'];
  await open(steps, 1);
  db.exec('DELETE FROM meta');
  await expect(open(steps.slice(0, 1))).rejects.toThrow('schema 2');
});
