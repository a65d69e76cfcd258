import { createHash } from 'node:crypto';
import type { OpenFile } from '../../ports/files.ts';
import { filledFrom } from '../../ports/filled-from.ts';

/** Computes hashes of a file's bytes. A simulation, whose files have no bytes, supplies its own. */
export interface FileDigests {
  /** SHA-256 of the first and the last 64 KiB: fast, and different for nearly all different files. */
  edges(file: OpenFile, sizeBytes: number): Promise<string>;
  /**
   * SHA-256 of all bytes. `isWanted` is called occasionally; when it returns false, the result is null. The result is also null
   * when the file is shorter than `sizeBytes`.
   */
  contents(file: OpenFile, sizeBytes: number, isWanted: () => boolean): Promise<string | null>;
}

export const EDGE_BYTES = 64 * 1024;
/** Hashing this many bytes takes less than a millisecond. */
const READ_BYTES = 1024 * 1024;

/** Reads in the background. `contents` hashes 1 MiB between two reads, so that other work is not delayed. */
export const fileDigests: FileDigests = {
  async edges(file, sizeBytes) {
    const hash = createHash('sha256');
    const buffer = Buffer.allocUnsafeSlow(Math.min(sizeBytes, 2 * EDGE_BYTES));
    if (sizeBytes <= 2 * EDGE_BYTES) {
      hash.update(await filledFrom(file, buffer, 0));
    } else {
      hash.update(await filledFrom(file, buffer.subarray(0, EDGE_BYTES), 0));
      hash.update(await filledFrom(file, buffer.subarray(0, EDGE_BYTES), sizeBytes - EDGE_BYTES));
    }
    return hash.digest('hex');
  },

  async contents(file, sizeBytes, isWanted) {
    const hash = createHash('sha256');
    const buffer = Buffer.allocUnsafeSlow(Math.min(sizeBytes, READ_BYTES));
    for (let position = 0; position < sizeBytes; ) {
      if (!isWanted()) return null;
      const wanted = buffer.subarray(0, Math.min(buffer.length, sizeBytes - position));
      const filled = await filledFrom(file, wanted, position);
      if (filled.length === 0) return null;
      hash.update(filled);
      position += filled.length;
    }
    return hash.digest('hex');
  },
};
