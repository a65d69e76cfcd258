import type { FileRow } from '../resources/files/file-row.ts';

/**
 * A file that makes its worker crash, or hang until it is killed, would do so again after every start. Therefore each start of its
 * processing is recorded durably before the work begins, and the record is removed when the work ends: the remaining count says how
 * often a worker died during this work.
 */
const MAX_STARTS = 3;

export const CRASHED_TOO_OFTEN = `The service ended ${MAX_STARTS} times while it processed the file.`;

type Starts = Pick<FileRow, 'processing_starts'>;

/** Returns whether a worker died while it processed this file, or another file at the same time. */
export function isSuspect(row: Starts): boolean {
  return row.processing_starts > 0;
}

export function hasCrashedTooOften(row: Starts): boolean {
  return row.processing_starts >= MAX_STARTS;
}
