import type { BoundedBytes, Bytes } from '../../../../../shared/formats/bytes/bounded-bytes.ts';
import { declaredLength, endOfTags, frameAt } from '../../../../../shared/formats/containers/mpeg-audio.ts';
import type { ContainerVerdict } from '../observations.ts';
import { COMPLETE, END_MISSING, NOT_CLOSED, PART_MISSING, TOO_SHORT, UNKNOWN } from './verdicts.ts';

/** The longest frame has 1,441 bytes. */
const TAIL_BYTES = 8192;

const ID3V1_BYTES = 128;

/** So many zero bytes at the end of the audio are no frame. */
const UNFILLED_BYTES = 2048;

/**
 * Checks MP3: it begins with a frame, and either its first frame says how many bytes there are, or a tag or a whole frame is at
 * its end. Without such a count the format has no end mark: a file that ends with a whole frame may be complete or not.
 */
export async function checkMp3(file: BoundedBytes): Promise<ContainerVerdict> {
  const audioAt = await endOfTags(file);
  const first = await file.read(audioAt, 2048);
  const frame = frameAt(first, 0);
  if (first.length === 0) return PART_MISSING;
  if (frame === null) return first.isZero() ? NOT_CLOSED : UNKNOWN;
  const tail = await file.readEnd(TAIL_BYTES);
  const audioEnd = endOfAudio(tail, file.sizeBytes);
  const declared = declaredLength(first, 0, frame).bytes;
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
    for (let frame = frameAt(tail, at); frame !== null; frame = frameAt(tail, at)) {
      at += frame.bytes;
      frames += 1;
    }
    if (frames >= 2 && at === tail.length) return true;
  }
  return false;
}
