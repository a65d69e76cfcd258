import { createHash } from 'node:crypto';
import type { Site } from '../site/site.ts';

/** A feed as it is sent. */
export interface FeedText {
  body: Buffer;
  etag: string;
}

/** Feeds that are kept: the largest have about a megabyte. */
const MOST_KEPT = 50;

/**
 * Returns the feed of a collection, which `build` makes: every visitor may ask for it, and a large one takes many queries. It is kept
 * until something changes that a feed can contain. Whether the visitor may have it is not part of it.
 */
export async function keptFeed(
  store: Pick<Site['store'], 'derived'>,
  collectionId: number,
  build: () => Promise<string>,
): Promise<FeedText> {
  const kept = await store.derived('feeds', 'feeds', () => new Map<number, FeedText>());
  const known = kept.get(collectionId);
  if (known !== undefined) return known;
  const body = Buffer.from(await build());
  const feed = { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 32)}"` };
  const [oldest] = kept.keys();
  if (kept.size >= MOST_KEPT && oldest !== undefined) kept.delete(oldest);
  kept.set(collectionId, feed);
  return feed;
}
