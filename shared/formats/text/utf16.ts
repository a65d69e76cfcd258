export type Utf16 = 'utf-16le' | 'utf-16be';

const MOST_CHECKED = 4096;

/** Returns the kind of UTF-16 that a byte order mark names; null without one. */
export function markedUtf16(bytes: Uint8Array): Utf16 | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : null;
}

/** Detects UTF-16 without a mark: separators and line ends have a NUL byte each, always on the same side. */
export function unmarkedUtf16(head: Uint8Array): Utf16 | null {
  const length = Math.min(head.length - (head.length % 2), MOST_CHECKED);
  if (length < 4) return null;
  let even = 0;
  let odd = 0;
  for (let at = 0; at < length; at += 2) {
    if (head[at] === 0) even += 1;
    if (head[at + 1] === 0) odd += 1;
  }
  const enough = length / 2 / 4;
  if (odd > enough && even === 0) return 'utf-16le';
  return even > enough && odd === 0 ? 'utf-16be' : null;
}
