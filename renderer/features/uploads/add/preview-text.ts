import type { DuplicateChoice, SourceChoice } from '../../../../shared/contract/upload-choices.ts';
import type { UploadsPreview } from '../../../../shared/contract/uploads.ts';
import { PREVIEW_LIMIT } from '../../../../shared/model/preview-limit.ts';
import { formatBytes } from '../../../kit/text/format.ts';
import type { TableSum } from '../state/add-files.ts';
import { texts } from './texts.ts';

const { sheet } = texts;

/** The counts that the sheet shows: the last count, without files that the user omitted. */
export type ShownCounts = Pick<UploadsPreview, 'files' | 'bytes' | 'skipped' | 'isAll'> & {
  leftOut: number;
  unclear: number;
};

/** Returns the counts of a sheet. `sum`: the totals of its table; null before the first count. */
export function sheetCounts(preview: UploadsPreview | null, sum: TableSum | null): ShownCounts | null {
  if (preview === null) return null;
  const { files, bytes, isAll } = preview;
  const unclear = preview.list?.files.filter((file) => file.unclear !== null).length ?? 0;
  const skipped = preview.skipped - unclear;
  if (sum === null || sum.leftOut === 0) return { files, bytes, skipped, isAll, leftOut: 0, unclear };
  const isListed = preview.list?.isAll === true;
  const added = isListed ? sum : { files: files - sum.leftOut, bytes: bytes - sum.leftOutBytes };
  return { files: added.files, bytes: added.bytes, skipped, isAll, leftOut: sum.leftOut, unclear };
}

/** `Add 12 files`, or a title without a number before the count. */
export function sheetTitle(preview: ShownCounts | null): string {
  if (preview === null) return sheet.titleUnknown;
  if (!preview.isAll) return sheet.titleMany(preview.files);
  return preview.files === 0 ? sheet.titleNothing : sheet.title(preview.files);
}

/** `1.4 GB · 2 skipped`. */
export function sheetSum(preview: ShownCounts | null): string {
  if (preview === null) return sheet.counting;
  const bytes = formatBytes(preview.bytes);
  const parts = [preview.isAll ? bytes : sheet.moreThan(bytes)];
  if (preview.leftOut > 0) parts.push(sheet.excluded(preview.leftOut));
  if (preview.unclear > 0) parts.push(sheet.unclear(preview.unclear));
  if (preview.skipped > 0) parts.push(sheet.skipped(preview.skipped));
  return parts.join(' · ');
}

/** Returns the effect of the choice about duplicates. `likely`: the number of likely duplicates; null while unknown. */
export function duplicatesSentence(choice: DuplicateChoice, likely: number | null): string {
  const seen = likely === null || likely === 0 ? '' : sheet.likely(likely);
  return `${seen}${sheet.duplicatesMeaning[choice]}`;
}

/** Returns a sentence about the handling of a file on this computer, with its time. */
export function sourceSentence(kind: SourceChoice['kind']): string {
  return sheet.sourceMeaning[kind];
}

/** Returns the choices in the collapsed part of the sheet as one line. */
export function moreSentence(duplicates: DuplicateChoice, sidecars: boolean, source: SourceChoice['kind']): string {
  const { summary } = sheet;
  return [summary[duplicates], sidecars ? summary.sidecars : summary.noSidecars, summary[source]].join(' · ');
}

/** Returns a remark about the counted files; null when none applies. */
export function sheetRemark(preview: UploadsPreview | null): string | null {
  if (preview === null) return null;
  if (!preview.isAll) return sheet.onlyFirst(PREVIEW_LIMIT);
  if (preview.files > 0) return null;
  return preview.skipped === 0 ? sheet.noFiles : sheet.noneSendable(preview.skipped);
}
