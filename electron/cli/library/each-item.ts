import type { MediaQuery, MediaRow } from '../../../shared/contract/library.ts';
import type { Engine } from '../../engine/engine.ts';
import { findCollection } from '../collections/find-collection.ts';
import type { ItemQuery } from './query-options.ts';

const PAGE = 200;

/**
 * Returns a query with the id of the named collection. Throws `api.not-found`, and `input.invalid` when several collections
 * match.
 */
export async function mediaQueryOf(engine: Engine, siteId: string, query: ItemQuery): Promise<MediaQuery> {
  const collection = query.collection === null ? null : await findCollection(engine, siteId, query.collection);
  return { siteId, collectionId: collection?.id ?? null, ...query.filters };
}

/** Yields the items of a query in its order, at most `most`. `onTotal`: called with the length of the list when it is known. */
export async function* eachItem(
  engine: Engine,
  query: MediaQuery,
  most: number,
  onTotal: (total: number) => void = () => {},
): AsyncGenerator<MediaRow> {
  for (let offset = 0; offset < most; ) {
    const limit = Math.min(PAGE, most - offset);
    const { rows, total } = await engine.call('library.mediaWindow', { query, offset, limit });
    onTotal(total);
    yield* rows;
    offset += rows.length;
    if (rows.length < limit) return;
  }
}
