import { BoundedBytes, type ReadAt } from '../../../../../shared/formats/bytes/bounded-bytes.ts';

/** So much of the end of a file is compared with zero bytes; of a short file its second half. */
const TAIL_BYTES = 64 * 1024;
/** A shorter end proves nothing. */
const LEAST_BYTES = 4096;
const BLOCK_BYTES = 512;

/**
 * Returns whether a file ends with many zero bytes: its program may have reserved the space and not filled it yet. Uncompressed
 * sound may end so as well, because digital silence is zero.
 */
export async function hasZeroTail(file: BoundedBytes): Promise<boolean> {
  const length = Math.min(TAIL_BYTES, Math.floor(file.sizeBytes / 2));
  return length >= LEAST_BYTES && (await file.readEnd(length)).isZero();
}

/**
 * Returns whether a part of a file may not be filled yet: it ends with zero bytes, or has far fewer allocated blocks (`blocks`, of
 * 512 bytes; null: unknown) than its size needs. A file system that compresses allocates fewer as well.
 */
export async function isUnfilled(sizeBytes: number, blocks: number | null, readAt: ReadAt): Promise<boolean> {
  const missing = blocks === null || blocks === 0 ? 0 : sizeBytes - blocks * BLOCK_BYTES;
  if (missing >= Math.max(TAIL_BYTES, sizeBytes / 8)) return true;
  return hasZeroTail(new BoundedBytes(sizeBytes, readAt));
}
