import { type FileHandle, open } from 'node:fs/promises';
import { BrokenFile } from './facts.ts';

/** Random access to the bytes of a file. */
export interface ByteSource {
  sizeBytes: number;
  /** Reads up to `length` bytes from `position`; fewer at the end of the file, none after it. */
  read(position: number, length: number): Promise<Buffer>;
}

/**
 * The maximum number of reads. No real recording needs more; the limit bounds the work for a file that consists of very many tiny
 * parts.
 */
const MAX_READS = 100_000;

/** Opens a file while `use` runs. */
export async function withByteSource<T>(path: string, use: (source: ByteSource) => Promise<T>): Promise<T> {
  const handle: FileHandle = await open(path, 'r');
  try {
    const { size: sizeBytes } = await handle.stat();
    let reads = 0;
    return await use({
      sizeBytes,
      async read(position, length) {
        reads += 1;
        if (reads > MAX_READS) throw new BrokenFile('The file has too many parts.');
        if (position >= sizeBytes || length <= 0) return Buffer.alloc(0);
        const buffer = Buffer.alloc(Math.min(length, sizeBytes - position));
        const { bytesRead } = await handle.read(buffer, 0, buffer.length, position);
        return buffer.subarray(0, bytesRead);
      },
    });
  } finally {
    await handle.close();
  }
}
