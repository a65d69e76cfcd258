import { setImmediate } from 'node:timers/promises';
import { indexMediaItems } from '../../database/index-items.ts';
import type { Store } from '../../database/store.ts';
import type { Site } from '../../site/site.ts';

/** The number of items that are updated in one step: this blocks other requests for a few milliseconds. */
const SLICE = 200;

/**
 * Records the items of changed tags as stale. Call it in the transaction that changes the tags, so that their update is
 * completed even if the service is killed in between.
 */
export async function markMediaStale(store: Store, tagIds: readonly number[]): Promise<void> {
  await store.run(
    `INSERT INTO stale_media (media_id)
     SELECT media_id FROM media_tags WHERE tag_id IN (SELECT value FROM json_each(?))
     ON CONFLICT DO NOTHING`,
    JSON.stringify(tagIds),
  );
}

/**
 * Updates all stale items: their `modified_on` and their full-text index. A tag can be on thousands of items, so other
 * requests are served in between. If the service stops meanwhile, the next start completes the update.
 */
export async function refreshStaleMedia({ store, now }: Pick<Site, 'store' | 'now'>): Promise<void> {
  while (store.isOpen() && (await refreshSlice(store, Math.floor(now() / 1000)))) await setImmediate();
}

async function refreshSlice(store: Store, nowOn: number): Promise<boolean> {
  const ids = (await store.all<{ media_id: number }>('SELECT media_id FROM stale_media LIMIT ?', SLICE)).map(
    (row) => row.media_id,
  );
  if (ids.length === 0) return false;
  const list = JSON.stringify(ids);
  await store.transaction(async () => {
    await store.run('UPDATE media SET modified_on = ? WHERE id IN (SELECT value FROM json_each(?))', nowOn, list);
    await indexMediaItems(store, ids);
    await store.run('DELETE FROM stale_media WHERE media_id IN (SELECT value FROM json_each(?))', list);
  });
  return true;
}
