import type { Bindable } from './store.ts';

/** A SQL condition with its parameters. */
export interface Condition {
  sql: string;
  params: Bindable[];
}

/** Combines conditions into a WHERE clause in which all must be true; an empty text for none. */
export function whereAll(conditions: readonly Condition[]): Condition {
  return {
    sql: conditions.length > 0 ? `WHERE ${conditions.map(({ sql }) => `(${sql})`).join(' AND ')}` : '',
    params: conditions.flatMap(({ params }) => params),
  };
}
