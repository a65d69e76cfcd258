import type { Bytes } from '../bytes/bounded-bytes.ts';

/** The maximum length of the header of a page. */
export const PAGE_HEADER_BYTES = 27 + 255;
/** How a page begins: its mark and the version. */
export const PAGE_START = [0x4f, 0x67, 0x67, 0x53, 0];

/** The header of a page of an Ogg file. */
export interface OggPage {
  stream: number;
  isFirst: boolean;
  /** The page is marked as the end of its stream. */
  isLast: boolean;
  /** The distance from the beginning of the page to its contents, and to its end. NaN: not within the bytes. */
  from: number;
  end: number;
  /** The lengths of the pieces of its packets. A piece shorter than 255 bytes ends its packet. */
  pieces: Uint8Array;
}

/** Reads the header of the page at a place; null where none begins. */
export function oggPage(bytes: Bytes, at: number): OggPage | null {
  if (!bytes.hasAt(at, PAGE_START)) return null;
  const flags = bytes.byte(at + 5);
  const count = bytes.byte(at + 26);
  const from = 27 + count;
  const pieces = bytes.data.subarray(at + 27, at + from);
  const isWhole = pieces.length === count;
  return {
    stream: bytes.uint32(at + 14, true),
    isFirst: (flags & 2) !== 0,
    isLast: (flags & 4) !== 0,
    from,
    pieces,
    end: isWhole ? pieces.reduce((sum, length) => sum + length, from) : Number.NaN,
  };
}
