import type { ContainerVerdict } from '../observations.ts';
import type { BoundedBytes, Bytes } from './bounded-bytes.ts';
import { COMPLETE, NOT_CLOSED, PART_MISSING, TOO_SHORT, UNKNOWN } from './verdicts.ts';
import { hasZeroTail } from './zero-tail.ts';

const SEGMENT = [0x18, 0x53, 0x80, 0x67];
const SEEK_HEAD = [0x11, 0x4d, 0x9b, 0x74];
const VOID = [0xec];

/**
 * Checks Matroska and WebM: the size of the segment adds up to the size of the file. Programs that can seek write the size when
 * they close the file; until then it is unknown, with space reserved for the index. Browsers never write it: of their
 * recordings nothing shows whether they are complete.
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
  if (size.value === null) {
    const isReserved = segment.hasAt(contentAt, SEEK_HEAD) || segment.hasAt(contentAt, VOID);
    return isReserved ? NOT_CLOSED : segment.length <= contentAt ? PART_MISSING : UNKNOWN;
  }
  const end = segmentAt + contentAt + size.value;
  if (end > file.sizeBytes) return TOO_SHORT;
  // A program that knows the length writes the size first. Space is reserved at the start, not at the end.
  if ((await hasZeroTail(file)) && !(await hasPcm(file))) return NOT_CLOSED;
  // Several segments in one file are allowed, and rare.
  return end === file.sizeBytes ? COMPLETE : UNKNOWN;
}

/** The descriptions of the tracks are at the start. */
const TRACKS_BYTES = 64 * 1024;

/** Returns whether a track has uncompressed sound: digital silence is zero. */
async function hasPcm(file: BoundedBytes): Promise<boolean> {
  const start = await file.read(0, TRACKS_BYTES);
  return Buffer.from(start.data).includes('A_PCM/');
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
