import type { Bytes } from '../../../shared/formats/bytes/bounded-bytes.ts';
import type { ByteSource } from '../../../shared/formats/bytes/byte-source.ts';
import { declaredLength, endOfTags, frameAt, type MpegFrame } from '../../../shared/formats/containers/mpeg-audio.ts';
import { type Facts, facts } from './facts.ts';

/** Bytes read from the position of the first frame: padding zeros of a tag, and three frames. */
const SEARCH_BYTES = 64 * 1024;

/**
 * Reads an MP3: its duration is in a Xing, Info or VBRI tag, or follows from the constant bit rate. Returns undefined unless
 * three consecutive frames begin directly after ID3 tags and zeros: a file that begins otherwise, such as a playlist, is not an
 * MP3.
 */
export async function readMp3(source: ByteSource): Promise<Facts | undefined> {
  const start = await endOfTags(source);
  const bytes = await source.read(start, SEARCH_BYTES);
  const at = Math.max(
    0,
    bytes.data.findIndex((byte) => byte !== 0),
  );
  const frame = frameAt(bytes, at);
  if (!frame || !framesFollow(bytes, at, frame, source.sizeBytes - start)) return undefined;
  const { frames } = declaredLength(bytes, at, frame);
  const sound = source.sizeBytes - start - at;
  const durationS = frames ? (frames * frame.samples) / frame.sampleRate : (sound * 8) / frame.bitrate;
  return facts('mp3', 'audio', { durationS, bitrate: frames ? Math.round((sound * 8) / durationS) : frame.bitrate });
}

/** Returns whether the next frames are at their computed positions; a file may end before the third one. */
function framesFollow(bytes: Bytes, at: number, first: MpegFrame, fileBytes: number): boolean {
  let next = at + first.bytes;
  for (let count = 1; count < 3; count += 1) {
    if (next >= fileBytes) return count > 1;
    const frame = frameAt(bytes, next);
    if (!frame) return false;
    next += frame.bytes;
  }
  return true;
}
