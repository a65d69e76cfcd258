import type { MediaFile } from '../../../../shared/api/files.ts';
import { AppError } from '../../../../shared/contract/app-error.ts';
import { endsRetries } from '../../../../shared/contract/errors/error-catalog.ts';
import type { Upload } from '../../../../shared/model/uploads/upload.ts';
import { outcomeOf } from '../../api/classify.ts';
import { existing, isGone } from '../../api/existing.ts';
import { deleteFile, getFile, listFiles } from '../../api/files.ts';
import { deleteMedia } from '../../api/media.ts';
import { isNew } from './new-in-library.ts';
import type { StepTools } from './step-tools.ts';

type Client = StepTools['client'];

/**
 * Deletes placeholders that an earlier attempt left in the item, if that is allowed. The files of other uploads stay. In an item
 * that existed before the upload, only placeholders with the name and size of the upload's file are deleted.
 */
export async function removeLeftovers(
  upload: Upload,
  mediaId: string,
  { client, store, signal }: Pick<StepTools, 'client' | 'store' | 'signal'>,
): Promise<void> {
  for await (const file of listFiles(client, mediaId, signal)) {
    if (!isLeftover(file) || store.ownsFile(upload, file.id)) continue;
    if (upload.addition === null || looksOwn(file, upload)) await deleteIfAllowed(client, mediaId, file.id, signal);
  }
}

/** Returns true when the item contains only files of this upload, including abandoned ones, or no longer exists. */
export async function hasNothingElse(
  upload: Upload,
  mediaId: string,
  { client, store, signal }: Pick<StepTools, 'client' | 'store' | 'signal'>,
): Promise<boolean> {
  try {
    for await (const file of listFiles(client, mediaId, signal)) {
      const isOurs = file.id === upload.fileId || upload.spoiledFileIds.includes(file.id);
      if (isOurs) continue;
      if (!isLeftover(file) || store.ownsFile(upload, file.id)) return false;
    }
    return true;
  } catch (error) {
    if (isGone(error)) return true;
    throw error;
  }
}

/**
 * Removes the new item of an upload whose file the library refused for good, so that no empty item stays in the library while the upload waits
 * for the user. A retry creates another one. An older item stays, because somebody may have changed it; and so does one that can't
 * be removed now: the retry uses it.
 */
export async function removeEmptyItem(upload: Upload, mediaId: string, tools: StepTools): Promise<void> {
  const { client, journal, clock, signal } = tools;
  if (upload.addition !== null || !isNew(upload.itemIntentAt, clock.now())) return;
  try {
    if (!(await hasNothingElse(upload, mediaId, tools))) return;
    await deleteMedia(client, mediaId, signal);
  } catch (error) {
    // What the user has to know is the refusal of the file.
    if (error instanceof AppError && !signal.aborted) return;
    throw error;
  }
  journal.record(upload.id, { kind: 'cleaned-up' });
}

/** Returns whether a file of an item has no usable bytes. Encodings, which the library makes, do not count. */
function isLeftover(file: MediaFile): boolean {
  return ['uploading', 'aborted', 'error'].includes(file.status) && file.source !== 'encoding';
}

function looksOwn({ display_name, size }: MediaFile, { fileName, sizeBytes }: Upload): boolean {
  return display_name === uploadNameOf(fileName) && (size === null || size === sizeBytes);
}

/** Returns the name of a file in the library, with spaces for control characters such as line breaks. */
export function uploadNameOf(fileName: string): string {
  return fileName.replace(/\p{Cc}/gu, ' ');
}

/** Deletes a file if that is allowed. Returns whether it can't become complete any more: it is deleted, `aborted` or `error`. */
export async function isOutOfTheWay(
  client: Client,
  mediaId: string,
  file: MediaFile,
  signal: AbortSignal,
): Promise<boolean> {
  await deleteIfAllowed(client, mediaId, file.id, signal);
  if (isDead(file)) return true;
  const left = await existing(getFile(client, mediaId, file.id, signal));
  return left === null || isDead(left);
}

function isDead({ status }: MediaFile): boolean {
  return status === 'aborted' || status === 'error';
}

export async function deleteIfAllowed(client: Client, mediaId: string, fileId: string, signal: AbortSignal) {
  try {
    await deleteFile(client, mediaId, fileId, signal);
  } catch (error) {
    // If the permission is missing, or the service never deletes files, the file stays until the service sets it to `aborted`.
    if (!isGone(error) && !isLastingRefusal(error)) throw error;
  }
}

/** Returns whether the service did not execute a request and would refuse it again. */
function isLastingRefusal(error: unknown): boolean {
  return error instanceof AppError && outcomeOf(error) === 'refused' && endsRetries(error.code);
}
