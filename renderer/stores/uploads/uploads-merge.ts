import type { Batch, UploadRow, UploadTotals } from '../../../shared/contract/uploads.ts';
import { pendingOf, uploadOutcomes } from '../../../shared/model/upload-counts.ts';

/**
 * Takes changed rows into the map in place and tells which really changed. Rows that nobody looks at are not taken:
 * they come with the window that shows them.
 */
export function mergeRows(known: Map<string, UploadRow>, changed: readonly UploadRow[]): string[] {
  const ids: string[] = [];
  for (const row of changed) {
    const before = known.get(row.id);
    if (before === undefined || sameRow(before, row)) continue;
    known.set(row.id, row);
    ids.push(row.id);
  }
  return ids;
}

function sameRow(a: UploadRow, b: UploadRow): boolean {
  return (
    a.state === b.state &&
    a.sentBytes === b.sentBytes &&
    a.bytesPerSecond === b.bytesPerSecond &&
    a.secondsLeft === b.secondsLeft &&
    a.attempts === b.attempts &&
    a.nextAttemptAt === b.nextAttemptAt &&
    a.error?.code === b.error?.code &&
    a.error?.message === b.error?.message &&
    a.title === b.title &&
    a.sizeBytes === b.sizeBytes &&
    a.mediaId === b.mediaId &&
    a.fileId === b.fileId &&
    a.endedAt === b.endedAt &&
    a.priority === b.priority &&
    a.notice?.code === b.notice?.code &&
    a.notice?.message === b.notice?.message &&
    a.path === b.path &&
    a.movedFrom === b.movedFrom &&
    sameFollowUps(a.followUps, b.followUps)
  );
}

function sameFollowUps(a: UploadRow['followUps'], b: UploadRow['followUps']): boolean {
  if (a.length !== b.length) return false;
  return a.every((one, index) => {
    const other = b[index];
    return one.state === other?.state && one.fileName === other.fileName && one.error?.message === other.error?.message;
  });
}

/** What the strip counts: the batches that are still at work, so that last month's do not dilute it. */
export interface Work {
  /** Without those that were cancelled or skipped, which are no work. */
  total: number;
  /** Complete or failed; what needs a decision has not ended. */
  ended: number;
  failed: number;
  needsDecision: number;
}

export function workOf(batches: readonly Batch[], totals: UploadTotals): Work {
  const open = batches.filter((batch) => pendingOf(batch.counts) > 0);
  const work: Work = { total: 0, ended: 0, failed: 0, needsDecision: 0 };
  for (const uploads of open.length > 0 ? open : [totals]) {
    const { complete, failed, needsDecision, pending } = uploadOutcomes(uploads);
    work.ended += complete + failed;
    work.failed += failed;
    work.needsDecision += needsDecision;
    work.total += complete + failed + needsDecision + pending;
  }
  return work;
}
