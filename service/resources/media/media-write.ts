import { z } from 'zod';
import { htmlToText, LINES } from '../../../shared/api/html-text.ts';
import { ITEM_FIELD, recordOf, TEXT_FIELDS } from '../../../shared/item/fields.ts';
import type { Bindable } from '../../database/store.ts';
import { checkMovedItem } from '../../quotas/check-quota.ts';
import type { Call } from '../../site/site.ts';
import { bodyId, bodyOf, line, optionalLine, text } from '../../wire/body.ts';
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
    } else set[field] = value || null;
  }
  return set;
}

/** Creates a media item in a collection in which the caller has media-create. Returns its id. */
export function createMedia(call: Call, body: unknown): number {
  const input = bodyOf(creation, body);
  const { store, settings } = call.site;
  const wanted = input.collection_id ?? settings.current().personal_media_collection_id;
  if (wanted === null) throw invalid([{ field: 'collection_id', message: 'is required' }]);
  const collectionId = targetCollection(call, wanted);
  const status = call.site.dialect().initialMediaStatus;
  return store.transaction(() => {
    const texts = columnsOf({ ...recordOf(TEXT_FIELDS, () => null), ...input });
    const row: Record<string, Bindable> = {
      ...texts,
      ...{ collection_id: collectionId, status },
      ...{ publish_on: status === 'published' ? call.nowOn : null, was_published: Number(status === 'published') },
      ...{ created_on: call.nowOn, modified_on: call.nowOn, created_by: call.caller.userId },
    };
    const names = Object.keys(row);
    const id = store.insert(
      `INSERT INTO media (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')}) RETURNING id`,
      ...Object.values(row),
    );
    setTags(store, id, input.tags ?? []);
    indexMedia(store, id);
    call.effect({ name: 'media-created', media_id: id, user_id: call.caller.userId });
    return id;
  });
}

/** Saves the given fields of an item; given tags replace the existing ones. */
export function updateMedia(call: Call, idText: string, body: unknown): MediaRow {
  const row = visibleMedia(call, idText);
  if (!mayChange(call, row, 'media-update')) throw forbidden();
  const input = bodyOf(update, body);
  const { store } = call.site;
  const set = columnsOf(input);
  if (input.collection_id && input.collection_id !== String(row.collection_id)) {
    set.collection_id = targetCollection(call, input.collection_id);
  }
  store.transaction(() => {
    const to = set.collection_id;
    if (typeof to === 'number') checkMovedItem(call, row.id, row.collection_id, to);
    saveFields(call, row.id, set);
    if (input.tags) setTags(store, row.id, input.tags);
    indexMedia(store, row.id);
  });
  call.effect({ name: 'media-updated', media_id: row.id });
  return findMedia(store, row.id) ?? row;
}

/** Writes columns of an item and the time of the change. */
export function saveFields(call: Call, id: number, set: Readonly<Record<string, Bindable>>): void {
  const names = [...Object.keys(set), 'modified_on'];
  call.site.store.run(
    `UPDATE media SET ${names.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`,
    ...Object.values(set),
    call.nowOn,
    id,
  );
}

/** Deletes an item with its files; does nothing when it does not exist. The content is deleted after the rows. */
export async function deleteMedia(call: Call, idText: string): Promise<void> {
  const { store, blobs } = call.site;
  const id = parseId(idText);
  const row = id === undefined ? undefined : findMedia(store, id);
  if (!row || !maySee(call, row)) return;
  if (!mayChange(call, row, 'media-delete')) throw forbidden();
  const names = store.transaction(() => {
    const held = store.all<{ stored_name: string }>(
      `SELECT stored_name FROM files WHERE media_id = ? AND stored_name IS NOT NULL
       UNION SELECT stored_name FROM thumbs WHERE resource = 'media' AND resource_id = ?`,
      row.id,
      row.id,
    );
    store.run(`DELETE FROM thumbs WHERE resource = 'media' AND resource_id = ?`, row.id);
    store.run(store.fullText.remove, JSON.stringify([row.id]));
    store.run('DELETE FROM media WHERE id = ?', row.id);
    return held;
  });
  call.effect({ name: 'media-deleted', media_id: row.id });
  for (const { stored_name } of names) await blobs.remove(stored_name);
}

/** Returns the target collection of an item. The caller must have media-create in it. */
function targetCollection(call: Call, idText: string): number {
  const { store, access } = call.site;
  const id = parseId(idText);
  const rights = access.of(call.caller);
  const known = id !== undefined && store.get('SELECT 1 FROM collections WHERE id = ?', id) !== undefined;
  if (!known || !rights.may('collection-read', id)) {
    throw invalid([{ field: 'collection_id', message: 'must be the id of a collection' }]);
  }
  if (!rights.may('media-create', id)) throw forbidden();
  return id;
}
