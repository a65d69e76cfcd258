import type { OpenFile } from '../../ports/files.ts';
import type { FileDigests } from '../../uploads/duplicates/file-digests.ts';
import type { WatchedFileStore } from '../rows/file-store.ts';
import type { WatchedFile } from '../rows/watched-file.ts';

export interface KnownContentsTools {
  files: WatchedFileStore;
  digests: FileDigests;
  /** Returns the SHA-256 of the file that an upload sent; null when it is unknown. */
  sha256Of(uploadId: string): string | null;
  /** False: the result is not needed any more, and hashing ends. */
  isWanted(): boolean;
}

/**
 * Returns whether the contents of a file were handled before. They were when the folder knows a file with the same:
 * - size, time, number on the volume and, if they were read, ends,
 * - size and time, if that file left its path before its ends were read (it was renamed, on a volume whose file numbers change),
 * - size, time, path and ends, or
 * - hash of all bytes, as an upload sent them.
 * Equal ends alone are not enough: recordings of one length may begin and end with silence.
 */
export async function isKnownContents(
  row: WatchedFile,
  edgeHash: string,
  file: OpenFile,
  { files, digests, sha256Of, isWanted }: KnownContentsTools,
): Promise<boolean> {
  const same = files.contents.byFile(row.folderId, row);
  // The ends of a file that existed before the folder was watched were never read.
  if (same !== null && (same.edgeHash === null || same.edgeHash === edgeHash)) return true;
  if (files.contents.unread(row.folderId, row) !== null) return true;
  if (files.contents.byPath(row.folderId, row.path, row)?.edgeHash === edgeHash) return true;
  const candidates = files.contents
    .byEdges(row.folderId, row.sizeBytes, edgeHash)
    .flatMap(({ uploadId }) => (uploadId === null ? [] : (sha256Of(uploadId) ?? [])));
  if (candidates.length === 0) return false;
  const sha256 = await digests.contents(file, row.sizeBytes, isWanted);
  return sha256 !== null && candidates.includes(sha256);
}
