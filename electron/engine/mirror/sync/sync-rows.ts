import type { Database, SqlValue } from '../../store/database.ts';
import { Statements } from '../../store/statements.ts';

/** A part of a library by instants of creation, in epoch seconds: from `from` on, and before `before`. null: no limit. */
export interface CreatedRange {
  from: number | null;
  before: number | null;
}

/** How far from a wanted boundary the sync searches for a second without items. */
const GAP_SEARCH_SECONDS = 3600;

/** The mirror's counts and ids of the items that the library lists. */
export class SyncRows {
  readonly #statements: Statements;

  constructor(database: Database) {
    this.#statements = new Statements(database);
  }

  /** The number of items that the library listed; items without an instant of creation count as the oldest. */
  count(range: CreatedRange): number {
    const counts = partsOf(range).map((part) => `(SELECT count(*) FROM media WHERE ${part})`);
    // SQLite counts a whole table without reading an index.
    const sql = isEverything(range)
      ? 'SELECT (SELECT count(*) FROM media) - (SELECT count(*) FROM media WHERE absence > 0) AS count'
      : `SELECT ${counts.join(' + ')} AS count`;
    return Number(this.#get(sql, limitsOf(range))?.count ?? 0);
  }

  ids(range: CreatedRange): string[] {
    const selects = partsOf(range).map((part) => `SELECT id FROM media WHERE ${part}`);
    const row = this.#get(`SELECT json_group_array(id) AS ids FROM (${selects.join(' UNION ALL ')})`, limitsOf(range));
    return JSON.parse(String(row?.ids ?? '[]')) as string[];
  }

  /** Returns the items that are hidden because the library stopped listing them. */
  hiddenIds(): string[] {
    const row = this.#get('SELECT json_group_array(id) AS ids FROM media WHERE absence > 0 AND absence = 1');
    return JSON.parse(String(row?.ids ?? '[]')) as string[];
  }

  hiddenCount(): number {
    return Number(this.#get('SELECT count(*) AS count FROM media WHERE absence > 0 AND absence = 1')?.count ?? 0);
  }

  /** Returns the items that the library does not have and whose edits are no longer pending. */
  orphanIds(): string[] {
    const row = this.#get(
      `SELECT json_group_array(id) AS ids FROM media
       WHERE absence > 0 AND absence = 2 AND id NOT IN (SELECT media_id FROM overlays)`,
    );
    return JSON.parse(String(row?.ids ?? '[]')) as string[];
  }

  /**
   * Returns a second near the middle of a range of `count` items at which no item was created: each part has at least one item.
   * null when the range has fewer than two items or can't be divided.
   */
  boundaryIn(range: CreatedRange, count: number): number | null {
    if (count < 2) return null;
    const dated = partsOf(range).at(-1);
    const nth = (skip: number, order: 'ASC' | 'DESC' = 'ASC') =>
      this.#get(
        `SELECT created_on FROM media WHERE ${dated} AND created_on IS NOT NULL
         ORDER BY created_on ${order} LIMIT 1 OFFSET $skip`,
        { ...limitsOf(range), skip },
      )?.created_on;
    const [first, middle, last] = [nth(0), nth(Math.floor(count / 2)), nth(0, 'DESC')];
    if (typeof middle !== 'number' || typeof first !== 'number' || typeof last !== 'number') return null;
    const gap = this.#gapBefore(middle, first) ?? this.#gapAfter(middle, last);
    // Without a gap the second itself divides: libraries compare strictly.
    return gap ?? (middle > first ? middle : null);
  }

  /** The last second before `middle`, and after `first`, at which no item was created. */
  #gapBefore(middle: number, first: number): number | null {
    const least = Math.max(first + 1, middle - GAP_SEARCH_SECONDS);
    const taken = this.#taken(least, middle);
    for (let second = middle - 1; second >= least; second -= 1) if (!taken.has(second)) return second;
    return null;
  }

  /** The first second after `middle`, and before `last`, at which no item was created. */
  #gapAfter(middle: number, last: number): number | null {
    const end = Math.min(last, middle + GAP_SEARCH_SECONDS);
    const taken = this.#taken(middle, end);
    for (let second = middle + 1; second < end; second += 1) if (!taken.has(second)) return second;
    return null;
  }

  #taken(from: number, before: number): Set<number> {
    const row = this.#get(
      'SELECT json_group_array(DISTINCT created_on) AS seconds FROM media WHERE created_on >= $from AND created_on < $before',
      { from, before },
    );
    return new Set(JSON.parse(String(row?.seconds ?? '[]')) as number[]);
  }

  #get(sql: string, parameters: Record<string, SqlValue> = {}) {
    return this.#statements.prepare(sql).get(parameters);
  }
}

function isEverything({ from, before }: CreatedRange): boolean {
  return from === null && before === null;
}

/** Returns the conditions for the items of a range that the library lists. Each uses the index of instants of creation. */
function partsOf({ from, before }: CreatedRange): string[] {
  const limits = [
    ...(from === null ? [] : ['created_on >= $from']),
    ...(before === null ? [] : ['created_on < $before']),
  ];
  const parts = [['absence = 0', ...limits].join(' AND ')];
  return from === null && before !== null ? ['absence = 0 AND created_on IS NULL', ...parts] : parts;
}

/** The values that the conditions of a range need. */
function limitsOf({ from, before }: CreatedRange): Record<string, SqlValue> {
  return { ...(from === null ? {} : { from }), ...(before === null ? {} : { before }) };
}
