import type { UploadRow } from '../../../../shared/contract/uploads.ts';

/**
 * Replaces changed rows in a map, which it modifies; returns the ids of the rows that differ. A row that the map does not contain
 * is ignored: it is loaded with the window that shows it.
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
