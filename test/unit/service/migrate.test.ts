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
          get: <Row>(sql: string, ...params: []) => db.prepare(sql).get(...params) as Row | undefined,
          run(sql, ...params) {
            db.prepare(sql).run(...params);
            return { changes: 1, id: 0 };
          },
          transaction(work) {
            db.exec('BEGIN');
            try {
              const result = work();
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

test('steps are applied all or none: after one that fails, the next start applies them from the same schema', () => {
  const { open, version, tables, copies } = database();
  open([META]);
  expect(() => open([META, 'CREATE TABLE b (x)', BROKEN])).toThrow('nowhere');
  expect([version(), tables()]).toEqual([1, ['meta']]);
  open([META, 'CREATE TABLE b (x)', 'CREATE TABLE c (x)']);
  expect([version(), tables()]).toEqual([3, ['meta', 'b', 'c']]);
  expect(copies).toEqual([1, 1]);
});

test('a new database and one that has the schema are not copied', () => {
  const { open, copies } = database();
  open([META, 'CREATE TABLE b (x)']);
  open([META, 'CREATE TABLE b (x)']);
  expect(copies).toEqual([]);
});

test('a database is refused by programs below the lowest version that it names, and only by those', () => {
  const { open, version } = database();
  const steps = [META, 'CREATE TABLE b (x)', 'CREATE TABLE c (x)', 'CREATE TABLE d (x)'];
  open(steps, 2);
  for (const known of [2, 3, 4]) open(steps.slice(0, known));
  expect(() => open(steps.slice(0, 1))).toThrow('schema 4; this version can use 1');
  expect(version()).toBe(4);
});

test('a database whose lowest version is not named is refused by every earlier program', () => {
  const { db, open } = database();
  const steps = [META, 'CREATE TABLE b (x)'];
  open(steps, 1);
  db.exec('DELETE FROM meta');
  expect(() => open(steps.slice(0, 1))).toThrow('schema 2');
});
