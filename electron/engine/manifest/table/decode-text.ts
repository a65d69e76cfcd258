import type { EncodingEvidence, TextEncoding } from '../../../../shared/model/table/encodings.ts';
import { decodeWindows1252 } from '../../common/windows-1252.ts';

export interface DetectedEncoding {
  encoding: TextEncoding;
  evidence: EncodingEvidence;
  /** Length of the byte order mark. */
  bomBytes: number;
}

const BOMS: readonly (readonly [TextEncoding, readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/**
 * Detects the encoding of a file from its first bytes. Windows-1252 is never detected: every file is valid in it. `chosen`
 * takes precedence; a byte order mark of that encoding is still removed.
 */
export function detectEncoding(head: Uint8Array, chosen: TextEncoding | null = null): DetectedEncoding {
  const bom = BOMS.find(([, bytes]) => bytes.every((byte, index) => head[index] === byte));
  if (chosen !== null) {
    return { encoding: chosen, evidence: 'chosen', bomBytes: bom?.[0] === chosen ? bom[1].length : 0 };
  }
  if (bom !== undefined) return { encoding: bom[0], evidence: 'bom', bomBytes: bom[1].length };
  const wide = wideEncoding(head);
  if (wide !== null) return { encoding: wide, evidence: 'nul-pattern', bomBytes: 0 };
  return { encoding: 'utf-8', evidence: 'default', bomBytes: 0 };
}

const MOST_CHECKED = 4096;

/**
 * Detects UTF-16 without a mark: separators, line ends and Latin letters have a NUL byte each, always on the same side. A few other
 * characters have one on the other side, such as 😀 and 一.
 */
function wideEncoding(head: Uint8Array): TextEncoding | null {
  const length = Math.min(head.length - (head.length % 2), MOST_CHECKED);
  if (length < 4) return null;
  let even = 0;
  let odd = 0;
  for (let at = 0; at < length; at += 2) {
    if (head[at] === 0) even += 1;
    if (head[at + 1] === 0) odd += 1;
  }
  const enough = length / 2 / 4;
  if (odd > enough && even * 2 < odd) return 'utf-16le';
  return even > enough && odd * 2 < even ? 'utf-16be' : null;
}

/** Bytes that are invalid in the encoding. `text`: the valid text before them. */
export class EncodingError extends Error {
  override readonly name = 'EncodingError';
  readonly text: string;

  constructor(text: string) {
    super('invalid bytes');
    this.text = text;
  }
}

/**
 * Decodes a file in pieces. A character that is cut by the end of a piece waits for the next piece. Throws `EncodingError` at the
 * first invalid byte: nothing is replaced silently.
 */
export class TextDecoding {
  readonly #encoding: TextEncoding;
  #rest: Uint8Array = new Uint8Array();

  constructor(encoding: TextEncoding) {
    this.#encoding = encoding;
  }

  push(bytes: Uint8Array): string {
    const all = joined(this.#rest, bytes);
    const complete = this.#completeLength(all);
    this.#rest = all.slice(complete);
    return decoded(all.subarray(0, complete), this.#encoding);
  }

  /** Throws `EncodingError` when the file ends inside a character. */
  end(): void {
    if (this.#rest.length > 0) throw new EncodingError('');
  }

  /** Returns the number of bytes that form complete characters. */
  #completeLength(bytes: Uint8Array): number {
    switch (this.#encoding) {
      case 'windows-1252':
        return bytes.length;
      case 'utf-8':
        return bytes.length - openUtf8(bytes);
      default: {
        const even = bytes.length - (bytes.length % 2);
        const high = bytes[this.#encoding === 'utf-16le' ? even - 1 : even - 2] ?? 0;
        return high >= 0xd8 && high <= 0xdb ? even - 2 : even;
      }
    }
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (first.length === 0) return second;
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}

/** Returns the number of bytes at the end that begin a character of UTF-8 without completing it. */
function openUtf8(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte < 0xc0) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return needed > back ? back : 0;
  }
  return 0;
}

function decoded(bytes: Uint8Array, encoding: TextEncoding): string {
  if (encoding === 'windows-1252') return decodeWindows1252(bytes);
  const decode = (length: number) =>
    new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes.subarray(0, length));
  try {
    return decode(bytes.length);
  } catch {
    throw new EncodingError(longestValid(bytes.length, decode));
  }
}

/** Returns the text of the longest valid beginning, found by bisection; a beginning that ends inside a character is skipped. */
function longestValid(length: number, decode: (length: number) => string): string {
  const tryDecode = (size: number): string | null => {
    for (let cut = 0; cut < 4 && cut <= size; cut += 1) {
      try {
        return decode(size - cut);
      } catch {
        // Cut inside a character, or after the invalid byte.
      }
    }
    return null;
  };
  let low = 0;
  let high = length;
  let text = '';
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const valid = tryDecode(middle);
    if (valid === null) high = middle - 1;
    else {
      text = valid;
      low = middle;
    }
  }
  return text;
}
