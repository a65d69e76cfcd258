/** A value that can be bound to a statement. */
export type Bindable = null | number | bigint | string | Uint8Array;

/** A SQL condition with its parameters. */
export interface Condition {
  sql: string;
  params: Bindable[];
}

/** Larger sums are not exact; no drive has as many bytes. */
const MOST = Number.MAX_SAFE_INTEGER;

/** Returns an expression for a number of bytes that JavaScript can count exactly: at most 2^53 - 1. */
export function exactly(bytes: string): string {
  return `CASE WHEN ${bytes} > ${MOST} THEN ${MOST} ELSE ${bytes} END`;
}

/** Combines conditions into a WHERE clause in which all must be true; an empty text for none. */
export function whereAll(conditions: readonly Condition[]): Condition {
  return {
    sql: conditions.length > 0 ? `WHERE ${conditions.map(({ sql }) => `(${sql})`).join(' AND ')}` : '',
    params: conditions.flatMap(({ params }) => params),
  };
}
