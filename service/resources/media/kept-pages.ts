import type { Call } from '../../site/site.ts';
import type { Page } from '../../wire/paging.ts';
import type { Query } from '../../wire/query.ts';

/** The pages that are kept at most, in bytes. */
const MOST_BYTES = 16 * 1024 * 1024;

/** The pages since the last change of an item, a tag or a right. */
interface KeptPages {
  /** The least recently used one first. */
  pages: Map<string, Buffer>;
  bytes: number;
}

/**
 * Returns the JSON of a page of items in UTF-8, which `make` makes from items, their tags and the rights of the caller alone. Until one
 * of these changes, an equal request of the same user gets what the one before got.
 */
export async function keptPage(
  { site: { store }, caller }: Call,
  query: Query,
  page: Page,
  make: () => Promise<string>,
): Promise<Buffer> {
  const ofItems = await store.derived('items', 'pages', () => new WeakMap<object, KeptPages>());
  const rights = await store.derived('access', 'rights of pages', () => ({}));
  const kept = ofItems.get(rights) ?? { pages: new Map<string, Buffer>(), bytes: 0 };
  ofItems.set(rights, kept);
  // All administrators see everything, so they share their pages.
  const key = `${caller.isAdmin ? 'all' : caller.userId} ${page.perPage} ${page.number} ${JSON.stringify(query)}`;
  const known = kept.pages.get(key);
  const json = known ?? Buffer.from(await make());
  kept.pages.delete(key);
  kept.pages.set(key, json);
  if (known === undefined) kept.bytes += json.length;
  for (const [oldest, { length }] of kept.pages) {
    if (kept.bytes <= MOST_BYTES) break;
    kept.pages.delete(oldest);
    kept.bytes -= length;
  }
  return json;
}
