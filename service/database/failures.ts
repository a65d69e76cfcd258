/** SQLITE_FULL, and disk_full of PostgreSQL. */
const FULL: ReadonlySet<unknown> = new Set([13, '53100']);

/** Returns whether an error of the database says that its drive is full. */
export function isDatabaseFull(error: object): boolean {
  const { errcode, code } = error as { errcode?: unknown; code?: unknown };
  return FULL.has(errcode) || FULL.has(code);
}
