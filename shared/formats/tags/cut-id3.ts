import type { Bytes } from '../bytes/bounded-bytes.ts';
import { type ByteSource, sourceOf } from '../bytes/byte-source.ts';
import { syncSafe } from '../containers/mpeg-audio.ts';
import { encoded } from '../text/decode.ts';
import { ascii, joined } from './bytes-out.ts';
import { DamagedTags, MOST_VALUE, type ValueBudget } from './cut-source.ts';

// ID3v2 tags in the forms that programs really write them: with pictures of any size, as a whole or in single frames protected
// against false synchronisation, and with frame sizes of the wrong version. The parser gets a tag of the same version that has the
// texts only, in the plain form.

/** The maximum number of bytes of a tag that is protected as a whole: its frames are found only by reading all bytes before them. */
const MOST_PROTECTED = 3.5 * 1024 * 1024;
const TAG_HEADER_BYTES = 10;
const MOST_VALUES_OF_FRAME = 100;

/** A tag that was cut, and the position after the original. */
export interface Id3Cut {
  tag: Uint8Array;
  end: number;
}

/**
 * Cuts the ID3v2 tag at a position. Returns null when there is none, or one of an unknown version. Throws `DamagedTags` when sizes
 * in it are wrong and nothing was found before, and `TooMuchToRead`.
 */
export async function cutId3(file: ByteSource, at: number, budget: ValueBudget): Promise<Id3Cut | null> {
  const header = await file.read(at, TAG_HEADER_BYTES);
  const major = header.byte(3);
  if (header.text(0, 3) !== 'ID3' || !(major >= 2 && major <= 4)) return null;
  const flags = header.byte(5);
  const size = syncSafe(header, 6);
  const from = at + TAG_HEADER_BYTES;
  const isProtected = (flags & 0x80) !== 0;
  const end = from + size + (major === 4 && (flags & 0x10) !== 0 ? TAG_HEADER_BYTES : 0);
  // Version 2.2 used this flag for a compression that was never defined.
  if (major === 2 && (flags & 0x40) !== 0) return { tag: tagOf(major, []), end };
  const frames: FrameReader =
    isProtected && major < 4
      ? await protectedFrames(file, from, size, major, budget)
      : new FrameReader({ source: file, major, end: Math.min(from + size, file.sizeBytes), isProtected, budget });
  const start = isProtected && major < 4 ? 0 : from;
  const texts = await frames.textsFrom(start, major > 2 && (flags & 0x40) !== 0);
  if (texts.length === 0 && from + size > file.sizeBytes) throw new DamagedTags();
  return { tag: tagOf(major, texts), end };
}

async function protectedFrames(file: ByteSource, from: number, size: number, major: number, budget: ValueBudget) {
  const data = unprotected((await file.read(from, Math.min(size, MOST_PROTECTED))).data);
  return new FrameReader({ source: sourceOf(data), major, end: data.length, isProtected: false, budget });
}

interface FrameSource {
  source: ByteSource;
  major: number;
  /** The position after the last frame. */
  end: number;
  /** Each frame is protected against false synchronisation. */
  isProtected: boolean;
  budget: ValueBudget;
}

/** Reads the frames of a tag. */
class FrameReader {
  readonly #from: FrameSource;
  readonly #headerBytes: number;
  readonly #idLength: number;

  constructor(from: FrameSource) {
    this.#from = from;
    this.#headerBytes = from.major === 2 ? 6 : 10;
    this.#idLength = from.major === 2 ? 3 : 4;
  }

  /** Returns the frames with texts, composed again without flags. */
  async textsFrom(start: number, hasExtendedHeader: boolean): Promise<Uint8Array[]> {
    const { source, end, budget } = this.#from;
    const texts: Uint8Array[] = [];
    let at = hasExtendedHeader ? await this.#afterExtendedHeader(start) : start;
    while (at + this.#headerBytes < end) {
      const header = await source.read(at, this.#headerBytes);
      const id = header.text(0, this.#idLength);
      if (!isFrameId(id, this.#idLength)) break;
      const from = at + this.#headerBytes;
      const size = await this.#sizeOf(header, from);
      if (size === null) {
        if (texts.length === 0) throw new DamagedTags();
        break;
      }
      const isText = /^(?:T|COM)/.test(id);
      const text = isText ? await this.#textOf(header, from, size) : null;
      budget.count(text?.length);
      if (text !== null) texts.push(frameOf(this.#from.major, id, text));
      at = from + size;
    }
    return texts;
  }

  async #afterExtendedHeader(at: number): Promise<number> {
    const { source, major } = this.#from;
    const size = await source.read(at, 4);
    return at + (major === 4 ? syncSafe(size, 0) : 4 + size.uint32(0));
  }

  /**
   * Returns the size of a frame; null when it does not fit. Version 2.4 counts in seven bits of each byte, version 2.3 in eight;
   * old versions of iTunes, and others, write one with the sizes of the other.
   */
  async #sizeOf(header: Bytes, from: number): Promise<number | null> {
    const { major, end } = this.#from;
    if (major === 2) {
      const size = header.uint32(2) & 0xffffff;
      return from + size <= end ? size : null;
    }
    const [plain, safe] = [header.uint32(4), syncSafe(header, 4)];
    const isSafe = (plain & 0x80808080) === 0;
    const sizes = major === 4 ? (isSafe ? [safe, plain] : [plain]) : isSafe ? [plain, safe] : [plain];
    for (const size of sizes) if (await this.#canEndAt(from + size)) return size;
    return sizes.find((size) => from + size <= end) ?? null;
  }

  /** Whether another frame, padding or the end of the tag is at this position. */
  async #canEndAt(at: number): Promise<boolean> {
    const { source, end } = this.#from;
    if (at >= end) return at === end;
    const next = await source.read(at, Math.min(this.#headerBytes, end - at));
    if (next.byte(0) === 0) return true;
    if (!isFrameId(next.text(0, this.#idLength), this.#idLength)) return false;
    const left = end - at - this.#headerBytes;
    return next.uint32(4) <= left || syncSafe(next, 4) <= left;
  }

  /** Returns the contents of a frame with a text, at most `MOST_VALUE` bytes; null when they are compressed or encrypted. */
  async #textOf(header: Bytes, at: number, size: number): Promise<Uint8Array | null> {
    const { source, major, isProtected } = this.#from;
    const format = major === 2 ? 0 : header.byte(9);
    const flags = major === 4 ? FLAGS_4 : FLAGS_3;
    if ((format & (flags.compressed | flags.encrypted)) !== 0) return null;
    const before = ((format & flags.grouped) === 0 ? 0 : 1) + ((format & flags.hasLength) === 0 ? 0 : 4);
    const { data } = await source.read(at + before, Math.min(Math.max(size - before, 0), MOST_VALUE));
    return fewValues((format & flags.isProtected) !== 0 || (isProtected && major === 4) ? unprotected(data) : data);
  }
}

/** The flags of a frame, by version. A frame of version 2.3 has a length only with compression. */
const FLAGS_3 = { compressed: 0x80, encrypted: 0x40, grouped: 0x20, hasLength: 0, isProtected: 0 };
const FLAGS_4 = { compressed: 0x08, encrypted: 0x04, grouped: 0x40, hasLength: 0x01, isProtected: 0x02 };

/** Returns the contents of a frame up to its hundredth value: the parser makes objects of every one, also of an empty one. */
function fewValues(data: Uint8Array): Uint8Array {
  const unit = data[0] === 1 || data[0] === 2 ? 2 : 1;
  let left = MOST_VALUES_OF_FRAME;
  for (let at = 1; at < data.length; at += unit) {
    if (data[at] !== 0 || (unit === 2 && data[at + 1] !== 0)) continue;
    left -= 1;
    if (left === 0) return data.subarray(0, at);
  }
  return data;
}

function isFrameId(id: string, length: number): boolean {
  return id.length === length && /^[A-Z][A-Z0-9]+$/.test(id);
}

/** Removes the zero that a protected tag has after every 255. */
function unprotected(data: Uint8Array): Uint8Array {
  const plain = new Uint8Array(data.length);
  let length = 0;
  for (let at = 0; at < data.length; at += 1) {
    plain[length] = data[at] as number;
    length += 1;
    if (data[at] === 0xff && data[at + 1] === 0) at += 1;
  }
  return plain.subarray(0, length);
}

function frameOf(major: number, id: string, data: Uint8Array): Uint8Array {
  const size = new Uint8Array(4);
  if (major === 4) size.set(syncSafeBytes(data.length));
  else new DataView(size.buffer).setUint32(0, data.length);
  const header = major === 2 ? [ascii(id), size.subarray(1)] : [ascii(id), size, new Uint8Array(2)];
  return joined([...header, data]);
}

function tagOf(major: number, frames: readonly Uint8Array[]): Uint8Array {
  const body = joined(frames);
  return joined([ascii('ID3'), Uint8Array.of(major, 0, 0), syncSafeBytes(body.length), body]);
}

/** Composes a tag of texts, by the names of their frames. */
export function id3Of(texts: readonly (readonly [frame: string, text: string])[]): Uint8Array {
  const utf8 = Uint8Array.of(3);
  const frames = texts.map(([frame, text]) =>
    frameOf(4, frame, joined([utf8, ascii(frame === 'COMM' ? 'und\0' : ''), encoded(text)])),
  );
  return tagOf(4, frames);
}

function syncSafeBytes(number: number): Uint8Array {
  return Uint8Array.of((number >> 21) & 0x7f, (number >> 14) & 0x7f, (number >> 7) & 0x7f, number & 0x7f);
}
