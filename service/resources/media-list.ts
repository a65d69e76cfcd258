import { type Page, pageLinks, withParams } from '../http/paging.ts';
import type { Query } from '../http/query.ts';
import type { Call } from '../site/site.ts';
import type { Bindable } from '../store/database.ts';
import {
  type Clause,
  filterClauses,
  type MediaFilter,
  type MediaOrder,
  mediaFilterOf,
  mediaOrderOf,
  relatedExpression,
  searchExpression,
} from './media-filter.ts';
import { findMedia, MEDIA_COLUMNS, type MediaRow, maySee, tagsOf } from './media-row.ts';

const LIST_PATH = '/api2/media';
const COUNT_PATH = '/api2/media/count';

/** The page of media items that the query asks for, as far as the caller may see them. */
export function listMedia(call: Call, query: Query, page: Page) {
  const filter = mediaFilterOf(query);
  const order = mediaOrderOf(query, filter);
  const rows = selectPage(call, filter, order, page);
  const { per_page: _1, _p: _2, joins: _3, sort: _4, order: _5, ...filters } = query;
  return {
    rows: rows.slice(0, page.perPage),
    links: {
      ...pageLinks(LIST_PATH, query, page, rows.length > page.perPage),
      count: withParams(COUNT_PATH, filters),
    },
  };
}

/** How many items the same filters find. */
export function countMediaList(call: Call, query: Query): number {
  const from = source(call, mediaFilterOf(query));
  if (!from) return 0;
  const row = call.site.store.get<{ count: number }>(`SELECT count(*) AS count ${from.sql}`, ...from.params);
  return row?.count ?? 0;
}

function selectPage(call: Call, filter: MediaFilter, order: MediaOrder, page: Page): MediaRow[] {
  const from = source(call, filter);
  if (!from) return [];
  const direction = order.descending ? 'DESC' : 'ASC';
  const by = order.sort === 'relevance' ? 'media_text.rank' : SORT_COLUMNS[order.sort];
  // The page is found by id first: sorting must not carry whole descriptions.
  const ids = call.site.store.all<{ id: number }>(
    `SELECT m.id ${from.sql} ORDER BY ${by} ${direction}, m.id ${direction} LIMIT ? OFFSET ?`,
    ...from.params,
    page.perPage + 1,
    page.offset,
  );
  return call.site.store.all<MediaRow>(
    `SELECT ${MEDIA_COLUMNS} FROM json_each(?) place JOIN media m ON m.id = place.value ORDER BY place.key`,
    JSON.stringify(ids.map(({ id }) => id)),
  );
}

const SORT_COLUMNS = {
  created_on: 'm.created_on',
  modified_on: 'm.modified_on',
  publish_on: 'm.publish_on',
  popularity: 'm.views_count',
  title: 'm.title COLLATE NOCASE',
} as const;

/** FROM and WHERE for a filter; undefined when nothing can match. */
function source(call: Call, filter: MediaFilter): Clause | undefined {
  const clauses = [...filterClauses(filter), ...visibility(call)];
  const match = textExpression(call, filter);
  if (match === null) return undefined;
  if (match !== undefined) clauses.push({ sql: 'media_text MATCH ?', params: [match] });
  const table = match === undefined ? 'FROM media m' : 'FROM media_text JOIN media m ON m.id = media_text.rowid';
  const where = clauses.length > 0 ? `WHERE ${clauses.map((clause) => `(${clause.sql})`).join(' AND ')}` : '';
  return { sql: `${table} ${where}`, params: clauses.flatMap((clause): Bindable[] => clause.params) };
}

/** The full-text condition: undefined without one, null when it can match nothing. */
function textExpression(call: Call, filter: MediaFilter): string | null | undefined {
  const parts: (string | undefined)[] = [];
  if (filter.search !== undefined) parts.push(searchExpression(filter.search));
  if (filter.relatedTo !== undefined) {
    const row = findMedia(call.site.store, filter.relatedTo);
    parts.push(row && maySee(call, row) ? relatedExpression([row.title, ...tagsOf(row)]) : undefined);
  }
  if (parts.length === 0) return undefined;
  return parts.includes(undefined) ? null : parts.map((part) => `(${part})`).join(' AND ');
}

/** What `maySee` says of one row, as a condition on all. */
function visibility(call: Call): Clause[] {
  const access = call.site.access.of(call.caller);
  const clauses: Clause[] = [];
  const readable = access.condition('media-read')?.('m.collection_id');
  if (readable) clauses.push(readable);
  const workable = [access.condition('media-update'), access.condition('media-publish')];
  if (workable.includes(undefined)) return clauses;
  const parts = workable.flatMap((condition) => condition?.('m.collection_id') ?? []);
  clauses.push({
    sql: [`m.status = 'published' OR m.created_by = ?`, ...parts.map((part) => part.sql)].join(' OR '),
    params: [call.caller.userId, ...parts.flatMap((part) => part.params)],
  });
  return clauses;
}
