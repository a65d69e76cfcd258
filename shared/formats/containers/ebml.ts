import type { Bytes } from '../bytes/bounded-bytes.ts';

// Matroska and WebM consist of elements (EBML, RFC 8794): an id, a size, and contents, which may be elements again.

export const SEGMENT = 0x18538067;
export const SEEK_HEAD = 0x114d9b74;
export const CLUSTER = 0x1f43b675;
const SEEK = 0x4dbb;
const SEEK_ID = 0x53ab;
const SEEK_POSITION = 0x53ac;

/** The maximum length of the id and the size of an element. */
export const ELEMENT_HEADER_BYTES = 12;

/** An element, by its places in bytes. */
export interface Element {
  id: number;
  at: number;
  /** The start of its contents. */
  from: number;
  /** null: the size is unknown, as in a live stream. */
  size: number | null;
}

/** Returns the element at a place; null without a valid header. Its contents may be longer than the bytes. */
export function elementAt(bytes: Bytes, at: number): Element | null {
  const idLength = Math.clz32(bytes.byte(at)) - 23;
  const sizeAt = at + idLength;
  const sizeLength = Math.clz32(bytes.byte(sizeAt)) - 23;
  const from = sizeAt + sizeLength;
  if (!(idLength >= 1 && idLength <= 4 && sizeLength >= 1 && sizeLength <= 8 && from <= bytes.length)) return null;
  const marker = 0x80 >> (sizeLength - 1);
  const first = bytes.byte(sizeAt) & (marker - 1);
  const rest = bytes.data.subarray(sizeAt + 1, from);
  const isUnknown = first === marker - 1 && rest.every((byte) => byte === 0xff);
  // Numbers above 2^53 are imprecise, but larger than any file.
  const size = isUnknown ? null : rest.reduce((sum, byte) => sum * 256 + byte, first);
  return { id: unsigned(bytes.data.subarray(at, sizeAt)), at, from, size };
}

function unsigned(data: Uint8Array): number {
  return data.reduce((sum, byte) => sum * 256 + byte, 0);
}

/** Visits the elements in a part of bytes that are completely in it. A damaged element ends the list. */
export function* elementsIn(bytes: Bytes, from: number, end: number): Generator<Element & { end: number }> {
  for (let at = from; at < end; ) {
    const element = elementAt(bytes, at);
    if (element === null || element.size === null) return;
    const elementEnd = element.from + element.size;
    if (elementEnd > end) return;
    yield { ...element, end: elementEnd };
    at = elementEnd;
  }
}

/** Visits the parts that a list of parts (`SeekHead`) names: their ids and positions. NaN: a value that the entry does not have. */
export function* seekEntries(bytes: Bytes, from: number, end: number): Generator<{ id: number; place: number }> {
  for (const seek of elementsIn(bytes, from, end)) {
    if (seek.id !== SEEK) continue;
    const entry = { id: Number.NaN, place: Number.NaN };
    for (const value of elementsIn(bytes, seek.from, seek.end)) {
      const length = value.end - value.from;
      const number = length >= 1 && length <= 8 ? unsigned(bytes.data.subarray(value.from, value.end)) : Number.NaN;
      if (value.id === SEEK_ID) entry.id = number;
      if (value.id === SEEK_POSITION) entry.place = number;
    }
    yield entry;
  }
}
