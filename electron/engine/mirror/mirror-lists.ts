import type { MediaQuery, MediaRow, MediaWindow } from '../../../shared/contract/library.ts';
import type { Database, SqlRow, SqlValue } from '../store/database.ts';
import { conditionOf, FEW_ITEMS, type MirrorFacts, orderOf, unknownCaptionsOf } from './media-sql.ts';
import { instantOf, PENDING } from './mirror-rows.ts';
import type { SqlCondition } from './sql-conditions.ts';

/** Sizes of lists that are kept. */
const MAX_COUNTED = 1000;

/** The lists of one mirror: windows, counts and ids of queries. Its methods throw SQLite's errors. */
export class MirrorLists {
  readonly #database: Database;
  readonly #version: () => number;
  #counted: { version: number; sizes: Map<string, number> } = { version: 0, sizes: new Map() };

  /** `version`: a number that changes with every change of the lists. */
  constructor(database: Database, version: () => number) {
    this.#database = database;
    this.#version = version;
  }

  window(query: MediaQuery, offset: number, limit: number): MediaWindow {
    const condition = this.#conditionOf(query);
    const total = this.#countOf(condition);
    const rows = this.#database
      .prepare(
        `SELECT v.*, c.display_name AS collection_name FROM (SELECT v.seq FROM view_media v WHERE ${condition.sql} ORDER BY ${orderOf(query)}
           LIMIT $limit OFFSET $offset) page JOIN view_media v ON v.seq = page.seq
           LEFT JOIN collections c ON c.id = v.collection_id ORDER BY ${orderOf(query)}`,
      )
      .all({ ...condition.parameters, limit, offset });
    const captionsUnknown = this.captionsUnknown(query);
    return { total, offset, rows: rows.map(rowOf), ...(captionsUnknown === 0 ? {} : { captionsUnknown }) };
  }

  /** The number of items that may match when their captions are known; 0 for a query that does not depend on them. */
  captionsUnknown(query: MediaQuery): number {
    const condition = unknownCaptionsOf(query, this.#facts());
    return condition === null ? 0 : this.#countOf(condition);
  }

  count(query: MediaQuery): number {
    return this.#countOf(this.#conditionOf(query));
  }

  ids(query: MediaQuery, limit: number): string[] {
    const condition = this.#conditionOf(query);
    const row = this.#database
      .prepare(
        `SELECT json_group_array(id) AS ids FROM (SELECT v.id FROM view_media v WHERE ${condition.sql}
           ORDER BY ${orderOf(query)} LIMIT $limit)`,
      )
      .get({ ...condition.parameters, limit });
    return JSON.parse(String(row?.ids ?? '[]')) as string[];
  }

  #conditionOf(query: MediaQuery): SqlCondition {
    return conditionOf(query, this.#facts());
  }

  #facts(): MirrorFacts {
    const tops = this.#database.prepare('SELECT id FROM collections WHERE parent_id IS NULL LIMIT 2').all({});
    return {
      onlyTop: tops.length === 1 ? String(tops[0]?.id) : null,
      isLarge: ({ sql, parameters }) => this.#sizeOf(sql, parameters) > FEW_ITEMS,
    };
  }

  #countOf({ sql, parameters }: SqlCondition): number {
    return this.#sizeOf(`SELECT 1 FROM view_media v WHERE ${sql}`, parameters);
  }

  /** The number of rows of a SELECT, counted once for each state of the lists. */
  #sizeOf(select: string, parameters: Record<string, SqlValue>): number {
    if (this.#counted.version !== this.#version() || this.#counted.sizes.size > MAX_COUNTED) {
      this.#counted = { version: this.#version(), sizes: new Map() };
    }
    const { sizes } = this.#counted;
    const key = JSON.stringify([select, parameters]);
    let size = sizes.get(key);
    if (size === undefined) {
      size = Number(this.#database.prepare(`SELECT count(*) AS count FROM (${select})`).get(parameters)?.count ?? 0);
      sizes.set(key, size);
    }
    return size;
  }
}

function rowOf(row: SqlRow): MediaRow {
  const instant = (value: SqlRow[string]) => (value === null ? null : instantOf(Number(value)));
  const text = (value: SqlRow[string]) => (value === null || value === undefined ? null : String(value));
  const pending = Number(row.pending);
  return {
    id: String(row.id),
    title: String(row.title),
    type: text(row.type ?? null),
    status: String(row.status),
    collectionId: String(row.collection_id),
    collectionName: text(row.collection_name ?? null),
    byline: text(row.byline ?? null),
    durationSeconds: row.duration === null ? null : Number(row.duration),
    createdOn: instant(row.created_on ?? null),
    modifiedOn: instant(row.modified_on ?? null),
    publishOn: instant(row.publish_on ?? null),
    tags: JSON.parse(String(row.tags)) as string[],
    ...(pending === PENDING.none ? {} : { pending: pending === PENDING.deleted ? 'deleted' : 'edited' }),
  };
}
