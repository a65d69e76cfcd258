import type { Store } from '../database/store.ts';
import type { FileRow } from '../resources/files/file-row.ts';

/**
 * A file that makes the service crash, or hang until it is killed, would do so again after every start. Therefore each start of
 * its processing is recorded durably before the work begins, and the record is removed when the work ends: the remaining count
 * says how often the service died during this work.
 */
const MAX_STARTS = 3;

export const CRASHED_TOO_OFTEN = `The service ended ${MAX_STARTS} times while it processed the file.`;

/** Records that the work on a file begins now. */
export function recordStart(store: Store, row: FileRow): void {
  if (hasCrashedTooOften(row)) return;
  store.run('UPDATE files SET processing_starts = processing_starts + 1 WHERE id = ?', row.id);
}

/** Removes the record of a start that was aborted in an orderly way. */
export function undoStart(store: Store, row: FileRow): void {
  store.run(
    'UPDATE files SET processing_starts = processing_starts - 1 WHERE id = ? AND processing_starts > 0',
    row.id,
  );
}

/** Returns whether the service died while it processed this file, or another file at the same time. */
export function isSuspect(row: FileRow): boolean {
  return row.processing_starts > 0;
}

export function hasCrashedTooOften(row: FileRow): boolean {
  return row.processing_starts >= MAX_STARTS;
}
