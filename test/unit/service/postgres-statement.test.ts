import { expect, test } from 'vitest';
import { postgresStep } from '../../../service/database/postgres/schema.ts';
import { toPostgres } from '../../../service/database/postgres/statement.ts';
import { SCHEMA_VERSION, schemaSteps } from '../../../service/database/schema.ts';

test('parameters are numbered, and nothing in quotes or comments is changed', () => {
  expect(toPostgres(`SELECT '?', "a?", 'it''s ?' FROM t -- ?\nWHERE a = ? AND b IN (?, ?)`)).toBe(
    `SELECT '?', "a?", 'it''s ?' FROM t -- ?\nWHERE a = $1 AND b IN ($2, $3)`,
  );
});

test('what ignores the case of letters calls a function, for columns and parameters', () => {
  expect(
    toPostgres(
      'SELECT 1 FROM users u WHERE u.email COLLATE NOCASE = ? COLLATE NOCASE ORDER BY name COLLATE NOCASE, id',
    ),
  ).toBe('SELECT 1 FROM users u WHERE nocase(u.email) = nocase($1) ORDER BY nocase(name), id');
});

test('bytes are written as PostgreSQL has them', () => {
  expect(toPostgres(`substr(?, m.id, 1) = x'01' OR max'1'`)).toBe(`substr($1, m.id, 1) = '\\x01'::bytea OR max'1'`);
});

test('each step of the schema is known for PostgreSQL, with its triggers', () => {
  const statements = schemaSteps(SCHEMA_VERSION).flatMap(postgresStep);
  const sqlite = schemaSteps(SCHEMA_VERSION).join('\n');
  const names = (text: string, what: RegExp) => [...text.matchAll(what)].map(([, name]) => name).sort();
  const tables = /CREATE (?:VIRTUAL )?TABLE (\w+)/g;
  expect(names(statements.join('\n'), tables)).toEqual(names(sqlite, tables));
  // Only SQLite replaces rows; only PostgreSQL counts apart from the ids that are given.
  const triggers = /CREATE TRIGGER (\w+)/g;
  expect(names(statements.join('\n'), triggers).filter((name) => name !== 'collections_after_root')).toEqual(
    names(sqlite, triggers).filter((name) => name !== 'audit_not_replaced'),
  );
  expect(statements.join('\n')).not.toMatch(/AUTOINCREMENT|WITHOUT ROWID|NOCASE|\bINTEGER\b/);
});
