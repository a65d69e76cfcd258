import { z } from 'zod';
import { ITEM_FIELD } from '../../../shared/item/fields.ts';
import { indexMediaItems } from '../../database/index-items.ts';
import type { Store } from '../../database/store.ts';
import type { Call } from '../../site/site.ts';
import { bodyOf } from '../../wire/body.ts';
import { forbidden, invalid } from '../../wire/problem.ts';
import { tagName } from '../tag-name.ts';
import { mayChange } from './media-rights.ts';
import { findMedia, type MediaRow, visibleMedia } from './media-row.ts';

const MOST = ITEM_FIELD.tags.most;
const TOO_MANY = `must have at most ${MOST} tags`;

export const tagNames = z.array(tagName).max(MOST, TOO_MANY);
/** The body of a change of the tags of an item. */
export const tagsBody = z.object({ tags: tagNames });

/** Adds tags to an item, or removes tags from it; other tags stay. 422 if it would have too many. */
export async function changeTags(
  call: Call,
  idText: string,
  body: unknown,
  change: 'add' | 'remove',
): Promise<MediaRow> {
  const row = await visibleMedia(call, idText);
  if (!(await mayChange(call, row, 'media-update'))) throw forbidden();
  const { tags } = bodyOf(tagsBody, body);
  const { store } = call.site;
  await store.transaction(async () => {
    if (change === 'add') {
      await addTags(store, row.id, tags);
      if ((await countTags(store, row.id)) > MOST) throw invalid([{ field: 'tags', message: TOO_MANY }]);
    } else await removeTags(store, row.id, tags);
    await store.run('UPDATE media SET modified_on = ? WHERE id = ?', call.nowOn, row.id);
    await indexMedia(store, row.id);
  });
  call.effect({ name: 'media-updated', media_id: row.id });
  return (await findMedia(store, row.id)) ?? row;
}

/** Sets the tags of an item exactly. Tags are case-insensitive; the first spelling is kept. */
export async function setTags(store: Store, mediaId: number, names: readonly string[]): Promise<void> {
  await store.run('DELETE FROM media_tags WHERE media_id = ?', mediaId);
  await addTags(store, mediaId, names);
}

async function addTags(store: Store, mediaId: number, names: readonly string[]): Promise<void> {
  for (const name of names.map((given) => given.trim())) {
    await store.run('INSERT INTO tags (display_name) VALUES (?) ON CONFLICT DO NOTHING', name);
    await store.run(
      `INSERT INTO media_tags (media_id, tag_id)
       SELECT ?, id FROM tags WHERE display_name COLLATE NOCASE = ? COLLATE NOCASE ON CONFLICT DO NOTHING`,
      mediaId,
      name,
    );
  }
}

async function countTags(store: Store, mediaId: number): Promise<number> {
  const row = await store.get<{ count: number }>(
    'SELECT count(*) AS count FROM media_tags WHERE media_id = ?',
    mediaId,
  );
  return row?.count ?? 0;
}

async function removeTags(store: Store, mediaId: number, names: readonly string[]): Promise<void> {
  for (const name of names.map((given) => given.trim())) {
    await store.run(
      `DELETE FROM media_tags WHERE media_id = ?
         AND tag_id IN (SELECT id FROM tags WHERE display_name COLLATE NOCASE = ? COLLATE NOCASE)`,
      mediaId,
      name,
    );
  }
}

/** Updates the full-text index for an item. */
export async function indexMedia(store: Store, mediaId: number): Promise<void> {
  await indexMediaItems(store, [mediaId]);
}
