import type { ContainerVerdict } from '../observations.ts';
import type { BoundedBytes, Bytes } from './bounded-bytes.ts';
import { COMPLETE, NOT_CLOSED, PART_MISSING, TOO_SHORT, UNKNOWN } from './verdicts.ts';
import { hasZeroTail } from './zero-tail.ts';

const SEGMENT = [0x18, 0x53, 0x80, 0x67];
const SEEK_HEAD = [0x11, 0x4d, 0x9b, 0x74];
const VOID = [0xec];
const SEEK = [0x4d, 0xbb];
const SEEK_ID = [0x53, 0xab];
const SEEK_POSITION = [0x53, 0xac];
/** The table of places in time, which is written at the end of a recording. */
const CUES = 0x1c53bb6b;
const CLUSTER = '\x1f\x43\xb6\x75';
/** The most bytes of an index that are read, and the most places in it. */
const INDEX_BYTES = 512;
const MOST_PLACES = 32;

/**
 * Checks Matroska and WebM: the size of the segment adds up to the size of the file. Programs that can seek write the size when
 * they close the file; until then it is unknown, with space reserved for the index. Browsers and live streams never write it: of
 * their recordings nothing shows whether they are complete.
 */
export async function checkMatroska(file: BoundedBytes): Promise<ContainerVerdict> {
  const start = await file.read(0, 512);
  const headerSize = sizeAt(start, 4);
  if (headerSize === null || headerSize.value === null) return start.length < 16 ? PART_MISSING : UNKNOWN;
  const segmentAt = 4 + headerSize.length + headerSize.value;
  const segment = await file.read(segmentAt, 256);
  if (segment.length < 5) return PART_MISSING;
  if (!segment.hasAt(0, SEGMENT)) return segment.data.subarray(0, 8).every((byte) => byte === 0) ? NOT_CLOSED : UNKNOWN;
  const size = sizeAt(segment, 4);
  if (size === null) return PART_MISSING;
  const contentAt = 4 + size.length;
  if (size.value === null) return checkOpen(segment, contentAt);
  const end = segmentAt + contentAt + size.value;
  if (end > file.sizeBytes) return TOO_SHORT;
  // A program that knows the length writes the size first. Space is reserved at the start, not at the end.
  if (await hasZeroTail(file)) return (await hasDenseTracks(file)) ? NOT_CLOSED : UNKNOWN;
  if (await lacksNamedParts(file, segmentAt + contentAt, end)) return NOT_CLOSED;
  // Several segments in one file are allowed, and rare.
  return end === file.sizeBytes ? COMPLETE : UNKNOWN;
}

/**
 * Checks a segment whose size is unknown. A program that will write it later has reserved the space of the index, or written an
 * index with places that it does not know yet. A live stream, or one through a pipe, has at most an index of its beginning.
 */
function checkOpen(segment: Bytes, contentAt: number): ContainerVerdict {
  if (segment.length <= contentAt) return PART_MISSING;
  if (segment.hasAt(contentAt, VOID)) return NOT_CLOSED;
  if (!segment.hasAt(contentAt, SEEK_HEAD)) return UNKNOWN;
  const places = placesIn(segment, contentAt + SEEK_HEAD.length);
  return places === null || places.some(({ id }) => id === CUES) ? NOT_CLOSED : UNKNOWN;
}

/** Returns whether a part that the index names, such as the one at the end, is still space: its place has zero bytes. */
async function lacksNamedParts(file: BoundedBytes, contentAt: number, end: number): Promise<boolean> {
  const index = await file.read(contentAt, INDEX_BYTES);
  if (!index.hasAt(0, SEEK_HEAD)) return false;
  for (const { place } of placesIn(index, SEEK_HEAD.length) ?? []) {
    if (contentAt + place + 4 > end) continue;
    if ((await file.read(contentAt + place, 4)).isZero()) return true;
  }
  return false;
}

/** The names and places in an index (`SeekHead`) whose size is at `sizeFrom`; null when they are not written yet. */
function placesIn(bytes: Bytes, sizeFrom: number): { id: number; place: number }[] | null {
  const places: { id: number; place: number }[] = [];
  const list = sizeAt(bytes, sizeFrom);
  if (list === null || list.value === null) return null;
  const end = sizeFrom + list.length + list.value;
  let at = sizeFrom + list.length;
  while (at < Math.min(end, bytes.length) && places.length < MOST_PLACES) {
    const size = sizeAt(bytes, at + SEEK.length);
    if (size === null || size.value === null) return null;
    const from = at + SEEK.length + size.length;
    if (bytes.hasAt(at, SEEK)) {
      const id = valueAt(bytes, from, SEEK_ID);
      const place = id === null ? null : valueAt(bytes, id.end, SEEK_POSITION);
      // A place of all bits is a placeholder.
      if (id === null || place === null || place.value >= 2 ** 63) return null;
      places.push({ id: id.value, place: place.value });
    }
    at = from + size.value;
  }
  return places;
}

/** The number in the element with this id at a place, and where the element ends; null for another element. */
function valueAt(bytes: Bytes, at: number, id: readonly number[]): { value: number; end: number } | null {
  const size = bytes.hasAt(at, id) ? sizeAt(bytes, at + id.length) : null;
  if (size === null || size.value === null || size.value > 8) return null;
  const from = at + id.length + size.length;
  const data = bytes.data.subarray(from, from + size.value);
  return { value: data.reduce((sum, byte) => sum * 256 + byte, 0), end: from + size.value };
}

/** The descriptions of the tracks are at the start. */
const TRACKS_BYTES = 64 * 1024;
/** The id of a code, its size in one byte, and the name of a code with pictures or sound. */
const CODES = /\x86([\x83-\xbf])([AV]_[A-Z0-9/_.]{1,61})/g;
/** The codes of pictures that never contain 64 KiB of zero bytes. Others fill frames of a constant size with zeros. */
const DENSE_PICTURES: ReadonlySet<string> = new Set([
  ...['V_MPEG4/ISO/AVC', 'V_MPEGH/ISO/HEVC', 'V_VP8', 'V_VP9', 'V_AV1', 'V_THEORA'],
]);

/** Returns whether every track has a code that never contains 64 KiB of zero bytes. Digital silence of plain sound is zero. */
async function hasDenseTracks(file: BoundedBytes): Promise<boolean> {
  const start = Buffer.from((await file.read(0, TRACKS_BYTES)).data).toString('latin1');
  const codes = [...(start.split(CLUSTER, 1)[0] ?? '').matchAll(CODES)].map(([, size = '', code = '']) =>
    // The next element may begin with a letter.
    code.slice(0, size.charCodeAt(0) & 0x3f),
  );
  const isDense = (code: string) => DENSE_PICTURES.has(code) || (code.startsWith('A_') && !/^A_(?:PCM|MS)/.test(code));
  return codes.length > 0 && codes.every(isDense);
}

/** A size of variable length: how many bytes it takes, and its value; null for “unknown”, which has all bits set. */
function sizeAt(bytes: Bytes, at: number): { length: number; value: number | null } | null {
  const first = bytes.byte(at);
  if (Number.isNaN(first) || first === 0) return null;
  const length = Math.clz32(first) - 23;
  let value = first & (0xff >> length);
  let isUnknown = value === 0xff >> length;
  for (let index = 1; index < length; index += 1) {
    const byte = bytes.byte(at + index);
    if (Number.isNaN(byte)) return null;
    value = value * 256 + byte;
    isUnknown &&= byte === 0xff;
  }
  return { length, value: isUnknown ? null : value };
}
