import { appError } from '../../../../shared/contract/app-error.ts';
import type { FollowUp } from '../../../../shared/model/uploads/follow-ups.ts';
import type { Upload } from '../../../../shared/model/uploads/upload.ts';
import { existing, isGone } from '../../api/existing.ts';
import { deleteFile, getFile } from '../../api/files.ts';
import { fileIdOf, mediaIdOf } from '../delivery/upload-steps.ts';
import type { FollowUpTools } from './follow-up-tools.ts';

/**
 * Deletes the file that an upload replaces. The API can't replace a file, so the old file stays until the library reports the new
 * one as complete; if the new file was deleted meanwhile, the old one stays. Repeating it is harmless. Throws
 * `upload.new-file-gone` and `api.forbidden`.
 */
export async function deleteOldFile(
  upload: Upload,
  { fileId }: FollowUp,
  { client, signal }: FollowUpTools,
): Promise<void> {
  const mediaId = mediaIdOf(upload);
  const fresh = await existing(getFile(client, mediaId, fileIdOf(upload), signal));
  if (fresh?.status !== 'complete') {
    throw appError('upload.new-file-gone', { details: { fileId: upload.fileId, oldFileId: fileId } });
  }
  if (fileId === null || fileId === upload.fileId) return;
  try {
    await deleteFile(client, mediaId, fileId, signal);
  } catch (error) {
    if (!isGone(error)) throw error;
    // Some libraries answer 404 when a permission is missing.
    if ((await existing(getFile(client, mediaId, fileId, signal))) !== null) {
      throw appError('api.forbidden', { details: { fileId }, cause: error });
    }
  }
}
