import { Worker } from 'node:worker_threads';
import { type SqliteModule, type SqlRow, sqliteModule } from './database.ts';

interface Question {
  module: string;
  path: string;
  sql: string;
  isReadOnly: boolean;
}

type Answer = { rows: SqlRow[] } | { message: string; errcode: number | null };

/**
 * Runs a slow query on a database file in a thread with its own read-only connection, without blocking this thread.
 * Throws SQLite's errors with their codes.
 */
export function readElsewhere(path: string, sql: string): Promise<SqlRow[]> {
  return askThread({ module: sqliteModule(), path, sql, isReadOnly: true });
}

/**
 * Copies the write-ahead log of a database into its file in a thread with its own connection, as far as no other
 * connection needs it. Throws SQLite's errors with their codes.
 */
export async function checkpointElsewhere(path: string): Promise<void> {
  await askThread({ module: sqliteModule(), path, sql: 'PRAGMA wal_checkpoint(PASSIVE)', isReadOnly: false });
}

async function askThread(question: Question): Promise<SqlRow[]> {
  const answer = await new Promise<Answer>((resolve, reject) => {
    // The program is text, so that a bundle needs no separate file for it.
    const worker = new Worker(`(${answerInThread.toString()})()`, { eval: true, workerData: question });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`the thread ended with ${code}`)));
  });
  if ('rows' in answer) return answer.rows;
  throw Object.assign(new Error(answer.message), answer.errcode === null ? {} : { errcode: answer.errcode });
}

/** Runs from its text alone, so it must not use any other name of this file. */
function answerInThread(): void {
  const { parentPort, workerData } = process.getBuiltinModule('node:worker_threads');
  const { module, path, sql, isReadOnly } = workerData as Question;
  let answer: Answer;
  try {
    const load = process.getBuiltinModule('node:module').createRequire(path);
    const { DatabaseSync } = load(module) as SqliteModule;
    const connection = new DatabaseSync(path, { readOnly: isReadOnly });
    try {
      connection.exec('PRAGMA busy_timeout = 5000');
      // SQLite's rows have no prototype, which is lost between threads.
      answer = { rows: connection.prepare(sql).all() };
    } finally {
      connection.close();
    }
  } catch (error) {
    const { message, errcode } = error as { message: string; errcode?: unknown };
    answer = { message, errcode: typeof errcode === 'number' ? errcode : null };
  }
  parentPort?.postMessage(answer);
}
