import type { DuplicateDetails, UploadRow } from '../../../../shared/contract/uploads.ts';
import { formatDateTime } from '../../../kit/text/format.ts';
import { texts } from '../texts.ts';

/** Returns the existing item of an upload that is a duplicate or was skipped as one; null otherwise. */
export function duplicateOf({ error }: Pick<UploadRow, 'error'>): DuplicateDetails | null {
  if (error?.code !== 'upload.duplicate' && error?.code !== 'upload.duplicate-skipped') return null;
  const { mediaId, title, url, where, match, uploadedAt } = error.details ?? {};
  if (typeof mediaId !== 'string') return null;
  return {
    mediaId,
    title: typeof title === 'string' && title !== '' ? title : texts.duplicate.untitled,
    url: typeof url === 'string' ? url : null,
    where: where === 'history' ? 'history' : 'library',
    match: match === 'name-and-size' ? 'name-and-size' : 'contents',
    uploadedAt: typeof uploadedAt === 'number' ? uploadedAt : null,
  };
}

/** Returns the facts of a match: `same contents, uploaded 19 Nov 2026, 14:02`. */
export function duplicateFacts({ match, where, uploadedAt }: DuplicateDetails): string {
  const { sameContents, sameTitleAndSize, similar, uploaded } = texts.duplicate;
  const sameness = match === 'contents' ? sameContents : where === 'library' ? sameTitleAndSize : similar;
  return uploadedAt === null ? sameness : uploaded(sameness, formatDateTime(uploadedAt));
}
