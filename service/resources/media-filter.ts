import { MEDIA_SORTS, MEDIA_STATUSES, MEDIA_TYPES, type MediaSort } from '../../shared/api/media.ts';
import { invalid } from '../http/problem.ts';
import { idList, oneOf, param, parseId, parseInstant, type Query } from '../http/query.ts';
import type { Bindable } from '../store/database.ts';

/** The filters of the media list and the media count, read and checked. Instants are epoch seconds. */
export interface MediaFilter {
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

export function mediaFilterOf(query: Query): MediaFilter {
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

export function mediaOrderOf(query: Query, filter: MediaFilter): MediaOrder {
  const sort = param(query, 'sort', oneOf(MEDIA_SORTS), `must be one of ${MEDIA_SORTS.join(', ')}`) ?? 'publish_on';
  if (sort === 'relevance' && filter.search === undefined && filter.relatedTo === undefined) {
    throw invalid([{ field: 'sort', message: 'relevance goes only with search or related_to' }]);
  }
  return { sort, descending: param(query, 'order', oneOf(['asc', 'desc']), 'must be asc or desc') === 'desc' };
}

/** A piece of SQL with its parameters. */
export interface Clause {
  sql: string;
  params: Bindable[];
}

/** The filter as conditions on a table `m`. Instants compare strictly. Full text is joined by the caller. */
export function filterClauses(filter: MediaFilter): Clause[] {
  const clauses: Clause[] = [];
  const add = (sql: string, ...params: Bindable[]) => clauses.push({ sql, params });
  if (filter.type !== undefined) add('m.type = ?', filter.type);
  if (filter.status !== undefined) add('m.status = ?', filter.status);
  if (filter.createdBefore !== undefined) add('m.created_on < ?', filter.createdBefore);
  if (filter.createdAfter !== undefined) add('m.created_on > ?', filter.createdAfter);
  if (filter.publishBefore !== undefined) add('m.publish_on < ?', filter.publishBefore);
  if (filter.publishAfter !== undefined) add('m.publish_on > ?', filter.publishAfter);
  if (filter.collectionIds)
    add(`m.collection_id IN (SELECT value FROM json_each(?))`, JSON.stringify(filter.collectionIds));
  if (filter.tag !== undefined) {
    add(
      'm.id IN (SELECT mt.media_id FROM media_tags mt JOIN tags t ON t.id = mt.tag_id WHERE t.display_name = ?)',
      filter.tag,
    );
  }
  if (filter.relatedTo !== undefined) add('m.id <> ?', filter.relatedTo);
  if (filter.excludeIds) add('m.id NOT IN (SELECT value FROM json_each(?))', JSON.stringify(filter.excludeIds));
  return clauses;
}

/** What is typed into a search box as a full-text query: every word must occur, at least as a beginning. */
export function searchExpression(search: string): string | undefined {
  const words = wordsOf(search).slice(0, 20);
  return words.length === 0 ? undefined : words.map((word) => `"${word}"*`).join(' AND ');
}

/** Words that an item shares with others: any of them makes an item related. */
export function relatedExpression(texts: readonly string[]): string | undefined {
  const words = [...new Set(texts.flatMap(wordsOf).filter((word) => word.length > 3))].slice(0, 30);
  return words.length === 0 ? undefined : words.map((word) => `"${word}"`).join(' OR ');
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
}
