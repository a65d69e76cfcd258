import { type Database, openDatabase, type Statement } from '../../../electron/engine/store/database.ts';
import { MIGRATIONS } from '../../../electron/engine/store/migrations.ts';

/** Databases kept for the next run: creating the schema and preparing its statements takes longer than many runs. */
const idle: Database[] = [];

/** Runs `work` with an empty queue database in memory. */
export async function withEmptyDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
  const database = idle.pop() ?? (await openEmpty());
  let result: T;
  try {
    result = await work(database);
    empty(database);
  } catch (error) {
    // Its state is unknown.
    database.close();
    throw error;
  }
  idle.push(database);
  return result;
}

async function openEmpty(): Promise<Database> {
  const database = await openDatabase(':memory:');
  database.exec('PRAGMA foreign_keys = ON');
  for (const step of MIGRATIONS) database.exec(step);
  const statements = new Map<string, Statement>();
  return {
    ...database,
    prepare(sql) {
      const statement = statements.get(sql) ?? database.prepare(sql);
      statements.set(sql, statement);
      return statement;
    },
  };
}

function empty(database: Database): void {
  const tables = database
    .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'upload_words*'`)
    .all()
    .map(({ name }) => `DELETE FROM ${name};`);
  database.exec(`PRAGMA foreign_keys = OFF; BEGIN; ${tables.join(' ')}
    INSERT INTO upload_words (upload_words) VALUES ('delete-all'); COMMIT; PRAGMA foreign_keys = ON`);
}
