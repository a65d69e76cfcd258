/**
 * Returns a checksum of a text as 16 hexadecimal digits: FNV-1a over its UTF-16 code units, with two seeds. It detects accidental
 * changes, not intentional ones.
 */
export function textSum(text: string): string {
  return `${fnv1a(text, 0x811c9dc5)}${fnv1a(text, 0x01000193)}`;
}

function fnv1a(text: string, seed: number): string {
  let value = seed;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return (value >>> 0).toString(16).padStart(8, '0');
}
