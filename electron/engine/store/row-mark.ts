import { closeSync, constants, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { Failpoints } from '../ports/failpoints.ts';
import type { Database } from './database.ts';

/** Each write of the mark is a failpoint with this name. */
export const ROW_MARK = 'store.row-mark';

/**
 * The mark: the number of rows ever added to a table, in a separate file. SQLite treats a database that lost its last commits
 * (the write-ahead log is missing, truncated or old) as intact: only a separate file can show that rows are missing.
 */
export interface RowMark {
  /** Returns 0 when there is no mark, or its text is invalid. Throws other errors of the file system. */
  read(): number;
  /** Writes the mark durably. Throws the errors of the file system. */
  write(rows: number): void;
}

export function createRowMark(path: string): RowMark {
  return {
    read() {
      try {
        const match = /^(\d{1,15})\n$/.exec(readFileSync(path, 'utf8'));
        return Number(match?.[1] ?? 0);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
        throw error;
      }
    },
    write(rows) {
      // Written in place: these 16 bytes are in one sector, which a disk writes completely or not at all. A new file that a power
      // cut left empty reads as 0, which reports nothing; the next write of the mark corrects it.
      const file = openSync(path, constants.O_WRONLY | constants.O_CREAT, 0o600);
      try {
        writeSync(file, `${String(rows).padStart(15, '0')}\n`, 0);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
    },
  };
}

/** The tables that have a mark: each row is data that the user entered. */
export const MARKED_TABLES = ['uploads', 'edits'] as const;
export type MarkedTable = (typeof MARKED_TABLES)[number];

/** Returns the number of rows that were ever added to a table. */
export function rowsEverAdded(database: Database, table: MarkedTable): number {
  const sql = 'SELECT seq FROM sqlite_sequence WHERE name = $table';
  return Number(database.prepare(sql).get({ table })?.seq ?? 0);
}

/**
 * Wraps a database: the mark of a table rises to the number of its added rows once these are on disk, because a power cut can
 * undo them before. A failed write of the mark undoes nothing: `onFault` gets the error, and the next `whenDurable` retries the
 * write.
 */
export function withRowMark(
  database: Database,
  { table, mark }: { table: MarkedTable; mark: RowMark },
  failpoints: Failpoints,
  onFault: (error: unknown) => void,
): Database {
  let noted = mark.read();
  let mayBeMore = false;
  return {
    ...database,
    transaction(work) {
      const result = database.transaction(work);
      mayBeMore = true;
      return result;
    },
    async whenDurable() {
      if (!mayBeMore) return database.whenDurable();
      const rows = rowsEverAdded(database, table);
      await database.whenDurable();
      try {
        if (rows > noted) failpoints.run(ROW_MARK, () => mark.write(rows));
        noted = Math.max(noted, rows);
        mayBeMore = rowsEverAdded(database, table) > noted;
      } catch (error) {
        onFault(error);
      }
    },
  };
}
