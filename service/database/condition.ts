import type { Bindable } from './store.ts';

/** A condition with its parameters. */
export interface Condition {
  sql: string;
  params: Bindable[];
}

/** Conditions that must all hold, as a WHERE; nothing at all for none. */
export function whereAll(conditions: readonly Condition[]): Condition {
  return {
    sql: conditions.length > 0 ? `WHERE ${conditions.map(({ sql }) => `(${sql})`).join(' AND ')}` : '',
    params: conditions.flatMap(({ params }) => params),
  };
}
