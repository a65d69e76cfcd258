import type { Store } from '../database/store.ts';
import type { FileRow } from '../resources/files/file-row.ts';

/**
 * A file whose processing makes the service crash, or hang until it is killed, would do so again after every start. So
 * each start is noted durably before the work begins, and taken back when it comes to an end: what is left says how often
 * the service ended in it.
 */
const MAX_STARTS = 3;

export const TOO_OFTEN = `The service ended ${MAX_STARTS} times while it processed the file.`;

/** Notes that the work on a file begins now. */
export function noteStart(store: Store, row: FileRow): void {
  if (hasEndedServiceTooOften(row)) return;
  store.run('UPDATE files SET processing_starts = processing_starts + 1 WHERE id = ?', row.id);
}

/** Takes back a start that was broken off in an orderly way. */
export function takeBackStart(store: Store, row: FileRow): void {
  store.run(
    'UPDATE files SET processing_starts = processing_starts - 1 WHERE id = ? AND processing_starts > 0',
    row.id,
  );
}

/** Whether the service ended while it worked on this file, or on one beside it. */
export function isSuspect(row: FileRow): boolean {
  return row.processing_starts > 0;
}

export function hasEndedServiceTooOften(row: FileRow): boolean {
  return row.processing_starts >= MAX_STARTS;
}
