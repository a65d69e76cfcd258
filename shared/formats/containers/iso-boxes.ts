import type { Bytes } from '../bytes/bounded-bytes.ts';
import type { ByteSource } from '../bytes/byte-source.ts';

/** A box of MP4, QuickTime, 3GP and HEIF (ISO 14496-12), by its places in the file. */
export interface IsoBox {
  type: string;
  at: number;
  /** The start of its contents. */
  from: number;
  end: number;
}

/** The bytes that the header of a box needs. */
export const BOX_HEADER_BYTES = 16;

/** Reads the header of a box. `size`: with the header; 0: to the end of what contains the box; NaN: not within the bytes. */
export function boxHeader(header: Bytes): { type: string; size: number; headerBytes: number } {
  const size = header.uint32(0);
  const type = header.text(4, 4);
  return size === 1 ? { type, size: header.uint64(8), headerBytes: 16 } : { type, size, headerBytes: 8 };
}

/**
 * Visits the boxes in a part of a file. One that is damaged, or not completely in that part, ends the list after a call of
 * `onDamage`.
 */
export async function* boxesIn(
  source: ByteSource,
  from: number,
  end: number,
  onDamage: () => void = () => {},
): AsyncGenerator<IsoBox> {
  for (let at = from; at + 8 <= end; ) {
    const { type, size: declared, headerBytes } = boxHeader(await source.read(at, BOX_HEADER_BYTES));
    // Space that is still to be filled has neither a size nor a type.
    const size = declared === 0 && type !== '\0\0\0\0' ? end - at : declared;
    if (!(size >= headerBytes && size <= end - at)) return onDamage();
    yield { type, at, from: at + headerBytes, end: at + size };
    at += size;
  }
}

/** Returns the first box of a type in a part of a file; null without one. */
export async function firstBox(
  source: ByteSource,
  parent: Pick<IsoBox, 'from' | 'end'> | null,
  type: string,
): Promise<IsoBox | null> {
  if (parent === null) return null;
  for await (const box of boxesIn(source, parent.from, parent.end)) if (box.type === type) return box;
  return null;
}
