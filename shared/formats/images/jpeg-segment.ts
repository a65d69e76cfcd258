import type { Bytes } from '../bytes/bounded-bytes.ts';

/**
 * Returns the marker at the beginning of these bytes (at least 4), and the length of its segment with the marker. null where no
 * segment begins: at the picture itself, at the end, and at damaged bytes.
 */
export function jpegSegment(bytes: Bytes): { marker: number; length: number } | null {
  const marker = bytes.byte(1);
  if (bytes.byte(0) !== 0xff || Number.isNaN(marker)) return null;
  // A byte before a marker that only fills.
  if (marker === 0xff) return { marker, length: 1 };
  // These have no contents, and no length.
  if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) return { marker, length: 2 };
  const length = bytes.uint16(2);
  return marker === 0xda || marker === 0xd9 || !(length >= 2) ? null : { marker, length: 2 + length };
}
