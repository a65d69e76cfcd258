import type { MediaFile } from '../../../../shared/api/files.ts';
import { AppError } from '../../../../shared/contract/app-error.ts';
import { endsRetries } from '../../../../shared/contract/errors/error-catalog.ts';
import type { Upload } from '../../../../shared/model/uploads/upload.ts';
import { outcomeOf } from '../../api/classify.ts';
import { existing, isGone } from '../../api/existing.ts';
import { deleteFile, getFile, listFiles } from '../../api/files.ts';
import type { StepTools } from './step-tools.ts';

type Client = StepTools['client'];

/**
 * Deletes placeholders that an earlier attempt left in the item, if that is allowed. The files of other uploads stay. In
 * an item that already existed, a placeholder is this upload's only when its name and size are, too.
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

/** The statuses of files without usable bytes. */
export function isLeftover(file: MediaFile): boolean {
  return ['uploading', 'aborted', 'error'].includes(file.status) && file.source !== 'encoding';
}

function looksOwn({ display_name, size }: MediaFile, { fileName, sizeBytes }: Upload): boolean {
  return display_name === uploadNameOf(fileName) && (size === null || size === sizeBytes);
}

/** The name of a file in the library: line breaks and the like are spaces there; the file on disk keeps its name. */
export function uploadNameOf(fileName: string): string {
  return fileName.replace(/\p{Cc}/gu, ' ');
}

/** Deletes a file if that is allowed. Returns whether it can't complete any more: gone, aborted or broken. */
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
    // Without the permission, or if files are never removed, it stays until the service aborts it.
    if (!isGone(error) && !isLastingRefusal(error)) throw error;
  }
}

/** Whether the service did not execute a request and would refuse it again. */
function isLastingRefusal(error: unknown): boolean {
  return error instanceof AppError && outcomeOf(error) === 'refused' && endsRetries(error.code);
}
