import type { ContainerVerdict } from '../observations.ts';
import type { BoundedBytes, Bytes } from './bounded-bytes.ts';
import { COMPLETE, END_MISSING, NOT_CLOSED, PART_MISSING, TOO_SHORT, UNKNOWN } from './verdicts.ts';

/** kbit/s of layer III by index: of MPEG 1, and of MPEG 2 and 2.5. */
const BITRATES_1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const BITRATES_2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const RATES_1 = [44_100, 48_000, 32_000];
/** The longest frame has 1,441 bytes. */
const TAIL_BYTES = 8192;

const ID3V1_BYTES = 128;

/** So many zero bytes at the end of the audio are no frame. */
const UNFILLED_BYTES = 2048;

/** Length of an ID3v2 tag at the start; 0 without one. */
function id3Length(start: Bytes): number {
  if (start.text(0, 3) !== 'ID3' || start.length < 10) return 0;
  const hasFooter = (start.byte(5) & 0x10) !== 0;
  let size = 0;
  for (let at = 6; at < 10; at += 1) size = size * 128 + (start.byte(at) & 0x7f);
  return 10 + size + (hasFooter ? 10 : 0);
}

/** Length of the layer III frame at a place, in bytes; null where no frame begins. */
export function frameLength(bytes: Bytes, at: number): number | null {
  const [one, two, three] = [bytes.byte(at), bytes.byte(at + 1), bytes.byte(at + 2)];
  if (one !== 0xff || (two & 0xe6) !== 0xe2) return null;
  const version = (two >> 3) & 3;
  const isFirst = version === 3;
  const bitrate = (isFirst ? BITRATES_1 : BITRATES_2)[three >> 4];
  const rate = (RATES_1[(three >> 2) & 3] ?? 0) / (isFirst ? 1 : version === 2 ? 2 : 4);
  if (version === 1 || bitrate === undefined || bitrate === 0 || rate === 0) return null;
  return Math.floor(((isFirst ? 144 : 72) * bitrate * 1000) / rate) + ((three >> 1) & 1);
}

/**
 * Checks MP3: it begins with a frame, and either its first frame says how many bytes there are, or a tag or a whole frame is at
 * its end. Without such a count the format has no end mark: a file that ends with a whole frame may be complete or not.
 */
export async function checkMp3(file: BoundedBytes): Promise<ContainerVerdict> {
  const audioAt = id3Length(await file.read(0, 10));
  const first = await file.read(audioAt, 2048);
  const length = frameLength(first, 0);
  if (first.length === 0) return PART_MISSING;
  if (length === null) return first.isZero() ? NOT_CLOSED : UNKNOWN;
  const tail = await file.readEnd(TAIL_BYTES);
  const audioEnd = endOfAudio(tail, file.sizeBytes);
  const declared = declaredBytes(first, length);
  if (declared === 0) return NOT_CLOSED;
  if (declared !== null) {
    if (audioEnd - audioAt < declared) return TOO_SHORT;
    // A frame is never so long: the program has written the count first, and not the frames yet.
    const end = await file.read(audioAt + declared - UNFILLED_BYTES, UNFILLED_BYTES);
    if (declared > 2 * UNFILLED_BYTES && end.isZero()) return NOT_CLOSED;
    return checkRest(file, audioAt + declared, audioEnd);
  }
  if (audioEnd < file.sizeBytes) return COMPLETE;
  return endsWithFrame(tail) ? UNKNOWN : END_MISSING;
}

/** Checks what is between the counted audio and the complete tags at the end of the file: nothing, or the beginning of a tag. */
async function checkRest(file: BoundedBytes, at: number, audioEnd: number): Promise<ContainerVerdict> {
  if (audioEnd <= at) return COMPLETE;
  const start = (await file.read(at, 3)).text(0, 3);
  return 'TAG'.startsWith(start) && file.sizeBytes - at < ID3V1_BYTES ? TOO_SHORT : UNKNOWN;
}

/** Bytes of the audio as the Xing or Info frame says; null without such a count. */
function declaredBytes(first: Bytes, length: number): number | null {
  for (const at of [36, 21, 13]) {
    const name = first.text(at, 4);
    if (at >= length || (name !== 'Xing' && name !== 'Info')) continue;
    const flags = first.uint32(at + 4);
    if ((flags & 2) === 0) return null;
    return first.uint32(at + 8 + (flags & 1 ? 4 : 0));
  }
  return null;
}

/** Where the audio ends and tags begin. */
function endOfAudio(tail: Bytes, sizeBytes: number): number {
  const hasId3v1 = tail.text(tail.length - ID3V1_BYTES, 3) === 'TAG' && tail.length >= ID3V1_BYTES;
  const end = tail.length - (hasId3v1 ? ID3V1_BYTES : 0);
  const hasApe = end >= 32 && tail.text(end - 32, 8) === 'APETAGEX';
  // The size does not count the header, which older tags do not have.
  const headerLength = tail.byte(end - 9) & 0x80 ? 32 : 0;
  const apeLength = hasApe ? tail.uint32(end - 20, true) + headerLength : 0;
  return Math.max(0, sizeBytes - (tail.length - end) - apeLength);
}

/** Whether a chain of at least two frames ends exactly at the end. */
function endsWithFrame(tail: Bytes): boolean {
  for (let start = 0; start < tail.length - 4; start += 1) {
    let at = start;
    let frames = 0;
    for (let length = frameLength(tail, at); length !== null; length = frameLength(tail, at)) {
      at += length;
      frames += 1;
    }
    if (frames >= 2 && at === tail.length) return true;
  }
  return false;
}
