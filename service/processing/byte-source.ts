import { type FileHandle, open } from 'node:fs/promises';

/** Random access to the bytes of a file. */
export interface ByteSource {
  /** Bytes. */
  size: number;
  /** Up to `length` bytes from `position`; fewer at the end, none behind it. */
  read(position: number, length: number): Promise<Buffer>;
}

/** Opens a file for the time of `use`. */
export async function withByteSource<T>(path: string, use: (source: ByteSource) => Promise<T>): Promise<T> {
  const handle: FileHandle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    return await use({
      size,
      async read(position, length) {
        if (position >= size || length <= 0) return Buffer.alloc(0);
        const buffer = Buffer.alloc(Math.min(length, size - position));
        const { bytesRead } = await handle.read(buffer, 0, buffer.length, position);
        return buffer.subarray(0, bytesRead);
      },
    });
  } finally {
    await handle.close();
  }
}
