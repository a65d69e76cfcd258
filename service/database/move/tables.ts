import { DatabaseSync } from 'node:sqlite';
import { SCHEMA_VERSION, schemaSteps } from '../schema.ts';

/** A table that moves with a library. */
export interface Table {
  name: string;
  columns: readonly Column[];
  /** The columns of the primary key, in its order. */
  key: readonly string[];
  /** Whether the database gives the ids of new rows, and none twice. */
  hasSequence: boolean;
}

interface Column {
  name: string;
  /** Whether it has numbers with a fraction, of which a server keeps four bytes. */
  isReal: boolean;
  /** Whether it names another row of the table; it may be null. */
  isReference: boolean;
}

/** The index of each engine is made anew. */
const OF_AN_ENGINE = /^(?:sqlite_|media_text)/;
/** Triggers write to this table while others are copied. */
const LAST = 'usage';

/** Returns all tables that move, from the schema; each one behind those that its rows refer to. */
export function movedTables(): Table[] {
  const db = new DatabaseSync(':memory:');
  try {
    for (const step of schemaSteps(SCHEMA_VERSION)) db.exec(step);
    const names = db.prepare(`SELECT name, sql FROM sqlite_schema WHERE type = 'table' ORDER BY name = ?, rowid`);
    const found = names
      .all(LAST)
      .filter(({ name }) => !OF_AN_ENGINE.test(String(name)))
      .map(({ name, sql }) => tableOf(db, String(name), String(sql)));
    const ordered: Described[] = [];
    while (ordered.length < found.length) {
      const placed = new Set(ordered.map(({ table }) => table.name));
      const next = found.find(
        ({ table, parents }) => !placed.has(table.name) && parents.every((each) => placed.has(each)),
      );
      if (next === undefined) throw new Error('Tables refer to each other in a circle.');
      ordered.push(next);
    }
    return ordered.map(({ table }) => table);
  } finally {
    db.close();
  }
}

interface Described {
  table: Table;
  /** The other tables that its rows refer to. */
  parents: string[];
}

function tableOf(db: DatabaseSync, name: string, sql: string): Described {
  const references = db
    .prepare('SELECT "table" AS parent, "from" AS col FROM pragma_foreign_key_list(?)')
    .all(name)
    .map(({ parent, col }) => ({ parent: String(parent), column: String(col) }));
  const own = new Set(references.filter(({ parent }) => parent === name).map(({ column }) => column));
  const columns = db.prepare('SELECT name, type, pk FROM pragma_table_info(?) ORDER BY cid').all(name);
  const key = columns.filter(({ pk }) => Number(pk) > 0).sort((a, b) => Number(a.pk) - Number(b.pk));
  return {
    table: {
      name,
      columns: columns.map((column) => ({
        name: String(column.name),
        isReal: column.type === 'REAL',
        isReference: own.has(String(column.name)),
      })),
      key: key.map((column) => String(column.name)),
      hasSequence: sql.includes('AUTOINCREMENT'),
    },
    parents: references.map(({ parent }) => parent).filter((parent) => parent !== name),
  };
}
