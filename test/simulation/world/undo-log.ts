import type { Database, Statement } from '../../../electron/engine/store/database.ts';

/** The tables of watched folders. The tables of uploads are undone by their facts. */
const WATCH_TABLES: readonly string[] = ['watched_folders', 'watched_files', 'watched_contents', 'watched_batches'];

/** Records by triggers how to undo each write to some tables, so that a power cut can undo it. */
export class UndoLog {
  readonly #database: Database;
  readonly #last: Statement;
  readonly #tables: readonly string[];

  constructor(database: Database, tables = WATCH_TABLES) {
    this.#database = database;
    this.#tables = tables;
    database.exec('CREATE TEMP TABLE undo_log (seq INTEGER PRIMARY KEY, sql TEXT NOT NULL)');
    for (const table of tables) for (const trigger of triggersOf(database, table)) database.exec(trigger);
    this.#last = database.prepare('SELECT max(seq) AS seq FROM undo_log');
  }

  /** The number of the last write. */
  get last(): number {
    return Number(this.#last.get()?.seq ?? 0);
  }

  /** Undoes the writes after the write with this number. */
  undoAfter(seq: number): void {
    const writes = this.#database.prepare('SELECT sql FROM undo_log WHERE seq > $seq ORDER BY seq DESC').all({ seq });
    for (const { sql } of writes) this.#database.exec(String(sql));
  }

  dispose(): void {
    for (const table of this.#tables)
      for (const event of EVENTS) this.#database.exec(`DROP TRIGGER temp.undo_${table}_${event}`);
    this.#database.exec('DROP TABLE temp.undo_log');
  }
}

const EVENTS = ['insert', 'update', 'delete'] as const;

function triggersOf(database: Database, table: string): string[] {
  const info = database.prepare(`SELECT name, pk FROM pragma_table_info('${table}')`).all();
  const columns = info.map(({ name }) => String(name));
  const keys = info.filter(({ pk }) => Number(pk) > 0).map(({ name }) => String(name));
  const isIt = keys.map((name) => `'${name} = ' || quote(NEW.${name})`).join(` || ' AND ' || `);
  const old = (name: string) => `quote(OLD.${name})`;
  const note = (sql: string) => `BEGIN INSERT INTO undo_log (sql) VALUES (${sql}); END`;
  const undo = {
    insert: `'DELETE FROM ${table} WHERE ' || ${isIt}`,
    update: `'UPDATE ${table} SET ' || ${columns.map((name) => `'${name} = ' || ${old(name)}`).join(` || ', ' || `)}
      || ' WHERE ' || ${isIt}`,
    delete: `'INSERT INTO ${table} (${columns.join(', ')}) VALUES (' || ${columns.map(old).join(` || ', ' || `)} || ')'`,
  };
  return EVENTS.map(
    (event) =>
      `CREATE TEMP TRIGGER undo_${table}_${event} AFTER ${event.toUpperCase()} ON main.${table} ${note(undo[event])}`,
  );
}
