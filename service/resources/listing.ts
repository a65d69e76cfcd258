import type { Condition } from '../database/condition.ts';
import type { Call } from '../site/site.ts';
import { type PageLinks, pageLinks, pageOf, withParams } from '../wire/paging.ts';
import type { Query } from '../wire/query.ts';

export interface Listing<Row> {
  rows: Row[];
  links: { self: string } | PageLinks;
}

/**
 * The rows of a list that comes whole, with `self` as its only link, as the API shows the lists of users, groups, tags
 * and roles. Whoever asks for pages (`per_page`, `_p`) gets pages.
 */
export function listWhole<Row>(call: Call, path: string, query: Query, select: Condition): Listing<Row> {
  if (query.per_page || query._p) return listPaged(call, path, query, select);
  return { rows: call.site.store.all<Row>(select.sql, ...select.params), links: { self: withParams(path, query) } };
}

/** One page of rows, with links to the pages around it. The query must end with its ORDER BY. */
export function listPaged<Row>(call: Call, path: string, query: Query, select: Condition): Listing<Row> {
  const page = pageOf(call.site, query);
  const rows = call.site.store.all<Row>(
    `${select.sql} LIMIT ? OFFSET ?`,
    ...select.params,
    page.perPage + 1,
    page.offset,
  );
  return {
    rows: rows.slice(0, page.perPage),
    links: pageLinks(path, query, page, rows.length > page.perPage),
  };
}
