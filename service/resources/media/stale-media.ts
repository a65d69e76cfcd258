import { setImmediate } from 'node:timers/promises';
import type { Store } from '../../database/store.ts';
import type { Site } from '../../site/site.ts';
import { indexMediaItems } from './media-tags.ts';

/** So many items are brought up to date in one go: a few milliseconds, in which nobody else is answered. */
const SLICE = 200;

/**
 * Notes that items have tags that read differently now. To be called in the transaction that changes the tags, so that
 * what follows from it is made good even when the service is killed on the way.
 */
export function noteTagsChanged(store: Store, tagIds: readonly number[]): void {
  store.run(
    `INSERT OR IGNORE INTO stale_media (media_id)
     SELECT media_id FROM media_tags WHERE tag_id IN (SELECT value FROM json_each(?))`,
    JSON.stringify(tagIds),
  );
}

/**
 * Brings all noted items up to date: they have been modified, and are found by their new words. A tag can be on thousands
 * of items, so others are answered in between. When the service stops on the way, the rest follows after its next start.
 */
export async function refreshStaleMedia({ store, now }: Pick<Site, 'store' | 'now'>): Promise<void> {
  while (store.isOpen() && refreshSlice(store, Math.floor(now() / 1000))) await setImmediate();
}

function refreshSlice(store: Store, nowOn: number): boolean {
  const ids = store
    .all<{ media_id: number }>('SELECT media_id FROM stale_media LIMIT ?', SLICE)
    .map((row) => row.media_id);
  if (ids.length === 0) return false;
  const list = JSON.stringify(ids);
  store.transaction(() => {
    store.run('UPDATE media SET modified_on = ? WHERE id IN (SELECT value FROM json_each(?))', nowOn, list);
    indexMediaItems(store, ids);
    store.run('DELETE FROM stale_media WHERE media_id IN (SELECT value FROM json_each(?))', list);
  });
  return true;
}
