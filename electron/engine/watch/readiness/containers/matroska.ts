import type { BoundedBytes, Bytes } from '../../../../../shared/formats/bytes/bounded-bytes.ts';
import {
  elementAt,
  elementsIn,
  SEEK_HEAD,
  SEGMENT,
  seekEntries,
} from '../../../../../shared/formats/containers/ebml.ts';
import type { ContainerVerdict } from '../observations.ts';
import { COMPLETE, NOT_CLOSED, PART_MISSING, TOO_SHORT, UNKNOWN } from './verdicts.ts';
import { hasZeroTail } from './zero-tail.ts';

const VOID = 0xec;
/** The table of places in time, which is written at the end of a recording. */
const CUES = 0x1c53bb6b;
const CLUSTER_BYTES = '\x1f\x43\xb6\x75';
/** The most bytes of an index that are read. */
const INDEX_BYTES = 512;

/**
 * Checks Matroska and WebM: the size of the segment adds up to the size of the file. Programs that can seek write the size when
 * they close the file; until then it is unknown, with space reserved for the index. Browsers and live streams never write it: of
 * their recordings nothing shows whether they are complete.
 */
export async function checkMatroska(file: BoundedBytes): Promise<ContainerVerdict> {
  const start = await file.read(0, 512);
  const header = elementAt(start, 0);
  if (header === null || header.size === null) return start.length < 16 ? PART_MISSING : UNKNOWN;
  const segmentAt = header.from + header.size;
  const bytes = await file.read(segmentAt, 256);
  if (bytes.length < 5) return PART_MISSING;
  if (bytes.uint32(0) !== SEGMENT) return bytes.data.subarray(0, 8).every((byte) => byte === 0) ? NOT_CLOSED : UNKNOWN;
  const segment = elementAt(bytes, 0);
  if (segment === null) return PART_MISSING;
  if (segment.size === null) return checkOpen(bytes, segment.from);
  const from = segmentAt + segment.from;
  const end = from + segment.size;
  if (end > file.sizeBytes) return TOO_SHORT;
  // A program that knows the length writes the size first. Space is reserved at the start, not at the end.
  if (await hasZeroTail(file)) return (await hasDenseTracks(file)) ? NOT_CLOSED : UNKNOWN;
  if (await lacksNamedParts(file, from, end)) return NOT_CLOSED;
  // Several segments in one file are allowed, and rare.
  return end === file.sizeBytes ? COMPLETE : UNKNOWN;
}

/**
 * Checks a segment whose size is unknown. A program that will write it later has reserved the space of the index, or written an
 * index with places that it does not know yet. A live stream, or one through a pipe, has at most an index of its beginning.
 */
function checkOpen(segment: Bytes, contentAt: number): ContainerVerdict {
  if (segment.length <= contentAt) return PART_MISSING;
  if (segment.byte(contentAt) === VOID) return NOT_CLOSED;
  if (segment.uint32(contentAt) !== SEEK_HEAD) return UNKNOWN;
  const places = placesIn(segment, contentAt);
  return places === null || places.some(({ id }) => id === CUES) ? NOT_CLOSED : UNKNOWN;
}

/** Returns whether a part that the index names, such as the one at the end, is still space: its place has zero bytes. */
async function lacksNamedParts(file: BoundedBytes, contentAt: number, end: number): Promise<boolean> {
  const index = await file.read(contentAt, INDEX_BYTES);
  if (index.uint32(0) !== SEEK_HEAD) return false;
  for (const { place } of placesIn(index, 0) ?? []) {
    if (contentAt + place + 4 > end) continue;
    if ((await file.read(contentAt + place, 4)).isZero()) return true;
  }
  return false;
}

/** The ids and places in the index (`SeekHead`) at a place, as far as the bytes reach; null when they are not written yet. */
function placesIn(bytes: Bytes, at: number): { id: number; place: number }[] | null {
  const list = elementAt(bytes, at);
  if (list === null || list.size === null) return null;
  const listEnd = list.from + list.size;
  const end = Math.min(listEnd, bytes.length);
  const lastEnd = [...elementsIn(bytes, list.from, end)].at(-1)?.end ?? list.from;
  if (lastEnd < listEnd && listEnd <= bytes.length) return null;
  const places = [...seekEntries(bytes, list.from, end)];
  // A place of all bits is a placeholder.
  return places.every(({ id, place }) => id > 0 && place < 2 ** 63) ? places : null;
}

/** The descriptions of the tracks are at the start. */
const TRACKS_BYTES = 64 * 1024;
/** The id of a code, its size in one byte, and the beginning of a code of pictures or sound. */
const CODES = /\x86([\x83-\xbf])[AV]_[A-Z0-9/_.]/g;
/** The codes of pictures that never contain 64 KiB of zero bytes. Others fill frames of a constant size with zeros. */
const DENSE_PICTURES: ReadonlySet<string> = new Set([
  ...['V_MPEG4/ISO/AVC', 'V_MPEGH/ISO/HEVC', 'V_VP8', 'V_VP9', 'V_AV1', 'V_THEORA'],
]);

/** Returns whether every track has a code that never contains 64 KiB of zero bytes. Digital silence of plain sound is zero. */
async function hasDenseTracks(file: BoundedBytes): Promise<boolean> {
  const start = Buffer.from((await file.read(0, TRACKS_BYTES)).data).toString('latin1');
  const head = start.split(CLUSTER_BYTES, 1)[0] ?? '';
  const codes = [...head.matchAll(CODES)].map(
    ({ index, 1: size = '' }) =>
      // Zeros may fill the rest.
      /^[A-Z0-9/_.]*/.exec(head.slice(index + 2, index + 2 + (size.charCodeAt(0) & 0x3f)))?.[0] ?? '',
  );
  const isDense = (code: string) => DENSE_PICTURES.has(code) || (code.startsWith('A_') && !/^A_(?:PCM|MS)/.test(code));
  return codes.length > 0 && codes.every(isDense);
}
