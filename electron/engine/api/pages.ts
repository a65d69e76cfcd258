import { z } from 'zod';
import { listEnvelope } from '../../../shared/api/wire.ts';
import { type AppError, appError } from '../../../shared/contract/app-error.ts';
import type { QueryValues, SiteClient } from './http-client.ts';
import { apiUrl, isOwnSite } from './links.ts';

/** One page of a list. */
export interface ApiPage<T> {
  items: T[];
  hasNext: boolean;
  /** The number of skipped entries that could not be read. */
  damaged: number;
}

/** The pages of a list. Unlike a generator, its `next()` can be called again after a failure: it requests the same page. */
export type Pages<T> = AsyncIterableIterator<ApiPage<T>, undefined, undefined>;

/** The maximum number of pages: 100,000 entries at ten a page. A longer list is an error of the server. */
const MAX_PAGES = 10_000;
const envelope = listEnvelope(z.unknown());

/**
 * Returns the pages of a list, each fetched on demand. Follows `links.next` only. A repeated page, or a link to another
 * site, is `api.malformed`. An unreadable entry is skipped, counted and logged.
 */
export function pagesOf<T>(
  client: SiteClient,
  schema: z.ZodType<T>,
  path: string,
  query?: QueryValues,
  signal?: AbortSignal,
): Pages<T> {
  const visited = new Set<string>();
  let target: string | URL | null = path;
  let fetched = 0;

  async function next(): Promise<IteratorResult<ApiPage<T>, undefined>> {
    if (target === null) return { done: true, value: undefined };
    const list: z.output<typeof envelope> = await client.read(
      envelope,
      target,
      fetched === 0 ? query : undefined,
      signal,
    );
    const from = typeof target === 'string' ? apiUrl(client.baseUrl, target) : target;
    const link = list.links.next ?? null;
    const following = link === null ? null : nextUrl(client, link, from, path);
    if (following !== null && visited.has(following.href)) throw broken(path, 'the pages go round in a circle');
    if (++fetched > MAX_PAGES) throw broken(path, 'more pages than any list has');
    if (following !== null) visited.add(following.href);
    target = following;
    return { done: false, value: { ...readPage(client, schema, list.items, path), hasNext: following !== null } };
  }

  const pages: Pages<T> = {
    next,
    async return() {
      target = null;
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]: () => pages,
  };
  return pages;
}

/** The entries of all pages, lazily. */
export async function* itemsOf<T>(pages: AsyncIterable<ApiPage<T>>): AsyncGenerator<T, void, undefined> {
  for await (const page of pages) yield* page.items;
}

/**
 * Returns the address of the next page, always on the site's own origin. A library behind a proxy may write its internal host or
 * another scheme into links: when the path is that of the list, only the query of the link is used.
 */
function nextUrl(client: SiteClient, link: string, from: URL, path: string): URL {
  const url = client.resolve(link, from);
  if (url !== null && isOwnSite(client.baseUrl, url)) return url;
  if (!url?.pathname.endsWith(path) || url.search === '') throw broken(path, 'the next page is on another site');
  const own = apiUrl(client.baseUrl, path);
  own.search = url.search;
  return own;
}

function readPage<T>(client: SiteClient, schema: z.ZodType<T>, entries: unknown[], path: string) {
  const items: T[] = [];
  let damaged = 0;
  for (const entry of entries) {
    const parsed = schema.safeParse(entry);
    if (parsed.success) {
      items.push(parsed.data);
      continue;
    }
    damaged++;
    const issue = parsed.error.issues[0];
    client.logger.warn('api.entry-damaged', { path, field: issue?.path.join('.') ?? '', reason: issue?.code ?? '' });
  }
  return { items, damaged };
}

function broken(path: string, reason: string): AppError {
  return appError('api.malformed', { details: { method: 'GET', path, reason, outcome: 'refused' } });
}
