import { MEDIA_SORTS, MEDIA_STATUSES, MEDIA_TYPES, type MediaSort } from '../../../shared/api/media.ts';
import type { Condition } from '../../database/condition.ts';
import type { TextQuery } from '../../database/full-text.ts';
import type { Bindable, Store } from '../../database/store.ts';
import { invalid } from '../../wire/problem.ts';
import { idList, oneOf, param, parseId, parseInstant, type Query } from '../../wire/query.ts';

/** The parsed and validated filters of the media list and the media count. Instants are epoch seconds. */
export interface ParsedMediaFilter {
  type?: string | undefined;
  status?: string | undefined;
  createdBefore?: number | undefined;
  createdAfter?: number | undefined;
  publishBefore?: number | undefined;
  publishAfter?: number | undefined;
  collectionIds?: number[] | undefined;
  tag?: string | undefined;
  search?: string | undefined;
  relatedTo?: number | undefined;
  excludeIds?: number[] | undefined;
}

export interface MediaOrder {
  sort: MediaSort;
  descending: boolean;
}

const INSTANT_RULE = 'must be an ISO-8601 date and time';

export function mediaFilterOf(query: Query): ParsedMediaFilter {
  return {
    type: param(query, 'type', oneOf(MEDIA_TYPES), `must be one of ${MEDIA_TYPES.join(', ')}`),
    status: param(query, 'status', oneOf(MEDIA_STATUSES), `must be one of ${MEDIA_STATUSES.join(', ')}`),
    createdBefore: param(query, 'created_before', parseInstant, INSTANT_RULE),
    createdAfter: param(query, 'created_after', parseInstant, INSTANT_RULE),
    publishBefore: param(query, 'publish_before', parseInstant, INSTANT_RULE),
    publishAfter: param(query, 'publish_after', parseInstant, INSTANT_RULE),
    collectionIds: query.collection_id ? idList(query.collection_id) : undefined,
    tag: query.tag || undefined,
    search: query.search?.trim() || undefined,
    relatedTo: query.related_to ? (parseId(query.related_to) ?? -1) : undefined,
    excludeIds: query.exclude_ids ? idList(query.exclude_ids) : undefined,
  };
}

export function mediaOrderOf(query: Query, filter: ParsedMediaFilter): MediaOrder {
  const sort = param(query, 'sort', oneOf(MEDIA_SORTS), `must be one of ${MEDIA_SORTS.join(', ')}`) ?? 'publish_on';
  if (sort === 'relevance' && filter.search === undefined && filter.relatedTo === undefined) {
    throw invalid([{ field: 'sort', message: 'relevance requires search or related_to' }]);
  }
  return { sort, descending: param(query, 'order', oneOf(['asc', 'desc']), 'must be asc or desc') === 'desc' };
}

/**
 * Returns the filter as conditions on a table `m`. Instants compare strictly. Full-text search and related items are handled
 * elsewhere.
 */
export async function filterConditions(store: Store, filter: ParsedMediaFilter): Promise<Condition[]> {
  const conditions: Condition[] = [];
  const add = (sql: string, ...params: Bindable[]) => conditions.push({ sql, params });
  if (filter.type !== undefined) add('m.type = ?', filter.type);
  if (filter.status !== undefined) add('m.status = ?', filter.status);
  if (filter.createdBefore !== undefined) add('m.created_on < ?', filter.createdBefore);
  if (filter.createdAfter !== undefined) add('m.created_on > ?', filter.createdAfter);
  if (filter.publishBefore !== undefined) add('m.publish_on < ?', filter.publishBefore);
  if (filter.publishAfter !== undefined) add('m.publish_on > ?', filter.publishAfter);
  if (filter.collectionIds) {
    const ids = JSON.stringify(filter.collectionIds);
    const members = { sql: 'FROM media WHERE collection_id IN (SELECT value FROM json_each(?))', params: [ids] };
    add(await inSet(store, 'm.collection_id', 'SELECT value FROM json_each(?)', members), ids);
  }
  if (filter.tag !== undefined) {
    const members = {
      sql: 'FROM media_tags mt JOIN tags t ON t.id = mt.tag_id WHERE t.display_name COLLATE NOCASE = ? COLLATE NOCASE',
      params: [filter.tag],
    };
    add(await inSet(store, 'm.id', `SELECT mt.media_id ${members.sql}`, members), filter.tag);
  }
  if (filter.excludeIds) add('m.id NOT IN (SELECT value FROM json_each(?))', JSON.stringify(filter.excludeIds));
  return conditions;
}

/** The maximum size of a set that is sorted completely. */
const FEW_ITEMS = 2000;

/**
 * Returns the condition that a column is in a set, which `select` selects. `members`: the items of the set. A list begins with a small set
 * and sorts it. With a large one it follows the index of the requested order and tests each row, which soon fills a page.
 */
export async function inSet(store: Store, column: string, select: string, members: Condition): Promise<string> {
  const row = await store.get<{ count: number }>(
    `SELECT count(*) AS count FROM (SELECT 1 ${members.sql} LIMIT ?) AS members`,
    ...members.params,
    FEW_ITEMS + 1,
  );
  return store.inSet(column, select, (row?.count ?? 0) <= FEW_ITEMS);
}

/** The full-text query for a search text: every word must occur, at least as a prefix. Undefined for a text without words. */
export function searchQuery(search: string): TextQuery | undefined {
  const words = [...new Set(wordsOf(search))].slice(0, 20);
  return words.length === 0 ? undefined : { words, isPrefix: true };
}

/** The words of a text in lower case, split as in the full-text index. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
}
