import type { SqlValue } from '../store/database.ts';

/** A condition on `view_media v`. */
export interface SqlCondition {
  sql: string;
  parameters: Record<string, SqlValue>;
  /** Two conditions with the same key are true for the same items, as long as no item changes. */
  key: string;
  /** The number of items for which the condition is true; null when it is unknown without counting. */
  size: number | null;
}

/** The items of a set, evaluated once for all statements of a list. */
export interface FoundSet {
  /** The evaluated expression. */
  key: string;
  size: number;
  /** The `seq` of the items: an array in SQLite's binary JSON. */
  seqs: Uint8Array;
}

/** Collects conditions; parameters get names that are unique in the statement. */
export class Conditions {
  readonly #parts: string[] = [];
  readonly #parameters: Record<string, SqlValue> = {};
  /** The values of the parameters for the key; a set of items has a key of its own, because it has many values. */
  readonly #keys: Record<string, SqlValue> = {};
  readonly #sets: FoundSet[] = [];

  /** Returns the placeholder of a value. */
  bind(value: SqlValue): string {
    return this.#bind(value, value);
  }

  /** Returns a SELECT of the `seq` of a set. */
  bindSet({ key, seqs }: FoundSet): string {
    return `SELECT value FROM json_each(${this.#bind(seqs, key)})`;
  }

  add(sql: string): void {
    this.#parts.push(sql);
  }

  /** Adds the condition that an item is in a set. `sign`: a unary plus, or nothing. */
  addSet(set: FoundSet, sign: '+' | ''): void {
    this.#sets.push(set);
    this.add(`${sign}v.seq IN (${this.bindSet(set)})`);
  }

  all(): SqlCondition {
    const sql = this.#parts.length === 0 ? '1' : this.#parts.join(' AND ');
    const [set] = this.#sets;
    return {
      sql,
      parameters: this.#parameters,
      key: JSON.stringify([sql, this.#keys]),
      size: set !== undefined && this.#parts.length === 1 ? set.size : null,
    };
  }

  #bind(value: SqlValue, key: SqlValue): string {
    const name = `p${Object.keys(this.#parameters).length}`;
    this.#parameters[name] = value;
    this.#keys[name] = key;
    return `$${name}`;
  }
}
