import { z } from 'zod';
import { htmlToText, LINES } from '../../../shared/api/html-text.ts';
import { ITEM_FIELD, recordOf, TEXT_FIELDS } from '../../../shared/item/fields.ts';
import type { Bindable } from '../../database/store.ts';
import { checkMovedItem } from '../../quotas/check-quota.ts';
import { type Call, removeBlobs } from '../../site/site.ts';
import { bodyId, bodyOf, line, lineOrNull, optionalLine, text } from '../../wire/body.ts';
import { forbidden, invalid } from '../../wire/problem.ts';
import { parseId } from '../../wire/query.ts';
import { mayChange } from './media-rights.ts';
import { findMedia, type MediaRow, maySee, visibleMedia } from './media-row.ts';
import { indexMedia, setTags, tagNames } from './media-tags.ts';

const fields = {
  ...recordOf(TEXT_FIELDS, (field) => {
    const { kind, most } = ITEM_FIELD[field];
    return (kind === 'html' ? text(most) : optionalLine(most)).nullish();
  }),
  collection_id: bodyId.nullish(),
  tags: tagNames.nullish(),
};
const title = line(ITEM_FIELD.title.most);
const creation = z.object({ ...fields, title });
const update = z.object({ ...fields, title: title.optional() });

/** The bodies of the requests about media items. */
export const MEDIA_BODIES = { creation, update };

/** Returns the columns of given texts. A line without a value is null; HTML has its plain text beside it. */
function columnsOf(given: z.output<typeof update>): Record<string, Bindable> {
  const set: Record<string, Bindable> = {};
  for (const field of TEXT_FIELDS) {
    const value = given[field];
    if (value === undefined) continue;
    if (ITEM_FIELD[field].kind === 'html') {
      set[field] = value ?? '';
      set[`${field}_plain`] = htmlToText(value ?? '', LINES);
    } else set[field] = lineOrNull(value);
  }
  return set;
}

/** Creates a media item in a collection in which the caller has media-create. Returns its id. */
export async function createMedia(call: Call, body: unknown): Promise<number> {
  const input = bodyOf(creation, body);
  const { store, settings } = call.site;
  const wanted = input.collection_id ?? settings.current().personal_media_collection_id;
  if (wanted === null) throw invalid([{ field: 'collection_id', message: 'is required' }]);
  const collectionId = await targetCollection(call, wanted);
  const status = call.site.dialect().initialMediaStatus;
  return await store.transaction(async () => {
    const texts = columnsOf({ ...recordOf(TEXT_FIELDS, () => null), ...input });
    const row: Record<string, Bindable> = {
      ...texts,
      collection_id: collectionId,
      status,
      publish_on: status === 'published' ? call.nowOn : null,
      was_published: Number(status === 'published'),
      created_on: call.nowOn,
      modified_on: call.nowOn,
      created_by: call.caller.userId,
    };
    const names = Object.keys(row);
    const id = await store.insert(
      `INSERT INTO media (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')}) RETURNING id`,
      ...Object.values(row),
    );
    await setTags(store, id, input.tags ?? []);
    await indexMedia(store, id);
    call.effect({ name: 'media-created', media_id: id, user_id: call.caller.userId });
    return id;
  });
}

/** Saves the given fields of an item; given tags replace the existing ones. */
export async function updateMedia(call: Call, idText: string, body: unknown): Promise<MediaRow> {
  const row = await visibleMedia(call, idText);
  if (!(await mayChange(call, row, 'media-update'))) throw forbidden();
  const input = bodyOf(update, body);
  const { store } = call.site;
  const set = columnsOf(input);
  if (input.collection_id && input.collection_id !== String(row.collection_id)) {
    set.collection_id = await targetCollection(call, input.collection_id);
  }
  await store.transaction(async () => {
    const to = set.collection_id;
    if (typeof to === 'number') await checkMovedItem(call, row.id, row.collection_id, to);
    await saveFields(call, row.id, set);
    if (input.tags) await setTags(store, row.id, input.tags);
    await indexMedia(store, row.id);
  });
  call.effect({ name: 'media-updated', media_id: row.id });
  return (await findMedia(store, row.id)) ?? row;
}

/** Writes columns of an item and the time of the change. */
export async function saveFields(call: Call, id: number, set: Readonly<Record<string, Bindable>>): Promise<void> {
  const names = [...Object.keys(set), 'modified_on'];
  await call.site.store.run(
    `UPDATE media SET ${names.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`,
    ...Object.values(set),
    call.nowOn,
    id,
  );
}

/** Deletes an item with its files; does nothing when it does not exist. The content is deleted after the rows. */
export async function deleteMedia(call: Call, idText: string): Promise<void> {
  const { store } = call.site;
  const id = parseId(idText);
  const row = id === undefined ? undefined : await findMedia(store, id);
  if (!row || !(await maySee(call, row))) return;
  if (!(await mayChange(call, row, 'media-delete'))) throw forbidden();
  const names = await store.transaction(async () => {
    const held = await store.all<{ stored_name: string }>(
      `SELECT stored_name FROM files WHERE media_id = ? AND stored_name IS NOT NULL
       UNION SELECT stored_name FROM thumbs WHERE resource = 'media' AND resource_id = ?`,
      row.id,
      row.id,
    );
    await store.run(`DELETE FROM thumbs WHERE resource = 'media' AND resource_id = ?`, row.id);
    await store.run(store.fullText.remove, JSON.stringify([row.id]));
    await store.run('DELETE FROM media WHERE id = ?', row.id);
    return held;
  });
  call.effect({ name: 'media-deleted', media_id: row.id });
  await removeBlobs(
    call.site,
    names.map(({ stored_name }) => stored_name),
  );
}

/** Returns the target collection of an item. The caller must have media-create in it. */
async function targetCollection(call: Call, idText: string): Promise<number> {
  const { store, access } = call.site;
  const id = parseId(idText);
  const rights = await access.of(call.caller);
  const known = id !== undefined && (await store.get('SELECT 1 FROM collections WHERE id = ?', id)) !== undefined;
  if (!known || !rights.may('collection-read', id)) {
    throw invalid([{ field: 'collection_id', message: 'must be the id of a collection' }]);
  }
  if (!rights.may('media-create', id)) throw forbidden();
  return id;
}
