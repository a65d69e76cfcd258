import { createHash } from 'node:crypto';
import type { Bindable } from '../condition.ts';
import type { Store } from '../store.ts';
import { BATCH, isOfLibrary, type Key, lastKey, readBatch } from './rows.ts';
import type { Table } from './tables.ts';

interface Content {
  rows: number;
  /** SHA-256 of the rows as lines of JSON, in the order of the primary key. */
  hash: string;
}

/** Returns the number of rows of all tables, and the names of tables that are not the same in both databases. */
export async function compareTables(
  source: Store,
  target: Store,
  tables: readonly Table[],
): Promise<{ rows: number; different: string[] }> {
  let rows = 0;
  const different: string[] = [];
  for (const table of tables) {
    const [one, other] = [await contentOf(source, table), await contentOf(target, table)];
    rows += one.rows;
    if (one.rows !== other.rows || one.hash !== other.hash) different.push(table.name);
  }
  return { rows, different };
}

async function contentOf(store: Store, table: Table): Promise<Content> {
  const hash = createHash('sha256');
  let rows = 0;
  let after: Key | undefined;
  do {
    const batch = await readBatch(store, table, after);
    for (const row of batch.filter((each) => isOfLibrary(table, each))) {
      rows += 1;
      const values = table.columns.map(({ name, isReal }) => asBoth(row[name] ?? null, isReal));
      hash.update(`${JSON.stringify(values)}\n`);
    }
    after = batch.length === BATCH ? lastKey(table, batch) : undefined;
  } while (after !== undefined);
  return { rows, hash: hash.digest('hex') };
}

/** Returns a value as both engines can have it: a server has no NUL in texts, and four bytes for a number with a fraction. */
function asBoth(value: Bindable, isReal: boolean): Bindable {
  if (typeof value === 'string') return value.replaceAll('\0', '\ufffd');
  return isReal && typeof value === 'number' ? Math.fround(value) : value;
}
