import type { MediaFileInput } from '../../../../shared/api/files.ts';
import { type AppError, appError } from '../../../../shared/contract/app-error.ts';
import { standaloneFileType } from '../../../../shared/model/media-types.ts';
import type { Upload } from '../../../../shared/model/uploads/upload.ts';
import { getCollection } from '../../api/collections.ts';
import { finishUpload } from '../../api/completion.ts';
import { wasAnswered } from '../../api/created.ts';
import { existing, isGone } from '../../api/existing.ts';
import { getMedia } from '../../api/media.ts';
import { createThumb } from '../../api/thumbs.ts';
import { DONE, type StepResult } from '../../scheduler/job-result.ts';
import { deleteIfAllowed, removeLeftovers, uploadNameOf } from './leftover-files.ts';
import type { StepTools } from './step-tools.ts';

const COLLECTION_GONE = 'The collection that this thumbnail was for no longer exists.';

/** Returns the request that creates the placeholder of an upload. */
export function fileInputOf({ fileName, sizeBytes, addition }: Upload): MediaFileInput {
  const input = { upload_name: uploadNameOf(fileName), upload_size: sizeBytes };
  if (addition?.kind === 'captions') {
    return { ...input, upload_type: 'captions', encoded_from_id: addition.recordingId };
  }
  const type = standaloneFileType(fileName);
  return type === undefined ? input : { ...input, upload_type: type };
}

/**
 * Returns the error to report for a failed request about the item of an addition. After a 404 the item is read: if it exists, a
 * permission is missing, because some services answer 404 then. An item that is gone is never created again, because the file
 * belongs to that item.
 */
export async function additionError(
  error: unknown,
  mediaId: string,
  { client, signal }: Pick<StepTools, 'client' | 'signal'>,
): Promise<unknown> {
  if (!isGone(error)) return error;
  const { details } = error as AppError;
  const item = await existing(getMedia(client, mediaId, signal));
  const code = item === null ? 'upload.item-deleted' : 'api.forbidden';
  return appError(code, { details: { ...details, mediaId }, cause: error });
}

/** Removes what a cancelled addition left in its item. The item and its other files stay. */
export async function removeAddition(upload: Upload, mediaId: string, tools: StepTools): Promise<StepResult> {
  const { client, journal, store, signal } = tools;
  const own = [...upload.spoiledFileIds, ...(upload.fileId === null ? [] : [upload.fileId])];
  // The user retried the upload in the meantime, so the file is needed again.
  if (store.get(upload.id)?.state !== 'cancelled') return DONE;
  for (const fileId of own) await deleteIfAllowed(client, mediaId, fileId, signal);
  if (upload.fileId === null && upload.fileIntentAt !== null) {
    await removeLeftovers(upload, mediaId, tools).catch((error: unknown) => {
      if (!isGone(error)) throw error;
    });
  }
  journal.record(upload.id, { kind: 'cleaned-up' });
  return DONE;
}

/**
 * Requests the destination of a thumbnail: of an item, or of the collection if `mediaId` is null. No intent is recorded before,
 * because a picture that is sent twice results in the same thumbnail.
 */
export async function createThumbnail(upload: Upload, mediaId: string | null, tools: StepTools): Promise<StepResult> {
  const { client, journal, clock, signal } = tools;
  const input = { upload_name: uploadNameOf(upload.fileName), upload_size: upload.sizeBytes };
  const { collectionId } = upload;
  // The age of the destination counts from its request, because the answer can be slow.
  const at = clock.now();
  try {
    const destination =
      mediaId === null
        ? await createThumb(client, 'collections', collectionId, input, signal)
        : await createThumb(client, 'media', mediaId, input, signal);
    journal.record(upload.id, { kind: 'file-created', fileId: null, destination, at });
    return DONE;
  } catch (error) {
    if (wasAnswered(error)) throw appError('upload.no-destination', { cause: error });
    throw await (mediaId === null ? collectionError(error, collectionId, tools) : additionError(error, mediaId, tools));
  }
}

/** Returns why a request about the collection of a thumbnail failed; see `additionError`. */
async function collectionError(
  error: unknown,
  collectionId: string,
  { client, signal }: Pick<StepTools, 'client' | 'signal'>,
): Promise<unknown> {
  if (!isGone(error)) return error;
  const details = { ...(error as AppError).details, collectionId };
  const collection = await existing(getCollection(client, collectionId, signal));
  if (collection !== null) return appError('api.forbidden', { details, cause: error });
  return appError('collection.unknown', { message: COLLECTION_GONE, details, cause: error });
}

/** Completes a thumbnail: its bytes are active as soon as they have arrived. */
export async function finishThumbnail(upload: Upload, tools: StepTools): Promise<StepResult> {
  const { client, journal, clock, signal, completions } = tools;
  const url = upload.destination?.postprocess_url;
  if (url) await finishUpload(client, url, { signal, ways: completions.ways });
  journal.record(upload.id, { kind: 'finished', at: clock.now() });
  journal.record(upload.id, { kind: 'completed', at: clock.now() });
  return DONE;
}
