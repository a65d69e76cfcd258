import type { ByteSource } from '../bytes/byte-source.ts';

/** The chunk `IEND`: no contents, its name, and its checksum. */
const END = [0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82];
const TAIL_BYTES = 64 * 1024;

/** Returns where the last chunk of a PNG is. Some programs append bytes of their own after it. */
export async function pngEnd(source: ByteSource): Promise<'at-end' | 'before-end' | 'missing'> {
  const tail = await source.read(Math.max(0, source.sizeBytes - TAIL_BYTES), TAIL_BYTES);
  const at = tail.lastIndexOf(END);
  if (at < 0) return 'missing';
  return at + END.length === tail.length ? 'at-end' : 'before-end';
}
