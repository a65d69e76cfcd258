/**
 * Paths whose names are not UTF-8. To Linux a name is bytes; a file that came from an old archive or share may have a name
 * that is no text. Such a path is kept as a string all the same, so that it can be stored and passed on: each byte that is
 * not part of valid UTF-8 becomes one character of a private range of Unicode (byte 0xE9 is U+10FDE9). Characters of that
 * range in a real name are written the same way, byte by byte, so that no two paths become the same string.
 */
const BASE = 0x10fd00;
const ESCAPED = /[\u{10fd80}-\u{10fdff}]/u;
const ESCAPED_ALL = /[\u{10fd80}-\u{10fdff}]/gu;
/** What decoders put in place of bytes that are not valid. */
const REPLACEMENT = '\ufffd';

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The string that stands for a name or path of bytes. */
export function pathOfBytes(bytes: Uint8Array): string {
  const plain = textOrNull(bytes);
  if (plain !== null && !ESCAPED.test(plain)) return plain;
  let path = '';
  for (let at = 0; at < bytes.length; ) {
    const character = textOrNull(bytes.subarray(at, at + lengthOfCharacter(bytes[at] ?? 0)));
    if (character !== null && !ESCAPED.test(character)) {
      path += character;
      at += lengthOfCharacter(bytes[at] ?? 0);
    } else {
      path += String.fromCodePoint(BASE + (bytes[at] ?? 0));
      at += 1;
    }
  }
  return path;
}

/** A path as the file system takes it: its bytes where they are not UTF-8. */
export function systemPath(path: string): string | Buffer {
  if (!ESCAPED.test(path)) return path;
  return Buffer.concat(
    Array.from(path, (character) =>
      ESCAPED.test(character) ? Buffer.of((character.codePointAt(0) ?? BASE) - BASE) : Buffer.from(character),
    ),
  );
}

/** A name as it is shown and sent: with U+FFFD for each byte that is no text. */
export function shownName(name: string): string {
  return name.replace(ESCAPED_ALL, REPLACEMENT);
}

/** Whether this may be a path that lost bytes on its way here: programs are given names as text. */
export function mayHaveLostBytes(path: string): boolean {
  return path.includes(REPLACEMENT);
}

/** Whether `name`, of bytes, is what `lossy` was made of. One U+FFFD can stand for several bytes. */
export function isLossyFormOf(lossy: string, name: string): boolean {
  return ESCAPED.test(name) && Buffer.from(systemPath(name)).toString('utf8') === lossy;
}

function textOrNull(bytes: Uint8Array): string | null {
  try {
    return strict.decode(bytes);
  } catch {
    return null;
  }
}

/** Bytes of the character that begins with this one, if it begins one. */
function lengthOfCharacter(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xe0) return 2;
  return first < 0xf0 ? 3 : 4;
}
