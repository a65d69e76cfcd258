import type { DuplicateChoice, SourceChoice } from '../../../../shared/contract/upload-choices.ts';
import type { UploadsPreview } from '../../../../shared/contract/uploads.ts';
import { PREVIEW_LIMIT } from '../../../../shared/model/preview-limit.ts';
import { counted, formatBytes, formatCount } from '../../../text/format.ts';

/** `Add 12 files`, or a title without a number before the count. */
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

/** Returns the effect of the choice about duplicates. */
export function duplicatesSentence(choice: DuplicateChoice, likely: number | null): string {
  const seen =
    likely === null || likely === 0
      ? ''
      : `${likely === 1 ? 'One of them looks' : `${formatCount(likely)} of them look`} like an earlier upload. `;
  switch (choice) {
    case 'ask':
      return `${seen}Nothing of such a file is sent before you say so; the others go on meanwhile.`;
    case 'skip':
      return `${seen}Such a file is left out; the receipt names it with the item that has its contents.`;
    case 'upload':
      return `${seen}Such a file is sent all the same and becomes a second item.`;
  }
}

const WHEN = 'once the library has it complete, with equal size, and it was not changed since';

/** Returns what happens to a file on this computer, and when. */
export function sourceSentence(kind: SourceChoice['kind']): string {
  switch (kind) {
    case 'keep':
      return 'Mediadesk never touches them.';
    case 'move':
      return `Each file is moved ${WHEN}. Until then, and whenever something is unclear, it stays where it is.`;
    case 'trash':
      return `Each file goes to this computer’s trash ${WHEN}. You can take it out of the trash again.`;
  }
}

/** Returns the choices in the collapsed part of the sheet as one line. */
export function moreSentence(duplicates: DuplicateChoice, sidecars: boolean, source: SourceChoice['kind']): string {
  const parts = [
    { ask: 'asks about duplicates', skip: 'skips duplicates', upload: 'uploads duplicates too' }[duplicates],
    sidecars ? 'captions and thumbnails go along' : 'without captions and thumbnails',
    { keep: 'files stay in place', move: 'files are moved afterwards', trash: 'files go to the trash afterwards' }[
      source
    ],
  ];
  return parts.join(' · ');
}

/** Returns a remark about the counted files; null when there is nothing unusual. */
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
