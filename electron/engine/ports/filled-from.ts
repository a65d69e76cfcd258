import type { OpenFile } from './files.ts';

/** Fills a buffer with the bytes of a file from `position` on. Returns the filled part, shorter where the file ends. */
export async function filledFrom(file: OpenFile, buffer: Uint8Array, position: number): Promise<Uint8Array> {
  let filled = 0;
  while (filled < buffer.length) {
    const read = await file.read(buffer, filled, buffer.length - filled, position + filled);
    if (read === 0) break;
    filled += read;
  }
  return buffer.subarray(0, filled);
}
