import type { Calendar, CalendarQuery } from '../../../shared/contract/calendar.ts';
import type { ItemFileFacts, ListGroup, MediaQuery, MediaRow, MediaWindow } from '../../../shared/contract/library.ts';
import { parseQuery } from '../../../shared/model/library-query/parse-query.ts';
import { localDay } from '../../../shared/model/local-day.ts';
import type { Database, SqlRow } from '../store/database.ts';
import { groupsOf } from './list-groups.ts';
import { conditionOf, FEW_ITEMS, type MirrorFacts, orderSqlOf, unknownCaptionsOf } from './media-sql.ts';
import { apiInstantOf, NO_SIZE, PENDING } from './mirror-rows.ts';
import { type RelatedTo, rankingOf } from './search-sql.ts';
import { Conditions, type FoundSet, type SqlCondition } from './sql-conditions.ts';

/** The maximum number of list sizes that are kept. */
const MAX_COUNTED = 1000;
/** The maximum number of found sets that are kept, for the last keystrokes. In a library of 100,000 items each has up to 500 kB. */
const MAX_FOUND = 8;
/** The order of equally good matches. */
const NEWEST_FIRST = 'v.created_on DESC, v.id_key DESC';

/** A word that more items than this have in title, tags or byline is common, and does not rank them. */
const COMMON_ITEMS = 5000;

/** A query without conditions. */
const EVERY_ITEM = { search: '', type: null, status: null, sort: 'publish_on', order: 'asc' } as const;

/** A part of a list in its own order. */
interface ListPart extends SqlCondition {
  order: string;
  from: string;
}

/** The counts and found sets since the last change of the lists. */
interface KnownResults {
  version: number;
  sizes: Map<string, number>;
  /** The oldest first. */
  sets: Map<string, FoundSet>;
  /** The groups of the last list. */
  groups: { key: string; groups: ListGroup[] | null } | null;
}

/** The state that lists depend on besides the database file. */
interface ListState {
  /** A number that changes with every change of the lists. */
  version(): number;
  relatedTo: RelatedTo;
  /** Epoch ms, for dates that are relative to the present day. */
  now(): number;
}

/** The lists of one mirror: windows, counts and ids of queries. Its methods throw SQLite's errors. */
export class MirrorLists {
  readonly #database: Database;
  readonly #state: ListState;
  #results: KnownResults = { version: 0, sizes: new Map(), sets: new Map(), groups: null };

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

  /** The groups of a list, read once for each state of the lists; null for an order without groups. */
  groups(query: MediaQuery): ListGroup[] | null {
    const condition = this.#conditionOf(query);
    const key = `${query.sort} ${query.order} ${condition.key}`;
    const known = this.#known();
    if (known.groups?.key !== key) known.groups = { key, groups: groupsOf(this.#database, query, condition) };
    return known.groups.groups;
  }

  count(query: MediaQuery): number {
    return this.#countOf(this.#conditionOf(query));
  }

  changedSince(query: MediaQuery, seconds: number): number {
    const conditions = new Conditions();
    conditions.add(`v.modified_on > ${conditions.bind(seconds)}`);
    return this.#countOf(conditionOf(query, this.#facts(), conditions));
  }

  latestChange(): number | null {
    const latest = this.#database.prepare('SELECT max(modified_on) AS latest FROM view_media').get({})?.latest ?? null;
    return latest === null ? null : Number(latest);
  }

  /** The items of a calendar. Each slot reads only its part of the index of publish dates. */
  calendar({ siteId, collectionId, instants, rows }: CalendarQuery): Calendar {
    const seconds = instants.map((instant) => Math.ceil(instant / 1000));
    const ends = seconds.slice(1).map((to, index) => [seconds[index] ?? to, to] as const);
    const query = { ...EVERY_ITEM, siteId, collectionId, includesBelow: true };
    const { sql, parameters } = this.#conditionOf(query);
    const inSlot = (from: string, to: string) => `v.publish_on >= ${from} AND v.publish_on < ${to} AND ${sql}`;
    const counts = this.#database
      .prepare(
        `SELECT (SELECT count(*) FROM view_media v INDEXED BY view_by_publish
             WHERE ${inSlot('slot.value ->> 0', 'slot.value ->> 1')}) AS count
           FROM json_each($slots) slot ORDER BY slot.key`,
      )
      .all({ ...parameters, slots: JSON.stringify(ends) })
      .map(({ count }) => Number(count));
    const first = this.#database.prepare(
      `SELECT v.*, c.display_name AS collection_name
         FROM view_media v INDEXED BY view_by_publish LEFT JOIN collections c ON c.id = v.collection_id
         WHERE ${inSlot('$from', '$to')} ORDER BY v.publish_on, v.id_key LIMIT $rows`,
    );
    const slots = ends.map(([from, to], index) => {
      const count = counts[index] ?? 0;
      const isRead = count > 0 && rows > 0;
      return { count, rows: isRead ? first.all({ ...parameters, from, to, rows }).map(rowOf) : [] };
    });
    return { slots };
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

  /** Returns what is known about the files of items. */
  fileFacts(ids: readonly string[]): Map<string, Partial<ItemFileFacts>> {
    const rows = this.#database
      .prepare(
        `SELECT v.id, v.size_bytes, v.has_captions FROM media m JOIN view_media v ON v.seq = m.seq
           WHERE m.id IN (SELECT value FROM json_each($ids))`,
      )
      .all({ ids: JSON.stringify(ids) });
    return new Map(rows.map((row) => [String(row.id), fileFactsOf(row)]));
  }

  /** Returns a window of a list as `seq`, in its order. */
  #seqs(query: MediaQuery, offset: number, limit: number): number[] {
    const parts = this.#partsOf(query);
    const seqs: number[] = [];
    let skip = offset;
    for (const part of parts) {
      const found = this.#select(part, skip, limit - seqs.length);
      seqs.push(...found);
      if (seqs.length === limit || part === parts.at(-1)) break;
      // Counted only for a window that begins after this part, because the user waits for the first window.
      skip = found.length > 0 || skip === 0 ? 0 : Math.max(0, skip - this.#sizeOfPart(part));
    }
    return seqs;
  }

  /** Returns the parts of a list, one after the other. Only the orders by relevance and by collection have several. */
  #partsOf(query: MediaQuery): ListPart[] {
    const { sort } = query;
    if (sort === 'collection') return this.#byCollection(query);
    if (sort !== 'relevance') {
      return [{ ...this.#conditionOf(query), order: orderSqlOf({ ...query, sort }), from: 'view_media v' }];
    }
    const ranking = this.#rankingOf(query);
    if (ranking === null) return [{ ...this.#conditionOf(query), order: NEWEST_FIRST, from: 'view_media v' }];
    const { best, titled } = ranking;
    const parts: ListPart[] = [];
    if (best !== null) {
      const conditions = new Conditions();
      conditionOf(query, this.#facts(), conditions);
      const from = `(${best(conditions)}) ranked CROSS JOIN view_media v ON v.seq = ranked.seq`;
      parts.push({ ...conditions.all(), order: `ranked.score, ${NEWEST_FIRST}`, from });
    }
    for (const hasTitle of titled === null ? [null] : [true, false]) {
      const conditions = new Conditions();
      conditionOf(query, this.#facts(), conditions);
      // With a unary plus: SQLite follows the index of the order, and tests each item.
      if (best !== null) conditions.add(`+v.seq NOT IN (SELECT seq FROM (${best(conditions)}))`);
      if (titled !== null) conditions.add(`+v.seq ${hasTitle ? 'IN' : 'NOT IN'} (${titled(conditions)})`);
      parts.push({ ...conditions.all(), order: NEWEST_FIRST, from: 'view_media v' });
    }
    return parts;
  }

  /** Follows the index of the names. Items of a collection that the copy doesn't have come last. */
  #byCollection(query: MediaQuery): ListPart[] {
    const direction = query.order === 'desc' ? 'DESC' : 'ASC';
    const unknown = new Conditions();
    conditionOf(query, this.#facts(), unknown);
    unknown.add('v.collection_id NOT IN (SELECT id FROM collections)');
    return [
      {
        ...this.#conditionOf(query),
        order: `o.display_name COLLATE NOCASE ${direction}, o.id ${direction}, v.id_key ${direction}`,
        // With another index, SQLite would search all items of a filter once for each collection.
        from: 'collections o CROSS JOIN view_media v INDEXED BY view_in_collection ON v.collection_id = o.id',
      },
      { ...unknown.all(), order: `v.id_key ${direction}`, from: 'view_media v' },
    ];
  }

  #rankingOf({ search }: MediaQuery) {
    return rankingOf(parseQuery(search).query, this.#state.relatedTo, (expression) => {
      const few = (conditions: Conditions) =>
        `SELECT 1 FROM media_fields WHERE media_fields MATCH ${conditions.bind(expression)} LIMIT ${COMMON_ITEMS + 1}`;
      return this.#sizeOf(selectOf(few)) > COMMON_ITEMS;
    });
  }

  #select({ sql, parameters, order, from }: ListPart, offset: number, limit: number): number[] {
    return this.#database
      .prepare(`SELECT v.seq FROM ${from} WHERE ${sql} ORDER BY ${order} LIMIT $limit OFFSET $offset`)
      .all({ ...parameters, limit, offset })
      .map(({ seq }) => Number(seq));
  }

  #sizeOfPart({ from, ...part }: ListPart): number {
    return this.#sizeOf({ ...part, sql: `SELECT 1 FROM ${from} WHERE ${part.sql}`, key: `${from} ${part.key}` });
  }

  #conditionOf(query: MediaQuery): SqlCondition {
    return conditionOf(query, this.#facts());
  }

  #facts(): MirrorFacts {
    const tops = this.#database.prepare('SELECT id FROM collections WHERE parent_id IS NULL LIMIT 2').all({});
    return {
      onlyTop: tops.length === 1 ? String(tops[0]?.id) : null,
      relatedTo: this.#state.relatedTo,
      today: localDay(this.#state.now()),
      found: (set) => this.#found(selectOf(set)),
      isLarge: (select) => this.#sizeOf(selectOf(select)) > FEW_ITEMS,
    };
  }

  #countOf(condition: SqlCondition): number {
    return condition.size ?? this.#sizeOf({ ...condition, sql: `SELECT 1 FROM view_media v WHERE ${condition.sql}` });
  }

  /** The number of rows of a SELECT, counted once for each state of the lists. */
  #sizeOf({ sql, parameters, key }: SqlCondition): number {
    const { sizes } = this.#known();
    let size = sizes.get(key);
    if (size === undefined) {
      size = Number(this.#database.prepare(`SELECT count(*) AS count FROM (${sql})`).get(parameters)?.count ?? 0);
      if (sizes.size >= MAX_COUNTED) sizes.clear();
      sizes.set(key, size);
    }
    return size;
  }

  /**
   * The items that a SELECT finds, evaluated once for each state of the lists. One keystroke needs them for the count and for
   * the rows, and full-text indexes take longer to answer than to read the answer again.
   */
  #found({ sql, parameters, key }: SqlCondition): FoundSet {
    const { sets } = this.#known();
    let set = sets.get(key);
    if (set === undefined) {
      const select = `SELECT count(*) AS size, jsonb_group_array(seq) AS seqs FROM (SELECT NULL AS seq WHERE 0 UNION ALL ${sql})`;
      const row = this.#database.prepare(select).get(parameters);
      set = { key, size: Number(row?.size ?? 0), seqs: row?.seqs as Uint8Array };
      const [oldest] = sets.keys();
      if (sets.size >= MAX_FOUND && oldest !== undefined) sets.delete(oldest);
      sets.set(key, set);
    }
    return set;
  }

  /** Returns the counts and found sets of the current state of the lists. */
  #known(): KnownResults {
    const version = this.#state.version();
    if (this.#results.version !== version) this.#results = { version, sizes: new Map(), sets: new Map(), groups: null };
    return this.#results;
  }
}

function selectOf(write: (conditions: Conditions) => string): SqlCondition {
  const conditions = new Conditions();
  conditions.add(write(conditions));
  return conditions.all();
}

function rowOf(row: SqlRow): MediaRow {
  const instant = (value: SqlRow[string]) => (value === null ? null : apiInstantOf(Number(value)));
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
    views: Number(row.popularity),
    likes: Number(row.likes),
    comments: Number(row.comments),
    tags: JSON.parse(String(row.tags)) as string[],
    ...fileFactsOf(row),
    ...(pending === PENDING.none ? {} : { pending: pending === PENDING.deleted ? 'deleted' : 'edited' }),
  };
}

/** Returns what the files of an item show, as far as they were read. */
function fileFactsOf({
  size_bytes: size,
  has_captions: captions,
}: SqlRow): Pick<MediaRow, 'sizeBytes' | 'hasCaptions'> {
  return {
    ...(size === null ? {} : { sizeBytes: size === NO_SIZE ? null : Number(size) }),
    ...(captions === null ? {} : { hasCaptions: captions === 1 }),
  };
}
