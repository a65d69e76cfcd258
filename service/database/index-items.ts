import type { ItemText } from './full-text.ts';
import type { Store } from './store.ts';

/** Updates the full-text index for several items. */
export async function indexMediaItems(store: Store, mediaIds: readonly number[]): Promise<void> {
  const ids = JSON.stringify(mediaIds);
  await store.run(store.fullText.remove, ids);
  const items = await store.all<ItemText>(
    `SELECT m.id, m.title, coalesce(m.byline, '') AS byline, m.description_plain AS description,
       coalesce((SELECT group_concat(t.display_name, ' ') FROM media_tags mt JOIN tags t ON t.id = mt.tag_id
         WHERE mt.media_id = m.id), '') AS tags
     FROM media m WHERE m.id IN (SELECT value FROM json_each(?))`,
    ids,
  );
  for (const item of items) {
    const { sql, params } = store.fullText.insert(item);
    await store.run(sql, ...params);
  }
}
