import { appError } from '../../../../shared/contract/app-error.ts';
import type { Upload } from '../../../../shared/model/uploads/upload.ts';
import { isEnded } from '../../../../shared/model/uploads/upload-states.ts';
import type { Clock } from '../../ports/clock.ts';
import type { FolderEntry } from '../../ports/folder-walker.ts';
import { fileNumberOf } from '../identity/root-check.ts';
import type { WatchedFileStore } from '../rows/file-store.ts';
import { type Fingerprint, sameChangeTime, type WatchedFile } from '../rows/watched-file.ts';

/**
 * Returns the row of a file whose upload has ended: the sent file is compared with the present one (`entry`; null: it does not
 * exist any more). A file that changed after it was sent settles again, and its new contents are uploaded. Notes the sent
 * contents as handled.
 */
export function recordAfterUpload(
  row: WatchedFile,
  entry: FolderEntry | null,
  upload: Upload | null,
  { rows, clock }: { rows: WatchedFileStore; clock: Clock },
): WatchedFile {
  // An upload that failed may be retried; the row is updated when it ends in another way.
  const isOver = upload === null || (isEnded(upload.state) && upload.state !== 'failed');
  const now = clock.now();
  // The upload sends no other file than the one that was queued: what is in the folder now is a new arrival.
  const isReplaced = upload?.state === 'failed' && upload.error?.code === 'file.replaced' && entry !== null;
  if (isReplaced) return settlesAgain(row, entry, clock);
  if (!isOver) return { ...row, dueAt: null };
  const sent = upload?.state === 'complete' ? sentContents(row, upload) : fingerprintOf(row);
  rows.contents.add({
    folderId: row.folderId,
    path: row.path,
    ...sent,
    edgeHash: upload?.edgeHash ?? row.edgeHash,
    uploadId: row.uploadId,
    at: now,
  });
  const edgeHash = upload?.edgeHash ?? row.edgeHash;
  const done: WatchedFile = { ...row, ...sent, edgeHash, state: 'done', dueAt: null, readyAt: null, history: null };
  if (entry === null) return { ...done, goneAt: now };
  const isSame = entry.kind === 'file' && entry.sizeBytes === sent.sizeBytes && entry.mtimeMs === sent.mtimeMs;
  if (isSame) {
    const sentNumber = upload?.state === 'complete' && upload.identity !== '' ? upload.identity : sent.fileId;
    const isSameFile = fileNumberOf(sentNumber) === fileNumberOf(entry.fileId);
    // Another file with equal size and time, a new mount, or a file that was changed since it was queued: the next poll compares
    // its ends.
    const isUntouched = isSameFile && (row.ctimeMs === null || sameChangeTime(row, entry));
    return isUntouched || edgeHash === null
      ? { ...done, fileId: entry.fileId, ctimeMs: entry.ctimeMs }
      : { ...done, dueAt: clock.monotonic() };
  }
  return settlesAgain(row, entry, clock);
}

/** Returns the row of a file that changed after it was sent (`entry`): it settles and is uploaded again. */
export function settlesAgain(row: WatchedFile, entry: FolderEntry, clock: Clock): WatchedFile {
  return {
    ...row,
    ...fingerprintOf(entry),
    kind: entry.kind,
    state: 'settling',
    history: null,
    readyAt: null,
    ctimeMs: entry.ctimeMs,
    dueAt: clock.monotonic(),
    unchangedSince: clock.now(),
    edgeHash: null,
    outcome: null,
    isForced: false,
    uploadId: null,
    isExisting: false,
    handledAt: null,
    reason: appError('watch.changed-after-upload').toData(),
  };
}

function fingerprintOf({ fileId, sizeBytes, mtimeMs }: Fingerprint): Fingerprint {
  return { fileId, sizeBytes, mtimeMs };
}

/** Returns the contents that the upload has read. Its file may have been rewritten while it waited in the queue. */
function sentContents(row: WatchedFile, { sizeBytes, mtimeMs, identity }: Upload): Fingerprint {
  const isAsQueued = sizeBytes === row.sizeBytes && mtimeMs === row.mtimeMs;
  return { fileId: isAsQueued || identity === '' ? row.fileId : fileNumberOf(identity), sizeBytes, mtimeMs };
}
