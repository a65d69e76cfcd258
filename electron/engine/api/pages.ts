import { z } from 'zod';
import { listEnvelope } from '../../../shared/api/wire.ts';
import { type AppError, appError } from '../../../shared/contract/app-error.ts';
import type { Query, SiteClient } from './http-client.ts';
import { apiUrl, isOwnSite } from './links.ts';

/** One page of a list. */
export interface Page<T> {
  items: T[];
  hasNext: boolean;
  /** Entries that could not be read and are left out. */
  damaged: number;
}

/** No list of ours is longer: 100,000 entries at ten a page. What goes on beyond is a server gone wrong. */
const MAX_PAGES = 10_000;
const envelope = listEnvelope(z.unknown());

/**
 * The pages of a list, each fetched when it is asked for. Follows `links.next` and computes nothing. A page that comes
 * again, or a link to another site, is `api.malformed`. An entry that can't be read is left out, counted and logged.
 */
export async function* pagesOf<T>(
  client: SiteClient,
  schema: z.ZodType<T>,
  path: string,
  query?: Query,
  signal?: AbortSignal,
): AsyncGenerator<Page<T>, void, undefined> {
  const visited = new Set<string>();
  let target: string | URL = path;
  let from = apiUrl(client.baseUrl, path);
  for (let count = 0; count < MAX_PAGES; count++) {
    const list: z.output<typeof envelope> = await client.read(
      envelope,
      target,
      count === 0 ? query : undefined,
      signal,
    );
    const next = list.links.next ?? null;
    const page = readPage(client, schema, list.items, path);
    yield { ...page, hasNext: next !== null };
    if (next === null) return;
    const url = client.resolve(next, from);
    if (url === null || !isOwnSite(client.baseUrl, url)) throw broken(path, 'the next page is on another site');
    if (visited.has(url.href)) throw broken(path, 'the pages go round in a circle');
    visited.add(url.href);
    target = url;
    from = url;
  }
  throw broken(path, 'more pages than any list has');
}

/** The entries of all pages, lazily. */
export async function* itemsOf<T>(pages: AsyncIterable<Page<T>>): AsyncGenerator<T, void, undefined> {
  for await (const page of pages) yield* page.items;
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
