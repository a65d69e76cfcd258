import type { UploadsPreview } from '../../shared/contract/uploads.ts';
import { PREVIEW_LIMIT } from '../../shared/model/preview-limit.ts';
import { counted, formatBytes, formatCount } from './format.ts';

/** `Add 12 files`; before anything is counted, what is certain already. */
export function sheetTitle(preview: UploadsPreview | null): string {
  if (preview === null) return 'Add recordings';
  if (!preview.isAll) return `Add more than ${formatCount(preview.files)} files`;
  return preview.files === 0 ? 'Nothing to add' : `Add ${counted(preview.files, 'file')}`;
}

/** `1.4 GB · 2 left out`. */
export function sheetSum(preview: UploadsPreview | null): string {
  if (preview === null) return 'Counting the files…';
  const parts = [preview.isAll ? formatBytes(preview.bytes) : `more than ${formatBytes(preview.bytes)}`];
  if (preview.skipped > 0) parts.push(`${formatCount(preview.skipped)} left out`);
  return parts.join(' · ');
}

/** What deserves a sentence before anything is added; null for a plain case. */
export function sheetRemark(preview: UploadsPreview | null): string | null {
  if (preview === null) return null;
  if (!preview.isAll) {
    return `Only the first ${formatCount(PREVIEW_LIMIT)} files were counted. All of them will be added.`;
  }
  if (preview.files > 0) return null;
  return preview.skipped === 0
    ? 'There are no files in what you chose.'
    : `None of the ${counted(preview.skipped, 'file')} can be sent: they are empty, hidden, temporary or not readable.`;
}
