/**
 * Paths whose names are not UTF-8. On Linux a name consists of bytes; files from old archives or shares can have names that are
 * not valid text. Such a path is stored as a string nevertheless: each byte that is not part of valid UTF-8 becomes one character
 * of a private-use range of Unicode (byte 0xE9 is U+10FDE9). Real characters of that range are encoded in the same way, byte by
 * byte, so that two different paths never become the same string. On Windows a name consists of UTF-16 units, which may be invalid: Node
 * gives and takes half a character as three bytes that are not UTF-8, so the same rule holds there.
 */
const BASE = 0x10fd00;
const ESCAPED = /[\u{10fd80}-\u{10fdff}]/u;
const ESCAPED_ALL = /[\u{10fd80}-\u{10fdff}]/gu;
/** The character that decoders use for invalid bytes. */
const REPLACEMENT = '\ufffd';

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Returns the string for a name or path of bytes. */
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

/** Returns a path for the file system: as bytes when it is not UTF-8. */
export function systemPath(path: string): string | Buffer {
  if (!ESCAPED.test(path)) return path;
  return Buffer.concat(
    Array.from(path, (character) =>
      ESCAPED.test(character) ? Buffer.of((character.codePointAt(0) ?? BASE) - BASE) : Buffer.from(character),
    ),
  );
}

/** Returns a name for display and sending: with U+FFFD for each invalid byte. */
export function shownName(name: string): string {
  return name.replace(ESCAPED_ALL, REPLACEMENT);
}

/** Returns whether a path may have lost bytes before the program received it: programs receive arguments as text. */
export function mayHaveLostBytes(path: string): boolean {
  return path.includes(REPLACEMENT);
}

/** Returns whether `lossy` can be the lossy form of `name`. One U+FFFD can represent several bytes. */
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

/** Returns the length in bytes of the UTF-8 character that starts with this byte. */
function lengthOfCharacter(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xe0) return 2;
  return first < 0xf0 ? 3 : 4;
}
