import { closeSync, constants, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { Failpoints } from '../ports/failpoints.ts';
import type { Database } from './database.ts';

/** Each write of the mark is a failpoint of this name. */
export const ROW_MARK = 'store.row-mark';

/**
 * How many rows were ever added, in a file of its own. SQLite takes a database that lost its last commits (a write-ahead log
 * that is gone, cut or old) for a sound one: only something outside of it can tell that rows are missing.
 */
export interface RowMark {
  /** 0 when nothing was ever noted, or the note can't be read. */
  read(): number;
  /** Notes it durably. Throws what the file system throws. */
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
      // In place: a mark that a power cut tears reads as 0, which warns of nothing and is mended by the next batch.
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

/** The number of rows that this database ever had; rows are never deleted. */
export function rowsEverAdded(database: Database): number {
  const sql = `SELECT seq FROM sqlite_sequence WHERE name = 'uploads'`;
  return Number(database.prepare(sql).get()?.seq ?? 0);
}

/**
 * The same database; the mark rises to the rows that transactions have added once these are on the disk: before that a
 * power cut may take them back, and nothing would be missing. A mark that can't be written takes nothing back: `onFault`
 * gets the failure and the next wait tries again.
 */
export function withRowMark(
  database: Database,
  mark: RowMark,
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
      const rows = rowsEverAdded(database);
      await database.whenDurable();
      try {
        if (rows > noted) failpoints.run(ROW_MARK, () => mark.write(rows));
        noted = Math.max(noted, rows);
        mayBeMore = rowsEverAdded(database) > noted;
      } catch (error) {
        onFault(error);
      }
    },
  };
}
