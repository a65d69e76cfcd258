import type { Bytes } from '../bytes/bounded-bytes.ts';
import type { ByteSource } from '../bytes/byte-source.ts';

/** kbit/s of layer III by index: of MPEG 1, and of MPEG 2 and 2.5. */
const BITRATES_1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const BITRATES_2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const RATES_1 = [44_100, 48_000, 32_000];
/** Some programs write two tags. */
const MOST_TAGS = 4;
/** The bytes of an ID3v2 tag that state its length. */
export const TAG_HEADER_BYTES = 10;
/** The distance from a frame to a VBRI tag in it. */
const VBRI_AT = 36;

/** A frame of layer III: MP3. */
export interface MpegFrame {
  /** Its length. */
  bytes: number;
  /** Bits per second. */
  bitrate: number;
  sampleRate: number;
  samples: number;
  /** The distance to an Xing or Info tag in it. */
  infoAt: number;
}

/** Returns the frame of layer III at a place; null where none begins. */
export function frameAt(bytes: Bytes, at: number): MpegFrame | null {
  const word = bytes.uint32(at);
  const version = (word >>> 19) & 3;
  const isLayer3 = ((word >>> 17) & 3) === 1;
  const isFirst = version === 3;
  const kbps = (isFirst ? BITRATES_1 : BITRATES_2)[(word >>> 12) & 15];
  const rate = RATES_1[(word >>> 10) & 3];
  if (word >>> 21 !== 0x7ff || version === 1 || !isLayer3 || !kbps || rate === undefined) return null;
  const sampleRate = rate / (isFirst ? 1 : version === 2 ? 2 : 4);
  const samples = isFirst ? 1152 : 576;
  const padding = (word >>> 9) & 1;
  const isMono = ((word >>> 6) & 3) === 3;
  return {
    bytes: Math.floor(((samples / 8) * kbps * 1000) / sampleRate) + padding,
    bitrate: kbps * 1000,
    sampleRate,
    samples,
    infoAt: 4 + (isFirst ? (isMono ? 17 : 32) : isMono ? 9 : 17),
  };
}

/**
 * Returns how many frames and bytes there are in all, as the tag in the first frame says; null: it does not say; NaN: not within
 * the bytes. Bytes count from the beginning of that frame.
 */
export function declaredLength(
  first: Bytes,
  at: number,
  frame: MpegFrame,
): { frames: number | null; bytes: number | null } {
  const tag = infoTag(first, at, frame);
  const tagAt = at + frame.infoAt;
  if (tag === 'Xing') {
    const flags = first.uint32(tagAt + 4);
    const hasFrames = (flags & 1) !== 0;
    return {
      frames: hasFrames ? first.uint32(tagAt + 8) : null,
      bytes: (flags & 2) !== 0 ? first.uint32(tagAt + (hasFrames ? 12 : 8)) : null,
    };
  }
  return { frames: tag === 'VBRI' ? first.uint32(at + VBRI_AT + 14) : null, bytes: null };
}

/** Returns the kind of the tag that a frame contains instead of sound: facts about the file; null: it contains sound. */
export function infoTag(bytes: Bytes, at: number, { infoAt }: MpegFrame): 'Xing' | 'VBRI' | null {
  const name = bytes.text(at + infoAt, 4);
  if (name === 'Xing' || name === 'Info') return 'Xing';
  return bytes.text(at + VBRI_AT, 4) === 'VBRI' ? 'VBRI' : null;
}

/** Returns the length of an ID3v2 tag that begins at a place, with its footer; 0 without one, and when its header is not whole. */
export function id3Length(bytes: Bytes, at = 0): number {
  if (bytes.text(at, 3) !== 'ID3' || bytes.length < at + TAG_HEADER_BYTES) return 0;
  const hasFooter = (bytes.byte(at + 5) & 0x10) !== 0;
  return TAG_HEADER_BYTES + syncSafe(bytes, at + 6) + (hasFooter ? TAG_HEADER_BYTES : 0);
}

/** Returns a number that is stored in seven bits of each of four bytes. */
export function syncSafe(bytes: Bytes, at: number): number {
  return [0, 1, 2, 3].reduce((sum, index) => sum * 128 + (bytes.byte(at + index) & 0x7f), 0);
}

/** Returns the position after all ID3v2 tags at the beginning of a file. */
export async function endOfTags(source: ByteSource): Promise<number> {
  let at = 0;
  for (let tags = 0; tags < MOST_TAGS; tags += 1) {
    const length = id3Length(await source.read(at, TAG_HEADER_BYTES));
    if (length === 0) break;
    at += length;
  }
  return at;
}
