import type { OpenFile } from '../../ports/files.ts';
import type { FileDigests } from '../../uploads/duplicates/file-digests.ts';
import type { WatchedFileStore } from '../rows/file-store.ts';
import type { WatchedFile } from '../rows/watched-file.ts';

export interface KnownContentsTools {
  files: WatchedFileStore;
  digests: FileDigests;
  /** SHA-256 of what an upload sent; null where it is not known. */
  sha256Of(uploadId: string): string | null;
  isWanted(): boolean;
}

/**
 * Whether the contents of a file were handled before. Equal size, path, time and ends are enough, and so are equal size, time
 * and number on the volume. Of a file that left its path before its ends were ever read, size and time are enough: it was
 * renamed where file numbers do not last. Otherwise, equal ends alone are not: recordings of one length may begin and end with
 * silence. Then all bytes are compared by their hash with those that were sent.
 */
export async function isKnownContents(
  row: WatchedFile,
  edgeHash: string,
  file: OpenFile,
  { files, digests, sha256Of, isWanted }: KnownContentsTools,
): Promise<boolean> {
  if (files.contents.byFile(row.folderId, row) !== null) return true;
  if (files.contents.unread(row.folderId, row) !== null) return true;
  if (files.contents.byPath(row.folderId, row.path, row)?.edgeHash === edgeHash) return true;
  const candidates = files.contents
    .byEdges(row.folderId, row.sizeBytes, edgeHash)
    .flatMap(({ uploadId }) => (uploadId === null ? [] : (sha256Of(uploadId) ?? [])));
  if (candidates.length === 0) return false;
  const sha256 = await digests.contents(file, row.sizeBytes, isWanted);
  return sha256 !== null && candidates.includes(sha256);
}
