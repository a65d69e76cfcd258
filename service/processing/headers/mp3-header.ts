import type { ByteSource } from './byte-source.ts';
import { type Facts, facts } from './facts.ts';

/** Bytes read from the position of the first frame: padding zeros of a tag, and three frames. */
const SEARCH_BYTES = 64 * 1024;
const MAX_TAGS = 4;
const BITRATES_V1_L3 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const BITRATES_V2_L3 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const RATES_V1 = [44_100, 48_000, 32_000];

interface Frame {
  bytes: number;
  bitrate: number;
  sampleRate: number;
  samples: number;
  /** Bytes of side information between the header and a Xing tag. */
  side: number;
}

/**
 * Reads an MP3: its duration is in a Xing, Info or VBRI tag, or follows from the constant bit rate. Returns undefined unless
 * three consecutive frames begin directly after ID3 tags and zeros: a file that begins otherwise, such as a playlist, is not an
 * MP3.
 */
export async function readMp3(source: ByteSource): Promise<Facts | undefined> {
  const start = await behindTags(source);
  const bytes = await source.read(start, SEARCH_BYTES);
  let at = 0;
  while (at < bytes.length && bytes[at] === 0) at += 1;
  const frame = frameAt(bytes, at);
  if (!frame || !framesFollow(bytes, at, frame, source.sizeBytes - start)) return undefined;
  const frames = taggedFrames(bytes, at, frame);
  const sound = source.sizeBytes - start - at;
  const durationS = frames ? (frames * frame.samples) / frame.sampleRate : (sound * 8) / frame.bitrate;
  return facts('mp3', 'audio', { durationS, bitrate: frames ? Math.round((sound * 8) / durationS) : frame.bitrate });
}

/** The position after all ID3 tags at the beginning; some programs write two. */
async function behindTags(source: ByteSource): Promise<number> {
  let start = 0;
  for (let tags = 0; tags < MAX_TAGS; tags += 1) {
    const head = await source.read(start, 10);
    if (head.length < 10 || head.toString('latin1', 0, 3) !== 'ID3') break;
    const size = [6, 7, 8, 9].reduce((sum, index) => sum * 128 + ((head[index] ?? 0) & 0x7f), 0);
    start += 10 + size + ((head[5] ?? 0) & 0x10 ? 10 : 0);
  }
  return start;
}

function frameAt(bytes: Buffer, at: number): Frame | undefined {
  if (at + 4 > bytes.length) return undefined;
  const word = bytes.readUInt32BE(at);
  if (word >>> 21 !== 0x7ff) return undefined;
  const version = (word >>> 19) & 3;
  const layer = (word >>> 17) & 3;
  const rate = RATES_V1[(word >>> 10) & 3];
  if (version === 1 || layer !== 1 || rate === undefined) return undefined;
  const first = version === 3;
  const kbps = (first ? BITRATES_V1_L3 : BITRATES_V2_L3)[(word >>> 12) & 15];
  if (!kbps) return undefined;
  const sampleRate = first ? rate : version === 2 ? rate / 2 : rate / 4;
  const samples = first ? 1152 : 576;
  const mono = ((word >>> 6) & 3) === 3;
  const padding = (word >>> 9) & 1;
  const length = Math.floor(((samples / 8) * kbps * 1000) / sampleRate) + padding;
  const side = first ? (mono ? 17 : 32) : mono ? 9 : 17;
  return { bytes: length, bitrate: kbps * 1000, sampleRate, samples, side };
}

/** Returns whether the next frames are at their computed positions; a file may end before the third one. */
function framesFollow(bytes: Buffer, at: number, first: Frame, fileBytes: number): boolean {
  let next = at + first.bytes;
  for (let count = 1; count < 3; count += 1) {
    if (next >= fileBytes) return count > 1;
    const frame = frameAt(bytes, next);
    if (!frame) return false;
    next += frame.bytes;
  }
  return true;
}

function taggedFrames(bytes: Buffer, at: number, frame: Frame): number | undefined {
  const xing = at + 4 + frame.side;
  if (xing + 12 <= bytes.length && /^(Xing|Info)$/.test(bytes.toString('latin1', xing, xing + 4))) {
    return bytes.readUInt32BE(xing + 4) & 1 ? bytes.readUInt32BE(xing + 8) : undefined;
  }
  const vbri = at + 36;
  if (vbri + 18 <= bytes.length && bytes.toString('latin1', vbri, vbri + 4) === 'VBRI')
    return bytes.readUInt32BE(vbri + 14);
  return undefined;
}
