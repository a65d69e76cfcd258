import type { Store } from '../store.ts';
import type { Table } from './tables.ts';

/** Gives the tables of the target the greatest ids that the source ever gave: the id of a deleted row is not given again. */
export async function copySequences(source: Store, target: Store, tables: readonly Table[]): Promise<void> {
  for (const { name } of tables.filter(({ hasSequence }) => hasSequence)) {
    const last = await lastId(source, name);
    if (last > 0) await setLastId(target, name, last);
  }
}

/** Returns the greatest id that a table has given; 0 when none. */
async function lastId(store: Store, table: string): Promise<number> {
  const given =
    store.file === undefined
      ? `SELECT pg_sequence_last_value(CAST(pg_get_serial_sequence('${table}', 'id') AS regclass)) AS last`
      : `SELECT seq AS last FROM sqlite_sequence WHERE name = '${table}'`;
  const there = await store.get<{ last: number | null }>(`SELECT max(id) AS last FROM ${table}`);
  return Math.max((await store.get<{ last: number | null }>(given))?.last ?? 0, there?.last ?? 0);
}

async function setLastId(store: Store, table: string, last: number): Promise<void> {
  if (store.file === undefined) {
    await store.get(`SELECT setval(pg_get_serial_sequence('${table}', 'id'), ${last})`);
    return;
  }
  await store.run('DELETE FROM sqlite_sequence WHERE name = ?', table);
  await store.run('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)', table, last);
}
