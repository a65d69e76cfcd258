import type { DuplicateDetails, UploadRow } from '../../../../shared/contract/uploads.ts';
import { formatDateTime } from '../../../text/format.ts';

/** Returns the existing item of an upload that is a duplicate or was skipped as one; null otherwise. */
export function duplicateOf({ error }: Pick<UploadRow, 'error'>): DuplicateDetails | null {
  if (error?.code !== 'upload.duplicate' && error?.code !== 'upload.duplicate-skipped') return null;
  const { mediaId, title, url, where, match, uploadedAt } = error.details ?? {};
  if (typeof mediaId !== 'string') return null;
  return {
    mediaId,
    title: typeof title === 'string' && title !== '' ? title : 'an item without a title',
    url: typeof url === 'string' ? url : null,
    where: where === 'history' ? 'history' : 'library',
    match: match === 'name-and-size' ? 'name-and-size' : 'contents',
    uploadedAt: typeof uploadedAt === 'number' ? uploadedAt : null,
  };
}

/** Returns the facts of a match: `same contents, uploaded 19 Nov 2026`. `isExact` adds the time. */
export function duplicateFacts({ match, uploadedAt }: DuplicateDetails, isExact = false): string {
  const sameness = match === 'contents' ? 'same contents' : 'same name and size';
  if (uploadedAt === null) return sameness;
  const when = formatDateTime(uploadedAt);
  return `${sameness}, uploaded ${isExact ? when : (when.split(',')[0] ?? when)}`;
}
