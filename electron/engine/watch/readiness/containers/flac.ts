import type { BoundedBytes, Bytes } from '../../../../../shared/formats/bytes/bounded-bytes.ts';
import { FLAC_INFO_BYTES, type FlacInfo, flacInfo } from '../../../../../shared/formats/containers/flac-info.ts';
import type { ContainerVerdict } from '../observations.ts';
import { COMPLETE, NOT_CLOSED, PART_MISSING, TOO_SHORT, UNKNOWN } from './verdicts.ts';

/** The most that is read of the end of a file: longer than the longest frame of usual recordings. */
const TAIL_BYTES = 192 * 1024;
/** The shortest frame: of silence. */
const LEAST_FRAME_BYTES = 8;
/** Of a frame: its header with the checksum, and the checksum at its end. */
const FRAME_OVERHEAD_BYTES = 18;

/**
 * Checks FLAC: the header has the number of samples, which an encoder writes when it closes the file, and the last frame is
 * complete and ends with that number.
 */
export async function checkFlac(file: BoundedBytes): Promise<ContainerVerdict> {
  const start = await file.read(0, FLAC_INFO_BYTES);
  if (start.length < FLAC_INFO_BYTES) return PART_MISSING;
  const info = flacInfo(start);
  if (info === null) return UNKNOWN;
  if (info.samples === 0) return NOT_CLOSED;
  const mostFrame = longestFrame(info);
  const tail = await file.readEnd(Math.min(mostFrame, TAIL_BYTES));
  const last = lastFrame(tail, info.mostBlock);
  if (last === null) {
    // Tags at the end, or a frame that may be longer than what was read.
    const isUnknown = tail.text(tail.length - 128, 3) === 'TAG' || mostFrame > TAIL_BYTES;
    return isUnknown && !tail.isZero() ? UNKNOWN : TOO_SHORT;
  }
  return last.endSample < info.samples ? TOO_SHORT : COMPLETE;
}

/**
 * Returns the length of a frame in bytes that can't be exceeded: without compression. The header has the length of the longest
 * frame as well, but a program that cuts a file may keep that of the original.
 */
function longestFrame({ mostBlock, channels, sampleBits }: FlacInfo): number {
  // One channel may have the difference of two, with one more bit. Each has a header of at most 5 bytes.
  const channelBytes = Math.ceil((mostBlock * (sampleBits + 1)) / 8) + 5;
  return FRAME_OVERHEAD_BYTES + channels * channelBytes;
}

/** Of random bytes, hardly any looks like a header with its checksum; a hostile file must not cost more than a few checks. */
const MOST_CANDIDATES = 32;

/** The frame that ends exactly at the end of the file, by its two checksums. `blockSize`: of all blocks but the last. */
function lastFrame(tail: Bytes, blockSize: number): { endSample: number } | null {
  let candidates = 0;
  for (let at = tail.length - LEAST_FRAME_BYTES; at >= 0; at -= 1) {
    if (tail.byte(at) !== 0xff || (tail.byte(at + 1) & 0xfe) !== 0xf8) continue;
    const header = frameHeader(tail, at);
    if (header === null) continue;
    candidates += 1;
    if (candidates > MOST_CANDIDATES) return null;
    if (crc16(tail.data.subarray(at)) !== 0) continue;
    const { number, samples, isVariable } = header;
    return { endSample: (isVariable ? number : number * blockSize) + samples };
  }
  return null;
}

interface FrameHeader {
  /** Of the frame, or of its first sample where the blocks differ in size. */
  number: number;
  samples: number;
  isVariable: boolean;
}

function frameHeader(bytes: Bytes, at: number): FrameHeader | null {
  const isVariable = (bytes.byte(at + 1) & 1) === 1;
  const sizeCode = bytes.byte(at + 2) >> 4;
  const rateCode = bytes.byte(at + 2) & 0xf;
  if (sizeCode === 0 || rateCode === 15) return null;
  const coded = codedNumber(bytes, at + 4);
  if (coded === null) return null;
  const sizeAt = at + 4 + coded.length;
  const sizeBytes = sizeCode === 6 ? 1 : sizeCode === 7 ? 2 : 0;
  const rateBytes = rateCode === 12 ? 1 : rateCode === 13 || rateCode === 14 ? 2 : 0;
  const crcAt = sizeAt + sizeBytes + rateBytes;
  if (crcAt >= bytes.length || crc8(bytes.data.subarray(at, crcAt)) !== bytes.byte(crcAt)) return null;
  return { number: coded.value, samples: samplesOf(sizeCode, bytes, sizeAt), isVariable };
}

function samplesOf(code: number, bytes: Bytes, at: number): number {
  if (code === 1) return 192;
  if (code <= 5) return 576 * 2 ** (code - 2);
  if (code === 6) return bytes.byte(at) + 1;
  return code === 7 ? bytes.uint16(at) + 1 : 256 * 2 ** (code - 8);
}

/** A number coded like a character of UTF-8, with up to seven bytes. */
function codedNumber(bytes: Bytes, at: number): { value: number; length: number } | null {
  const first = bytes.byte(at);
  if (Number.isNaN(first)) return null;
  if (first < 0x80) return { value: first, length: 1 };
  const length = Math.clz32(~(first << 24));
  if (length < 2 || length > 7) return null;
  let value = first & (0x7f >> length);
  for (let index = 1; index < length; index += 1) {
    const next = bytes.byte(at + index);
    if ((next & 0xc0) !== 0x80) return null;
    value = value * 64 + (next & 0x3f);
  }
  return { value, length };
}

function crc8(data: Uint8Array): number {
  let crc = 0;
  for (const byte of data) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x80 ? ((crc << 1) ^ 0x07) & 0xff : (crc << 1) & 0xff;
  }
  return crc;
}

const CRC16 = Uint16Array.from({ length: 256 }, (_, index) => {
  let crc = index << 8;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? ((crc << 1) ^ 0x8005) & 0xffff : (crc << 1) & 0xffff;
  return crc;
});

/** Returns the CRC-16 of bytes, which is 0 for a frame together with its checksum. */
function crc16(data: Uint8Array): number {
  let crc = 0;
  for (const byte of data) crc = ((crc << 8) & 0xffff) ^ (CRC16[(crc >> 8) ^ byte] ?? 0);
  return crc;
}
