import { renameSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { MIGRATIONS } from '../../../electron/engine/store/migrations.ts';

/** Columns that later versions store in separate tables, as queries on those. */
const FORMER_COLUMNS: Record<string, string> = {
  redo_at: 'NULL',
  has_sent: '0',
  follow_ups: `(SELECT json_group_array(json_object('kind', kind, 'state', state, 'path', path, 'fileName', file_name,
    'attempts', attempts, 'tries', json(coalesce(tries, '{}')), 'nextAt', next_at, 'error', json(error),
    'wasTried', json(iif(was_tried, 'true', 'false')), 'intentAt', intent_at, 'fileId', file_id, 'sentAt', sent_at,
    'looks', looks, 'fingerprint', fingerprint,
    'source', iif(source IS NULL, NULL, json_patch('{}', json_object('kind', source, 'folder', source_folder))),
    'target', target)) FROM (SELECT * FROM newer.follow_ups WHERE upload_seq = uploads.seq ORDER BY position))`,
};

/** Converts a closed queue database to an older version: its tables, and the columns that this version had. */
export function takeQueueBack(path: string, version: number): void {
  const newer = `${path}.newer`;
  renameSync(path, newer);
  const database = new DatabaseSync(path);
  database.exec('PRAGMA journal_mode = WAL');
  for (const step of MIGRATIONS.slice(0, version)) database.exec(step);
  database.exec(`PRAGMA user_version = ${version}; ATTACH '${newer}' AS newer`);
  const columnsOf = (table: string, schema: string) =>
    database
      .prepare(`SELECT name FROM pragma_table_info('${table}', '${schema}')`)
      .all()
      .map(({ name }) => String(name));
  const tables = database
    .prepare(`SELECT name FROM main.sqlite_schema WHERE type = 'table' AND sql LIKE '%STRICT%'`)
    .all();
  for (const { name } of tables) {
    const table = String(name);
    const columns = columnsOf(table, 'main');
    // The commands of an earlier version are in another table now; none of them is pending in a closed queue.
    if (columnsOf(table, 'newer').length === 0) continue;
    const kept = new Set(columnsOf(table, 'newer'));
    const values = columns.map((column) => (kept.has(column) ? column : FORMER_COLUMNS[column]));
    database.exec(`INSERT INTO main.${table} (${columns.join(', ')}) SELECT ${values.join(', ')} FROM newer.${table}`);
  }
  database.close();
  rmSync(newer);
}
