import type { FollowUpRow, Receipt } from '../../../shared/contract/uploads.ts';
import { EXIT, type ExitCode } from '../output/exit-codes.ts';
import { formatBytes } from '../output/text-format.ts';

/** Reasons for skipping a file that need no attention. */
const QUIET_REASONS: readonly string[] = ['file.hidden', 'upload.duplicate-skipped', 'upload.same-file'];

/** Returns true when a file was skipped for a reason that needs no attention. */
export function isQuietSkip(errorCode: string | null): boolean {
  return errorCode !== null && QUIET_REASONS.includes(errorCode);
}

/** Returns how many files were skipped for a reason that needs attention. */
export function troubledSkips(errorCodes: readonly (string | null)[]): number {
  return errorCodes.filter((code) => code !== null && !QUIET_REASONS.includes(code)).length;
}

/** The number of uploads by outcome, and the errors of those that have not ended. */
export interface UploadOutcome {
  /** Files that the library has: uploaded now, or skipped because the library had them. */
  complete: number;
  /**
   * Failed, undecided about a duplicate, cancelled, or skipped for a reason that needs attention; and complete uploads that are
   * drafts because publishing was refused.
   */
  troubled: number;
  pending: number;
  pendingCodes: readonly (string | null)[];
}

/** Returns 3 when an upload waits for a sign-in, 0 when there are uploads and all are complete, and 1 otherwise. */
export function exitCodeOfOutcome({ complete, troubled, pending, pendingCodes }: UploadOutcome): ExitCode {
  if (pending > 0 && pendingCodes.some((code) => code === 'sign-in.required')) return EXIT.notSignedIn;
  if (troubled > 0 || pending > 0) return EXIT.incomplete;
  return complete > 0 ? EXIT.complete : EXIT.incomplete;
}

export function outcomeOfReceipt({ totals, lines }: Receipt): UploadOutcome {
  const codes = (outcome: string) => lines.filter((line) => line.outcome === outcome).map(({ errorCode }) => errorCode);
  return {
    complete: totals.complete + codes('skipped').filter((code) => code === 'upload.duplicate-skipped').length,
    troubled: totals.failed + totals.asks + totals.cancelled + totals.unpublished + troubledSkips(codes('skipped')),
    pending: totals.pending,
    pendingCodes: codes('pending'),
  };
}

/** Returns the totals of a receipt in one line, such as `5 files: 4 complete (12 MB), 1 failed.` */
export function receiptSummary({ totals, lines }: Receipt): string {
  const parts = [totals.complete > 0 ? `${totals.complete} complete (${formatBytes(totals.bytes)})` : 'none complete'];
  for (const [name, count] of [
    ['failed', totals.failed],
    [totals.asks === 1 ? 'needs your decision' : 'need your decision', totals.asks],
    ['cancelled', totals.cancelled],
    ['skipped', totals.skipped],
    ['in progress', totals.pending],
  ] as const) {
    if (count > 0) parts.push(`${count} ${name}`);
  }
  const drafts = totals.unpublished;
  const note =
    drafts === 0
      ? ''
      : ` ${drafts} complete ${drafts === 1 ? 'item is a draft' : 'items are drafts'} because the library refused to publish.`;
  const failed = lines
    .flatMap(({ followUps }) => followUps)
    .filter(({ kind, state }) => kind !== 'publish' && state === 'failed');
  return `${totals.added} ${totals.added === 1 ? 'file' : 'files'}: ${parts.join(', ')}.${note}${failedText(failed)}`;
}

const FAILED: Readonly<Record<FollowUpRow['kind'], readonly [string, string]>> = {
  captions: ['captions file was not added', 'captions files were not added'],
  thumbnail: ['thumbnail was not set', 'thumbnails were not set'],
  tags: ['item lacks tags', 'items lack tags'],
  details: ['details file was not used', 'details files were not used'],
  publish: ['item is a draft', 'items are drafts'],
  'old-file': ['replaced file was not deleted', 'replaced files were not deleted'],
  source: ['local file was not moved', 'local files were not moved'],
};

/** Returns what failed after uploads were complete, such as ` 1 captions file was not added.`; empty when nothing failed. */
function failedText(failed: readonly Pick<FollowUpRow, 'kind'>[]): string {
  return [...Map.groupBy(failed, ({ kind }) => kind)]
    .map(([kind, { length }]) => ` ${length} ${FAILED[kind][length === 1 ? 0 : 1]}.`)
    .join('');
}
