import { type Condition, whereAll } from '../../database/condition.ts';
import type { TextQuery } from '../../database/full-text.ts';
import type { Store } from '../../database/store.ts';
import type { Call } from '../../site/site.ts';
import { type Page, pageLinks, withParams } from '../../wire/paging.ts';
import type { Query } from '../../wire/query.ts';
import { keptPage } from './kept-pages.ts';
import {
  filterConditions,
  inSet,
  type MediaOrder,
  mediaFilterOf,
  mediaOrderOf,
  type ParsedMediaFilter,
  searchQuery,
} from './media-filter.ts';
import { relatedIds } from './media-related.ts';
import { findMedia, MEDIA_COLUMNS, type MediaRow, maySee, renderMedia } from './media-row.ts';

const LIST_PATH = '/api2/media';
const COUNT_PATH = '/api2/media/count';

/** Returns the requested page of media items, limited to those that the caller may see. */
export async function listMedia(call: Call, query: Query, page: Page) {
  const { ids, links } = await pageOfIds(call, query, page);
  return { rows: await rowsOf(call.site.store, ids), links };
}

/** Returns the same page without joins, as JSON in UTF-8. */
export function listMediaJson(call: Call, query: Query, page: Page): Promise<Buffer> {
  return keptPage(call, query, page, () => pageText(call, query, page));
}

/** Makes the JSON of a page: most of its items have a text already. */
async function pageText(call: Call, query: Query, page: Page): Promise<string> {
  const { ids, links } = await pageOfIds(call, query, page);
  const { store } = call.site;
  const since = store.itemChanges();
  const texts = new Map(ids.map((id) => [id, store.itemText(id)]));
  const missing = ids.filter((id) => texts.get(id) === undefined);
  for (const row of missing.length === 0 ? [] : await rowsOf(store, missing)) {
    const text = JSON.stringify(renderMedia(row));
    store.keepItemText(row.id, text, since);
    texts.set(row.id, text);
  }
  return `{"items":[${ids.map((id) => texts.get(id)).join(',')}],"links":${JSON.stringify(links)}}`;
}

async function pageOfIds(call: Call, query: Query, page: Page) {
  const filter = mediaFilterOf(query);
  const order = mediaOrderOf(query, filter);
  const ids = await selectPage(call, filter, order, page);
  const { per_page: _1, _p: _2, joins: _3, sort: _4, order: _5, ...filters } = query;
  return {
    ids: ids.slice(0, page.perPage),
    links: {
      ...pageLinks(LIST_PATH, query, page, ids.length > page.perPage),
      count: withParams(COUNT_PATH, filters),
    },
  };
}

/** Returns the number of items that match the same filters. */
export async function countMediaList(call: Call, query: Query): Promise<number> {
  const filter = mediaFilterOf(query);
  const { sql, params } = await selectIds(call, filter, undefined, 'count(*) AS count');
  return (await call.site.store.get<{ count: number }>(sql, ...params))?.count ?? 0;
}

/** Returns the ids of a page in their order, and one more when there is a next page. */
async function selectPage(call: Call, filter: ParsedMediaFilter, order: MediaOrder, page: Page): Promise<number[]> {
  const { sql, params } = await selectIds(call, filter, order, 'm.id');
  // Ids first: sorting must not carry complete descriptions.
  const limits = [page.perPage + 1, page.offset];
  return (await call.site.store.all<{ id: number }>(`${sql} LIMIT ? OFFSET ?`, ...params, ...limits)).map(
    ({ id }) => id,
  );
}

/** Returns the rows of items in this order. */
function rowsOf(store: Store, ids: readonly number[]): Promise<MediaRow[]> {
  return store.all<MediaRow>(
    `SELECT ${MEDIA_COLUMNS} FROM json_each(?) place JOIN media m ON m.id = place.value ORDER BY place.key`,
    JSON.stringify(ids),
  );
}

const SORT_COLUMNS = {
  created_on: 'm.created_on',
  modified_on: 'm.modified_on',
  publish_on: 'm.publish_on',
  popularity: 'm.views_count',
  title: 'm.title COLLATE NOCASE',
} as const;

/**
 * Returns the query for the items that match a filter and that the caller may see, sorted if an order is given. The table is `m`.
 * Its indexes by sort columns cover most filters, so that a page is found without reading the items.
 */
async function selectIds(
  call: Call,
  filter: ParsedMediaFilter,
  order: MediaOrder | undefined,
  what: string,
): Promise<Condition> {
  const isByRelevance = order?.sort === 'relevance';
  const text = await searched(call, filter, isByRelevance);
  const where = whereAll([
    ...(await filterConditions(call.site.store, filter)),
    ...(await visibility(call)),
    ...text.conditions,
  ]);
  const by = order && order.sort !== 'relevance' ? { sql: SORT_COLUMNS[order.sort], params: [] } : text.order;
  const direction = order?.descending ? 'DESC' : 'ASC';
  // An item without a date is before all others.
  const nulls = order?.sort !== 'publish_on' ? '' : order.descending ? 'NULLS LAST' : 'NULLS FIRST';
  const ordered = order ? `ORDER BY ${by.sql} ${direction} ${nulls}, m.id ${direction}` : '';
  return {
    sql: `SELECT ${what} FROM ${text.table.sql} ${where.sql} ${ordered}`,
    params: [...text.table.params, ...where.params, ...(order ? by.params : [])],
  };
}

interface Searched {
  /** The tables to select from, with the items as `m`. */
  table: Condition;
  conditions: Condition[];
  /** The order by relevance. */
  order: Condition;
}

/**
 * Adds full-text search and related items to the query. Both may be requested together; then relatedness is the
 * relevance.
 */
async function searched(call: Call, filter: ParsedMediaFilter, isByRelevance: boolean): Promise<Searched> {
  const found: Searched = { table: { sql: 'media m', params: [] }, conditions: [], order: { sql: 'm.id', params: [] } };
  const { fullText } = call.site.store;
  const words = filter.search === undefined ? undefined : searchQuery(filter.search);
  if (filter.relatedTo !== undefined) {
    const row = await findMedia(call.site.store, filter.relatedTo);
    const ids = row && (await maySee(call, row)) ? await relatedIds(call.site.store, row) : [];
    // A CROSS JOIN makes SQLite keep this order: from the few ids to the items.
    found.table = { sql: 'json_each(?) related CROSS JOIN media m', params: [JSON.stringify(ids)] };
    found.conditions.push({ sql: 'm.id = related.value', params: [] });
    found.order = { sql: 'related.key', params: [] };
  }
  if (filter.search !== undefined && words === undefined) {
    found.conditions.push({ sql: 'FALSE', params: [] });
  } else if (words !== undefined && isByRelevance && filter.relatedTo === undefined) {
    const { table, condition, rank } = fullText.ranked(words);
    found.table = { sql: table, params: [] };
    found.conditions.push(condition);
    const params = [await oldestRanked(call, words), ...rank.params];
    found.order = { sql: `CASE WHEN m.id >= ? THEN ${rank.sql} ELSE 0 END`, params };
  } else if (words !== undefined) {
    const { sql, params } = fullText.matching(words);
    const members = { sql: `FROM (${sql}) AS matches`, params };
    found.conditions.push({ sql: await inSet(call.site.store, 'm.id', sql, members), params });
  }
  return found;
}

/** The number of matches that are ranked. Older matches of a very common word come after them. */
const RANKED = 5000;

/** Returns the id of the oldest match that is ranked. */
async function oldestRanked({ site: { store } }: Call, words: TextQuery): Promise<number> {
  const { sql, params } = store.fullText.matching(words);
  const row = await store.get<{ id: number }>(`${sql} ORDER BY id DESC LIMIT 1 OFFSET ?`, ...params, RANKED - 1);
  return row?.id ?? 0;
}

/** `maySee` as conditions of a query. */
async function visibility(call: Call): Promise<Condition[]> {
  const access = await call.site.access.of(call.caller);
  const readable = access.condition('media-read')?.('m.collection_id');
  const conditions = readable ? [readable] : [];
  const workable = [access.condition('media-update'), access.condition('media-publish')];
  if (workable.includes(undefined)) return conditions;
  const parts = workable.flatMap((condition) => condition?.('m.collection_id') ?? []);
  conditions.push({
    sql: [`m.status = 'published' OR m.created_by = ?`, ...parts.map((part) => part.sql)].join(' OR '),
    params: [call.caller.userId, ...parts.flatMap((part) => part.params)],
  });
  return conditions;
}
