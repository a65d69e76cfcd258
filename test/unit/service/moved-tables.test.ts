import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { stepsOf } from '../../../service/database/move/copy-rows.ts';
import { movedTables } from '../../../service/database/move/tables.ts';
import { SCHEMA_VERSION, schemaSteps } from '../../../service/database/schema.ts';

const db = new DatabaseSync(':memory:');
for (const step of schemaSteps(SCHEMA_VERSION)) db.exec(step);
const tables = movedTables();

test('every table of the schema is moved, but the index', () => {
  const all = db.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).all();
  const names = all.map(({ name }) => String(name)).filter((name) => !/^(?:sqlite_|media_text)/.test(name));
  expect(tables.map(({ name }) => name).sort()).toEqual(names.sort());
  const copied = stepsOf(tables).filter(({ kind }) => kind === 'copy');
  expect(copied.map(({ table }) => table.name).sort()).toEqual(names);
});

test('a table is moved behind those that its rows refer to', () => {
  const before = new Set<string>();
  for (const { name } of tables) {
    before.add(name);
    const parents = db.prepare(`SELECT "table" AS parent FROM pragma_foreign_key_list('${name}')`).all();
    for (const { parent } of parents) expect(before).toContain(parent);
  }
});

test('every table has a primary key by which its rows are read, and null can stand for a row of itself', () => {
  for (const { name, key, columns } of tables) {
    expect(key.length, name).toBeGreaterThan(0);
    const required = db.prepare(`SELECT name FROM pragma_table_info('${name}') WHERE "notnull" = 1`).all();
    const references = columns.filter(({ isReference }) => isReference).map((column) => column.name);
    expect(required.map((column) => column.name).filter((column) => references.includes(String(column)))).toEqual([]);
  }
  expect(
    tables
      .flatMap(({ name, columns }) => columns.filter((each) => each.isReference).map((each) => `${name}.${each.name}`))
      .sort(),
  ).toEqual(['collections.parent_id', 'files.encoded_from_id', 'files.parent_id']);
});
