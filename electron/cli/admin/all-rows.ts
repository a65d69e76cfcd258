import { MAX_ADMIN_ROWS } from '../../../shared/model/access/admin-limits.ts';

/** Reads all rows of a list that a call returns in parts. */
export async function allRows<T>(
  read: (part: { offset: number; limit: number }) => Promise<{ total: number; rows: readonly T[] }>,
): Promise<T[]> {
  const all: T[] = [];
  for (;;) {
    const { total, rows } = await read({ offset: all.length, limit: MAX_ADMIN_ROWS });
    all.push(...rows);
    if (rows.length === 0 || all.length >= total) return all;
  }
}
