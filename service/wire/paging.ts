import type { Dialect } from './dialect.ts';
import { param, type Query, wholeNumber } from './query.ts';

/** The page that a list request asks for. */
export interface Page {
  perPage: number;
  number: number;
  offset: number;
}

/** The sources of page sizes: the settings and, where they are null, the dialect. */
export interface PageSizeSource {
  dialect(): Pick<Dialect, 'pageSize'>;
  settings: { current(): { page_size: { default: number | null; max: number | null } } };
}

/** Reads `per_page` (limited to the site's maximum) and `_p` (1 is the first page). */
export function pageOf(site: PageSizeSource, query: Query): Page {
  const { page_size } = site.settings.current();
  const sizes = site.dialect().pageSize;
  const max = page_size.max ?? sizes.max;
  const rule = 'must be a whole number above 0';
  const asked = param(query, 'per_page', positive, rule) ?? page_size.default ?? sizes.default;
  const perPage = Math.min(asked, max);
  const number = param(query, '_p', positive, rule) ?? 1;
  return { perPage, number, offset: (number - 1) * perPage };
}

function positive(text: string): number | undefined {
  const value = wholeNumber(text);
  return value === 0 ? undefined : value;
}

export interface PageLinks {
  self: string;
  prev: string | null;
  next: string | null;
}

/** The links of a page: the parameters of the request with `per_page` and `_p` set. */
export function pageLinks(path: string, query: Query, page: Page, hasNext: boolean): PageLinks {
  const link = (number: number) => withParams(path, { ...query, per_page: String(page.perPage), _p: String(number) });
  return {
    self: link(page.number),
    prev: page.number > 1 ? link(page.number - 1) : null,
    next: hasNext ? link(page.number + 1) : null,
  };
}

export function withParams(path: string, params: Query): string {
  const given = Object.entries(params).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const text = new URLSearchParams(given).toString();
  return text ? `${path}?${text}` : path;
}
