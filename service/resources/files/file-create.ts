import { z } from 'zod';
import { checkNewFile } from '../../quotas/check-quota.ts';
import { type Descriptor, fileDescriptor } from '../../signed-urls/upload-descriptor.ts';
import { type Call, checkSpace } from '../../site/site.ts';
import { bodyId, bodyOf, line } from '../../wire/body.ts';
import { forbidden, type RefusedField } from '../../wire/problem.ts';
import { parseId, throwIfAny } from '../../wire/query.ts';
import { isWebAddress } from '../../wire/web-address.ts';
import { mayAddFiles } from '../media/media-rights.ts';
import { visibleMedia } from '../media/media-row.ts';
import { type FileRow, findFile, renderFile } from './file-row.ts';
import { extensionOf, guessType, UPLOAD_TYPES } from './file-types.ts';
import { deriveFromFiles } from './files.ts';

const creation = z.object({
  upload_name: line(500),
  upload_size: z.number().int('must be a whole number of bytes').min(0, 'must not be negative'),
  upload_type: z.enum(UPLOAD_TYPES, `must be one of ${UPLOAD_TYPES.join(', ')}`).nullish(),
  embed_url: line(2000).refine(isWebAddress, 'must be an http(s) address').nullish(),
  encoded_from_id: bodyId.nullish(),
});

/** The bodies of the requests about media files. */
export const FILE_BODIES = { creation };

/**
 * Creates the placeholder of a file and returns its upload descriptor. With `embed_url`, nothing is uploaded: the file is
 * complete immediately.
 */
export async function createFile(call: Call, mediaIdText: string, body: unknown) {
  const media = await visibleMedia(call, mediaIdText);
  if (!(await mayAddFiles(call, media))) throw forbidden();
  const input = bodyOf(creation, body);
  const { store, settings } = call.site;
  const type = input.upload_type ?? guessType(input.upload_name);
  const from = await captionsSource(call, media.id, type, input.encoded_from_id ?? null);
  const tooLarge: RefusedField[] =
    input.upload_size > settings.current().max_upload_bytes
      ? [{ field: 'upload_size', message: `must be at most ${settings.current().max_upload_bytes}` }]
      : [];
  throwIfAny(tooLarge);
  const embed = input.embed_url ?? null;
  if (embed === null) await checkSpace(call.site, input.upload_size);
  const nowAt = call.site.now();
  const row = await store.transaction(async () => {
    if (embed === null) await checkNewFile(call, media.collection_id, input.upload_size);
    const id = await store.insert(
      `INSERT INTO files (media_id, encoded_from_id, source, type, container, status, display_name, declared_size, size,
         embed_url, created_on, modified_on, created_by, created_at, activity_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
      media.id,
      from,
      embed === null ? 'upload' : 'embed',
      type,
      extensionOf(input.upload_name) || null,
      embed === null ? 'uploading' : 'complete',
      input.upload_name,
      input.upload_size,
      input.upload_size,
      embed,
      call.nowOn,
      call.nowOn,
      call.caller.userId,
      nowAt,
      nowAt,
    );
    if (media.type === null) await deriveFromFiles(store, media);
    return (await findFile(store, id)) as FileRow;
  });
  call.effect({ name: 'file-created', media_id: media.id, file_id: row.id });
  const upload: Descriptor | null = embed === null ? fileDescriptor(call.site, row) : null;
  return { row, body: upload ? { ...renderFile(row, []), upload } : renderFile(row, []) };
}

/**
 * Returns the id of the original that a file belongs to: required for captions, optional for winnov_asset, invalid for others.
 */
async function captionsSource(
  call: Call,
  mediaId: number,
  type: string,
  idText: string | null,
): Promise<number | null> {
  const problem = (message: string) => throwIfAny([{ field: 'encoded_from_id', message }]);
  if (idText === null) {
    if (type === 'captions') problem('is required for captions');
    return null;
  }
  if (type !== 'captions' && type !== 'winnov_asset') problem('is valid only for captions and winnov_asset');
  const id = parseId(idText);
  const source = id === undefined ? undefined : await findFile(call.site.store, id);
  const fits =
    source?.media_id === mediaId && (type !== 'captions' || source.type === 'video' || source.type === 'audio');
  if (!source || !fits) problem('must be the id of a video file of the same media item');
  return source?.id ?? null;
}
