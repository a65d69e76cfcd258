import { FILE_STATUSES, MAX_CONTENT_TTL_S, type MediaFile } from '../../../shared/api/files.ts';
import type { Bindable, Store } from '../../database/store.ts';
import { signedContentUrl } from '../../signed-urls/content-url.ts';
import { type Call, removeBlobs } from '../../site/site.ts';
import { filterInOrder, inOrder } from '../../wire/in-order.ts';
import { conflict, forbidden } from '../../wire/problem.ts';
import { oneOf, param, parseId, type Query, wholeNumber } from '../../wire/query.ts';
import { mayChange, mayFetch } from '../media/media-rights.ts';
import { findMedia, type MediaRow, maySee, visibleMedia } from '../media/media-row.ts';
import { encodingsOf, type FileRow, fileOf, filePath, findFile, renderFile } from './file-row.ts';
import { UPLOAD_TYPES } from './file-types.ts';

/** Returns the originals of a media item, each with its encodings, filtered by type and status. */
export async function listFiles(call: Call, mediaIdText: string, query: Query): Promise<MediaFile[]> {
  const media = await visibleMedia(call, mediaIdText);
  const type = param(query, 'type', oneOf(UPLOAD_TYPES), `must be one of ${UPLOAD_TYPES.join(', ')}`);
  const status = param(query, 'status', oneOf(FILE_STATUSES), `must be one of ${FILE_STATUSES.join(', ')}`);
  return await filesOfItem(call.site.store, media.id, { type, status });
}

/** All files of an item, as in the list. */
export async function filesOfItem(
  store: Store,
  mediaId: number,
  filter: { type?: string | undefined; status?: string | undefined } = {},
): Promise<MediaFile[]> {
  const conditions = Object.entries(filter).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const rows = await store.all<FileRow>(
    `SELECT * FROM files WHERE media_id = ? AND parent_id IS NULL
     ${conditions.map(([name]) => `AND ${name} = ?`).join(' ')} ORDER BY id`,
    mediaId,
    ...conditions.map(([, value]): Bindable => value),
  );
  return await inOrder(rows, async (row): Promise<MediaFile> => renderFile(row, await encodingsOf(store, row.id)));
}

export async function getFile(call: Call, mediaIdText: string, fileIdText: string): Promise<MediaFile> {
  const media = await visibleMedia(call, mediaIdText);
  const row = await fileOf(call.site.store, media.id, fileIdText);
  return renderFile(row, await encodingsOf(call.site.store, row.id));
}

/** Returns a newly signed URL of the file's content, valid for at most an hour. Embedded content keeps its own URL. */
export async function contentLocation(
  call: Call,
  mediaIdText: string,
  fileIdText: string,
  query: Query,
): Promise<string> {
  const media = await visibleMedia(call, mediaIdText);
  const row = await fileOf(call.site.store, media.id, fileIdText);
  if (!(await mayFetch(call, media))) throw forbidden();
  const rule = `must be between 1 and ${MAX_CONTENT_TTL_S}`;
  const ttl = param(query, 'ttl', (text) => within(wholeNumber(text)), rule) ?? MAX_CONTENT_TTL_S;
  // The normalized URL: non-ASCII letters and spaces are encoded, as a header requires.
  if (row.embed_url !== null) return new URL(row.embed_url).href;
  if (row.stored_name === null || row.status === 'uploading' || row.status === 'aborted') {
    throw conflict('The file has no content yet.');
  }
  return signedContentUrl(call.site, row, ttl);
}

function within(seconds: number | undefined): number | undefined {
  return seconds !== undefined && seconds >= 1 && seconds <= MAX_CONTENT_TTL_S ? seconds : undefined;
}

/** Deletes a file with its encodings; does nothing when it does not exist. */
export async function deleteFile(call: Call, mediaIdText: string, fileIdText: string): Promise<void> {
  const { store } = call.site;
  const [mediaId, fileId] = [parseId(mediaIdText), parseId(fileIdText)];
  const media = mediaId === undefined ? undefined : await findMedia(store, mediaId);
  const row = fileId === undefined ? undefined : await findFile(store, fileId);
  if (!media || !row || row.media_id !== media.id || !(await maySee(call, media))) return;
  if (!(await mayChange(call, media, 'media-delete', row))) throw forbidden();
  const names = await store.transaction(async () => {
    const held = await store.all<{ stored_name: string }>(
      `SELECT stored_name FROM files WHERE (id = ? OR parent_id = ?) AND stored_name IS NOT NULL
       UNION SELECT stored_name FROM thumbs WHERE file_id = ?`,
      row.id,
      row.id,
      row.id,
    );
    await store.run('DELETE FROM thumbs WHERE file_id = ?', row.id);
    await store.run('DELETE FROM files WHERE id = ?', row.id);
    await deriveFromFiles(store, media);
    return await filterInOrder(held, async ({ stored_name }) => !(await isReferenced(store, stored_name)));
  });
  call.effect({ name: 'file-deleted', media_id: media.id, file_id: row.id });
  await removeBlobs(
    call.site,
    names.map(({ stored_name }) => stored_name),
  );
}

async function isReferenced(store: Store, storedName: string): Promise<boolean> {
  return (
    (await store.get('SELECT 1 FROM files WHERE stored_name = ?', storedName)) !== undefined ||
    (await store.get('SELECT 1 FROM thumbs WHERE stored_name = ?', storedName)) !== undefined
  );
}

const ITEM_TYPES = ['video', 'audio', 'doc', 'image'];

/**
 * Sets the type and duration of an item from its first complete original that can be played or shown, or else from the first one
 * whose upload or processing has not failed. Without such an original, they stay.
 */
export async function deriveFromFiles(store: Store, media: Pick<MediaRow, 'id'>): Promise<void> {
  const originals = (
    await store.all<FileRow>(`SELECT * FROM files WHERE media_id = ? AND parent_id IS NULL ORDER BY id`, media.id)
  ).filter((row) => ITEM_TYPES.includes(row.type) && row.status !== 'aborted' && row.status !== 'error');
  const main = originals.find((row) => row.status === 'complete') ?? originals[0];
  if (main)
    await store.run('UPDATE media SET type = ?, duration = ? WHERE id = ?', main.type, main.duration ?? 0, media.id);
}

export { filePath };
