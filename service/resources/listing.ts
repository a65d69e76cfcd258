import type { Condition } from '../database/condition.ts';
import type { Call } from '../site/site.ts';
import { type PageLinks, pageLinks, pageOf, withParams } from '../wire/paging.ts';
import type { Query } from '../wire/query.ts';

export interface Listing<Row> {
  rows: Row[];
  links: { self: string } | PageLinks;
}

/**
 * Returns all rows of a list, with `self` as its only link, as the API documents the lists of users, groups, tags and
 * roles. With `per_page` or `_p` in the query, returns one page instead.
 */
export async function listAll<Row>(call: Call, path: string, query: Query, select: Condition): Promise<Listing<Row>> {
  if (query.per_page || query._p) return await listPaged(call, path, query, select);
  return {
    rows: await call.site.store.all<Row>(select.sql, ...select.params),
    links: { self: withParams(path, query) },
  };
}

/**
 * Returns one page of rows, with links to the neighboring pages. The query must end with its ORDER BY. `around`: makes the whole query
 * from that of the page, for queries that select only the ids of the page: their joins then cost nothing for the pages before it.
 */
export async function listPaged<Row>(
  call: Call,
  path: string,
  query: Query,
  select: Condition,
  around: (page: string) => string = (page) => page,
): Promise<Listing<Row>> {
  const page = pageOf(call.site, query);
  const sql = around(`${select.sql} LIMIT ? OFFSET ?`);
  const rows = await call.site.store.all<Row>(sql, ...select.params, page.perPage + 1, page.offset);
  return {
    rows: rows.slice(0, page.perPage),
    links: pageLinks(path, query, page, rows.length > page.perPage),
  };
}
