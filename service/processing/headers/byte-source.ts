import { type FileHandle, open } from 'node:fs/promises';
import { BoundedBytes, TooMuchToRead } from '../../../shared/formats/bytes/bounded-bytes.ts';
import type { ByteSource } from '../../../shared/formats/bytes/byte-source.ts';
import { BrokenFile } from './facts.ts';

/** No real recording needs more reads; the limit bounds the work for a file that consists of very many tiny parts. */
const LIMITS = { bytes: Number.POSITIVE_INFINITY, reads: 100_000 };

/** Opens a file while `use` runs. Throws `BrokenFile` when it has too many parts. */
export async function withByteSource<T>(path: string, use: (source: ByteSource) => Promise<T>): Promise<T> {
  const handle: FileHandle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    const readAt = async (position: number, length: number) => {
      const buffer = Buffer.alloc(length);
      const { bytesRead } = await handle.read(buffer, 0, length, position);
      return buffer.subarray(0, bytesRead);
    };
    return await use(new BoundedBytes(size, readAt, LIMITS));
  } catch (error) {
    if (error instanceof TooMuchToRead) throw new BrokenFile('The file has too many parts.');
    throw error;
  } finally {
    await handle.close();
  }
}
