import type { MediaQuery } from '../../../shared/contract/library.ts';
import type { LibraryQuery } from '../../../shared/model/library-query/library-query.ts';
import { parseQuery } from '../../../shared/model/library-query/parse-query.ts';
import type { SqlValue } from '../store/database.ts';
import { secondsOf } from './mirror-rows.ts';
import { type RelatedTo, searchConditions, withoutCaptions } from './search-sql.ts';
import { Conditions, type FoundSet, type SqlCondition } from './sql-conditions.ts';

/** The facts about the mirror that the query of a list needs. */
export interface MirrorFacts {
  /** The only collection without a parent; null when there are several. All items are below it. */
  onlyTop: string | null;
  relatedTo: RelatedTo;
  /** The present day, in the time zone of the user, such as `2026-03-31`. */
  today: string;
  /** Evaluates a SELECT of the `seq` of items that lists show. */
  found(set: (conditions: Conditions) => string): FoundSet;
  /** Returns whether a SELECT has more rows than `FEW_ITEMS`. */
  isLarge(select: (conditions: Conditions) => string): boolean;
}

/**
 * The maximum size of a found set that is sorted completely. With a larger set, a list reads its index and tests each item; see
 * `addSet`.
 */
export const FEW_ITEMS = 2000;

/** Converts the filters of a list to a condition. The same filters as those of the API give the same items. */
export function conditionOf(query: MediaQuery, facts: MirrorFacts, conditions = new Conditions()): SqlCondition {
  addFilters(conditions, query, facts);
  if (query.hasCaptions !== undefined) {
    conditions.add(`v.has_captions = ${conditions.bind(Number(query.hasCaptions))}`);
  }
  addSearch(conditions, parseQuery(query.search).query, facts);
  return conditions.all();
}

/**
 * Returns the condition for items that may match when their captions are known: they meet all other conditions. null: the
 * query does not depend on captions.
 */
export function unknownCaptionsOf(query: MediaQuery, facts: MirrorFacts): SqlCondition | null {
  const { query: search } = parseQuery(query.search);
  const rest = withoutCaptions(search);
  if (rest === null && query.hasCaptions === undefined) return null;
  const conditions = new Conditions();
  addFilters(conditions, query, facts);
  conditions.add('v.has_captions IS NULL');
  addSearch(conditions, rest ?? search, facts);
  return conditions.all();
}

function addSearch(conditions: Conditions, search: LibraryQuery, facts: MirrorFacts): void {
  for (const each of searchConditions(search, facts)) {
    if ('set' in each) addSet(conditions, each.set);
    else conditions.add(each.test(conditions));
  }
}

/** Adds the filters other than the search and the captions. */
function addFilters(conditions: Conditions, query: MediaQuery, facts: MirrorFacts): void {
  const bind = (value: SqlValue) => conditions.bind(value);
  if (query.collectionId !== null) addCollection(conditions, query.collectionId, query.includesBelow === true, facts);
  if (query.type !== null) conditions.add(`v.type = ${bind(query.type)}`);
  if (query.status !== null) conditions.add(`v.status = ${bind(query.status)}`);
  if (query.tag !== undefined) {
    addSet(
      conditions,
      facts.found((set) => `SELECT seq FROM media_tags WHERE tag = ${set.bind(query.tag ?? '')}`),
    );
  }
  const instants = [
    ['created_on', '>', query.createdAfter],
    ['created_on', '<', query.createdBefore],
    ['publish_on', '>', query.publishAfter],
    ['publish_on', '<', query.publishBefore],
  ] as const;
  for (const [column, sign, instant] of instants) {
    if (instant !== undefined) conditions.add(`v.${column} ${sign} ${bind(secondsOf(instant))}`);
  }
  if (query.hasPublishDate !== undefined) addPublishDate(conditions, query.hasPublishDate, facts);
  if (query.hasDescription !== undefined) conditions.add(`v.has_description = ${bind(Number(query.hasDescription))}`);
}

/** Most items may have no date: SQLite then follows the index of the order, see `addSet`. */
function addPublishDate(conditions: Conditions, hasDate: boolean, facts: MirrorFacts): void {
  const test = hasDate ? 'IS NOT NULL' : 'IS NULL';
  const isLarge = facts.isLarge(() => `SELECT 1 FROM view_media WHERE publish_on ${test}`);
  conditions.add(`${isLarge ? '+' : ''}v.publish_on ${test}`);
}

/**
 * Adds the condition that `seq` is in a set. With a small set, SQLite reads its items and sorts them. With a large one, the
 * unary plus makes SQLite follow the index of the requested order and test each item, so that it soon finds a page.
 */
function addSet(conditions: Conditions, set: FoundSet): void {
  conditions.addSet(set, set.size > FEW_ITEMS ? '+' : '');
}

const SORT_COLUMNS = {
  created_on: 'v.created_on',
  modified_on: 'v.modified_on',
  publish_on: 'v.publish_on',
  popularity: 'v.popularity',
  title: 'v.title_key',
  duration: 'v.duration',
  type: 'v.type',
  status: 'v.status',
  byline: 'v.byline_key',
  tags: 'v.tags_key',
  captions: 'v.has_captions',
  size: 'v.size_bytes',
  likes: 'v.likes',
  comments: 'v.comments',
} as const;

/** The ORDER BY of a list; equal values are sorted by id, so that windows never overlap. */
export function orderSqlOf({ sort, order }: Pick<MediaQuery, 'order'> & { sort: keyof typeof SORT_COLUMNS }): string {
  const direction = order === 'desc' ? 'DESC' : 'ASC';
  return `${SORT_COLUMNS[sort]} ${direction}, v.id_key ${direction}`;
}

function addCollection(conditions: Conditions, id: string, withBelow: boolean, facts: MirrorFacts): void {
  if (withBelow && id === facts.onlyTop) return;
  const column = (isLarge: boolean) => (isLarge ? '+v.collection_id' : 'v.collection_id');
  const members = (ids: string) => `SELECT seq FROM view_media WHERE collection_id IN (${ids})`;
  const ids = (target: Conditions) => (withBelow ? belowSql([target.bind(id)]) : target.bind(id));
  const isLarge = facts.isLarge((alone) => members(ids(alone)));
  conditions.add(`${column(isLarge)} IN (${ids(conditions)})`);
}

/** Selects collections, given by expressions for their ids, and all below them. */
function belowSql(roots: readonly string[]): string {
  return `WITH RECURSIVE below (id) AS (
      VALUES ${roots.map((root) => `(${root})`).join(', ')}
      UNION SELECT c.id FROM collections c JOIN below b ON c.parent_id = b.id
    ) SELECT id FROM below`;
}
