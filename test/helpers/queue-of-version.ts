import { renameSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { MIGRATIONS } from '../../electron/engine/store/migrations.ts';

/** Takes a closed queue database back to an older version: its tables, and of its rows what that version knew. */
export function takeQueueBack(path: string, version: number): void {
  const newer = `${path}.newer`;
  renameSync(path, newer);
  const database = new DatabaseSync(path);
  database.exec('PRAGMA journal_mode = WAL');
  for (const step of MIGRATIONS.slice(0, version)) database.exec(step);
  database.exec(`PRAGMA user_version = ${version}; ATTACH '${newer}' AS newer`);
  const tables = database
    .prepare(`SELECT name FROM main.sqlite_schema WHERE type = 'table' AND sql LIKE '%STRICT%'`)
    .all();
  for (const { name } of tables) {
    const known = database.prepare(`SELECT name FROM pragma_table_info('${name}', 'main')`).all();
    const columns = known.map((column) => column.name).join(', ');
    database.exec(`INSERT INTO main.${name} (${columns}) SELECT ${columns} FROM newer.${name}`);
  }
  database.close();
  rmSync(newer);
}
