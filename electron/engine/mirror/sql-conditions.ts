import type { SqlValue } from '../store/database.ts';

/** A condition on `view_media v`. */
export interface SqlCondition {
  sql: string;
  parameters: Record<string, SqlValue>;
}

/** Collects conditions; parameters get names that are unique in the statement. */
export class Conditions {
  readonly parts: string[] = [];
  readonly parameters: Record<string, SqlValue> = {};

  /** Returns the placeholder of a value. */
  bind(value: SqlValue): string {
    const name = `p${Object.keys(this.parameters).length}`;
    this.parameters[name] = value;
    return `$${name}`;
  }

  add(sql: string): void {
    this.parts.push(sql);
  }

  all(): SqlCondition {
    return { sql: this.parts.length === 0 ? '1' : this.parts.join(' AND '), parameters: this.parameters };
  }
}
