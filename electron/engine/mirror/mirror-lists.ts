import type { MediaQuery, MediaRow, MediaWindow } from '../../../shared/contract/library.ts';
import { parseQuery } from '../../../shared/model/library-query/parse-query.ts';
import type { Database, SqlRow, SqlValue } from '../store/database.ts';
import { conditionOf, FEW_ITEMS, type MirrorFacts, orderOf, unknownCaptionsOf } from './media-sql.ts';
import { instantOf, PENDING } from './mirror-rows.ts';
import { type RelatedTo, rankingOf } from './search-sql.ts';
import { Conditions, type SqlCondition } from './sql-conditions.ts';

/** Sizes of lists that are kept. */
const MAX_COUNTED = 1000;
/** The order of equally good matches. */
const NEWEST_FIRST = 'v.created_on DESC, v.id_key DESC';

/** What lists depend on beside the file. */
interface ListState {
  /** A number that changes with every change of the lists. */
  version(): number;
  relatedTo: RelatedTo;
}

/** The lists of one mirror: windows, counts and ids of queries. Its methods throw SQLite's errors. */
export class MirrorLists {
  readonly #database: Database;
  readonly #state: ListState;
  #counted: { version: number; sizes: Map<string, number> } = { version: 0, sizes: new Map() };

  constructor(database: Database, state: ListState) {
    this.#database = database;
    this.#state = state;
  }

  window(query: MediaQuery, offset: number, limit: number): MediaWindow {
    const total = this.count(query);
    const rows = this.#database
      .prepare(
        `SELECT v.*, c.display_name AS collection_name FROM json_each($seqs) place
           JOIN view_media v ON v.seq = place.value LEFT JOIN collections c ON c.id = v.collection_id
           ORDER BY place.key`,
      )
      .all({ seqs: JSON.stringify(this.#seqs(query, offset, limit)) });
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
    const row = this.#database
      .prepare(
        `SELECT json_group_array(id) AS ids
           FROM (SELECT v.id FROM json_each($seqs) place JOIN view_media v ON v.seq = place.value ORDER BY place.key)`,
      )
      .get({ seqs: JSON.stringify(this.#seqs(query, 0, limit)) });
    return JSON.parse(String(row?.ids ?? '[]')) as string[];
  }

  /** A window of a list as `seq`, in its order. */
  #seqs(query: MediaQuery, offset: number, limit: number): number[] {
    const ranked = query.sort === 'relevance' ? rankingOf(parseQuery(query.search).query, this.#state.relatedTo) : null;
    if (ranked === null) return this.#select(this.#conditionOf(query), orderOf(query), offset, limit);
    const best = new Conditions();
    conditionOf(query, this.#facts(), best);
    const from = `(${ranked(best)}) ranked CROSS JOIN view_media v ON v.seq = ranked.seq`;
    const bestCount = this.#sizeOf(`SELECT 1 FROM ${from} WHERE ${best.all().sql}`, best.parameters);
    const order = `ranked.score, ${NEWEST_FIRST}`;
    const seqs = offset < bestCount ? this.#select(best.all(), order, offset, limit, from) : [];
    if (seqs.length === limit || bestCount === this.count(query)) return seqs;
    const others = new Conditions();
    conditionOf(query, this.#facts(), others);
    others.add(`+v.seq NOT IN (SELECT seq FROM (${ranked(others)}))`);
    const rest = this.#select(others.all(), NEWEST_FIRST, Math.max(0, offset - bestCount), limit - seqs.length);
    return [...seqs, ...rest];
  }

  #select({ sql, parameters }: SqlCondition, order: string, offset: number, limit: number, from = 'view_media v') {
    return this.#database
      .prepare(`SELECT v.seq FROM ${from} WHERE ${sql} ORDER BY ${order} LIMIT $limit OFFSET $offset`)
      .all({ ...parameters, limit, offset })
      .map(({ seq }) => Number(seq));
  }

  #conditionOf(query: MediaQuery): SqlCondition {
    return conditionOf(query, this.#facts());
  }

  #facts(): MirrorFacts {
    const tops = this.#database.prepare('SELECT id FROM collections WHERE parent_id IS NULL LIMIT 2').all({});
    return {
      onlyTop: tops.length === 1 ? String(tops[0]?.id) : null,
      relatedTo: this.#state.relatedTo,
      isLarge: ({ sql, parameters }) => this.#sizeOf(sql, parameters) > FEW_ITEMS,
    };
  }

  #countOf({ sql, parameters }: SqlCondition): number {
    return this.#sizeOf(`SELECT 1 FROM view_media v WHERE ${sql}`, parameters);
  }

  /** The number of rows of a SELECT, counted once for each state of the lists. */
  #sizeOf(select: string, parameters: Record<string, SqlValue>): number {
    if (this.#counted.version !== this.#state.version() || this.#counted.sizes.size > MAX_COUNTED) {
      this.#counted = { version: this.#state.version(), sizes: new Map() };
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
