import type { Clock } from '../../ports/clock.ts';
import type { Files, OpenFile } from '../../ports/files.ts';
import type { FolderEntry } from '../../ports/folder-walker.ts';
import type { FileDigests } from '../../uploads/duplicates/file-digests.ts';
import { settlesAgain } from '../intake/after-upload.ts';
import { fullPathOf } from '../intake/ready-file.ts';
import { LOCKED_AGAIN_MS } from '../readiness/readiness-limits.ts';
import type { WatchedFileStore } from '../rows/file-store.ts';
import type { FolderRecord } from '../rows/folder-store.ts';
import type { WatchedFile } from '../rows/watched-file.ts';
import { isSameFile } from './same-file.ts';

export interface CompareTools {
  files: Files;
  digests: FileDigests;
  rows: WatchedFileStore;
  clock: Clock;
}

/**
 * Compares a file that is done with the contents that were handled: another file may have replaced it with equal size and time.
 * Returns its row. When both ends are equal, it is the same file with another number; otherwise it settles and is uploaded again.
 */
export async function compareDone(
  row: WatchedFile,
  entry: FolderEntry,
  folder: FolderRecord,
  { files, digests, rows, clock }: CompareTools,
): Promise<WatchedFile> {
  // The next sweep notes such a change.
  const isChanged = entry.kind !== 'file' || entry.sizeBytes !== row.sizeBytes || entry.mtimeMs !== row.mtimeMs;
  if (isChanged) return { ...row, dueAt: null };
  const later = { ...row, dueAt: clock.monotonic() + LOCKED_AGAIN_MS };
  let file: OpenFile;
  try {
    file = await files.open(fullPathOf(folder, row));
  } catch {
    // A file that can't be read now is compared later; while it can't be read, it can't be uploaded either.
    return later;
  }
  try {
    // The file was replaced after `entry` was read.
    if (!isSameFile(await file.facts(), { ...row, fileId: entry.fileId })) return later;
    const edgeHash = await digests.edges(file, row.sizeBytes);
    const sent = rows.contents.byPath(row.folderId, row.path, row);
    const isSame = edgeHash === row.edgeHash || edgeHash === sent?.edgeHash;
    return isSame
      ? { ...row, fileId: entry.fileId, ctimeMs: entry.ctimeMs, dueAt: null }
      : settlesAgain(row, entry, clock);
  } catch {
    return later;
  } finally {
    // Not awaited: a disk or share that never answers would block the slot.
    file.close().catch(() => {});
  }
}
