import type { AdminLogEntry } from '../../contract/admin/admin-calls.ts';

const COLUMNS = [
  ...(['at', 'action', 'targetId', 'targetName', 'before', 'after', 'outcome'] as const),
] satisfies readonly (keyof AdminLogEntry)[];

/** Returns the log of administrative changes as a table: a header, then a row for each entry. */
export function logTable(entries: readonly AdminLogEntry[]): string[][] {
  return [[...COLUMNS], ...entries.map((entry) => COLUMNS.map((column) => entry[column]))];
}
