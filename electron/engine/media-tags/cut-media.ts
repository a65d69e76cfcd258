import { type BoundedBytes, Bytes } from '../watch/readiness/containers/bounded-bytes.ts';
import { type ContainerFormat, containerFormatOf, START_BYTES } from '../watch/readiness/containers/check-container.ts';
import { ascii, joined } from './bytes-out.ts';
import { cutMatroska } from './cut-matroska.ts';
import { cutTiff, isTiff } from './cut-tiff.ts';
import type { MediaCut } from './media-cut.ts';

// Tags are a small part of a recording. Only that part is read and parsed: the parser gets these bytes and their format, never
// the file.

/** The maximum number of bytes, and of reads, for one file. */
export const CUT_LIMITS = { bytes: 4 * 1024 * 1024, reads: 2000 };
/** The maximum number of bytes of a file that are parsed, and of one box or chunk. */
const MOST_HEAD = 1024 * 1024;
const MOST_CHUNK = 512 * 1024;
/** The maximum number of characters of a name in a list of keys. */
const MOST_KEY = 200;
const ID3V1_BYTES = 128;
/** Frames after the tag of an MP3 file, so that the parser finds the sound that it expects. */
const FRAME_BYTES = 16 * 1024;

/** Brands of pictures in the ISO format: HEIF and AVIF. */
const PICTURE_BRANDS: ReadonlySet<string> = new Set(['heic', 'heix', 'hevc', 'heim', 'heis', 'mif1', 'msf1', 'avif']);

const CUTS: Readonly<Partial<Record<ContainerFormat, (file: BoundedBytes, start: Bytes) => Promise<MediaCut | null>>>> =
  {
    'iso-media': cutIsoMedia,
    riff: cutRiff,
    matroska: cutMatroska,
    flac: (file) => headOf(file, 'sound', 'audio/flac'),
    ogg: (file) => headOf(file, 'sound', 'audio/ogg'),
    mp3: cutMp3,
    jpeg: (file) => headOf(file, 'picture', 'image/jpeg'),
    png: (file) => headOf(file, 'picture', 'image/png'),
  };

/**
 * Reads the part of a file that can contain tags. Returns null for a format without tags. Throws `TooMuchToRead` beyond
 * `CUT_LIMITS`, and the errors of reading.
 */
export async function cutMedia(file: BoundedBytes): Promise<MediaCut | null> {
  const start = await file.read(0, START_BYTES);
  if (isTiff(start)) return cutTiff(file, start);
  const format = containerFormatOf(start);
  return format === null ? null : ((await CUTS[format]?.(file, start)) ?? null);
}

async function headOf(file: BoundedBytes, reader: MediaCut['reader'], type: string): Promise<MediaCut> {
  return { reader, type, bytes: (await file.read(0, MOST_HEAD)).data };
}

/** Cuts an MP3 file: the ID3v2 tag with some frames after it, and the ID3v1 tag at the end. */
async function cutMp3(file: BoundedBytes, start: Bytes): Promise<MediaCut> {
  const tagLength = start.text(0, 3) === 'ID3' ? 10 + syncSafe(start, 6) : 0;
  const head = await file.read(0, Math.min(tagLength + FRAME_BYTES, MOST_HEAD));
  const end = await file.readEnd(Math.min(ID3V1_BYTES, Math.max(0, file.sizeBytes - head.length)));
  const parts = end.text(0, 3) === 'TAG' ? [head.data, end.data] : [head.data];
  return { reader: 'sound', type: 'audio/mpeg', bytes: joined(parts) };
}

/** Returns a number that is stored in seven bits of each of four bytes, as ID3 does. */
function syncSafe(bytes: Bytes, at: number): number {
  return [0, 1, 2, 3].reduce((sum, index) => sum * 128 + (bytes.byte(at + index) & 0x7f), 0);
}

/** Cuts WAV and AIFF: the chunks beside the sound. WebP is a picture. */
async function cutRiff(file: BoundedBytes, start: Bytes): Promise<MediaCut | null> {
  const kind = start.text(8, 4);
  if (kind === 'WEBP') return headOf(file, 'picture', 'image/webp');
  const isAiff = start.text(0, 4) === 'FORM' && (kind === 'AIFF' || kind === 'AIFC');
  // Sizes above 4 GB are in a chunk of their own, and only that of the sound can be so large.
  const isWave = ['RIFF', 'RF64', 'BW64'].includes(start.text(0, 4)) && kind === 'WAVE';
  if (!isAiff && !isWave) return null;
  const sound = isAiff ? 'SSND' : 'data';
  const parts: Uint8Array[] = [];
  let at = 12;
  let soundBytes = 0;
  while (at + 8 <= file.sizeBytes) {
    const header = await file.read(at, 8);
    const size = header.uint32(4, isWave);
    if (header.text(0, 4) === sound) soundBytes = size === 0xffffffff ? await longSize(file, size) : size;
    else if (size <= MOST_CHUNK) parts.push(padded((await file.read(at, 8 + size)).data));
    const length = header.text(0, 4) === sound ? soundBytes : size;
    at += 8 + length + (length % 2);
  }
  return {
    ...{ reader: 'sound', type: isAiff ? 'audio/aiff' : 'audio/wav' },
    bytes: riffOf(isAiff ? ['FORM', kind] : ['RIFF', 'WAVE'], parts, isAiff),
  };
}

/** Returns the size of the sound of a file above 4 GB, which is in the chunk `ds64` at its beginning. */
async function longSize(file: BoundedBytes, otherwise: number): Promise<number> {
  const start = await file.read(12, 28);
  return start.text(0, 4) === 'ds64' ? start.uint64(16, true) : otherwise;
}

function riffOf([form, kind]: [string, string], parts: readonly Uint8Array[], isBig: boolean): Uint8Array {
  const body = joined(parts);
  const head = new Uint8Array(12);
  head.set(ascii(form), 0);
  new DataView(head.buffer).setUint32(4, body.length + 4, !isBig);
  head.set(ascii(kind), 8);
  return joined([head, body]);
}

/** Returns a chunk with an even length, as RIFF requires. */
function padded(chunk: Uint8Array): Uint8Array {
  return chunk.length % 2 === 0 ? chunk : joined([chunk, new Uint8Array(1)]);
}

/** Cuts MP4 and related formats: the index without its tracks, whose tables are long. HEIF: the beginning. */
async function cutIsoMedia(file: BoundedBytes, start: Bytes): Promise<MediaCut | null> {
  const brand = start.text(4, 4) === 'ftyp' ? start.text(8, 4) : 'qt  ';
  if (PICTURE_BRANDS.has(brand)) return headOf(file, 'picture', 'image/heif');
  for (let at = 0; at + 8 <= file.sizeBytes; ) {
    const box = boxAt(await file.read(at, 16), file.sizeBytes - at);
    if (box === null) return null;
    if (box.type === 'moov') {
      const children = await indexOf(file, at + box.headerLength, at + box.size);
      const head = boxOf('ftyp', joined([ascii(brand), new Uint8Array(4), ascii(brand)]));
      return {
        ...{ reader: 'sound', type: 'video/mp4', isQuickTime: brand === 'qt  ', keys: keysIn(children) },
        bytes: joined([head, boxOf('moov', joined(children))]),
      };
    }
    at += box.size;
  }
  return null;
}

/** The boxes of the index that can contain tags or times. */
const INDEX_BOXES: ReadonlySet<string> = new Set(['mvhd', 'udta', 'meta']);

async function indexOf(file: BoundedBytes, from: number, to: number): Promise<Uint8Array[]> {
  const parts: Uint8Array[] = [];
  for (let at = from; at + 8 <= to; ) {
    const box = boxAt(await file.read(at, 16), to - at);
    if (box === null) break;
    if (INDEX_BOXES.has(box.type) && box.size <= MOST_CHUNK) parts.push((await file.read(at, box.size)).data);
    at += box.size;
  }
  return parts;
}

/**
 * Returns the names in the first list of keys (`keys` in `meta`): QuickTime numbers its values, and lists their names separately.
 * Empty without such a list.
 */
function keysIn(boxes: readonly Uint8Array[]): string[] {
  for (const data of boxes) {
    const box = new Bytes(data);
    // The type of the box follows its size; a version and a count follow the type.
    const at = Buffer.from(data.buffer, data.byteOffset, data.byteLength).indexOf('keys', 4, 'latin1');
    const keys: string[] = [];
    const count = at < 0 ? 0 : box.uint32(at + 8);
    for (let place = at + 12; keys.length < count; ) {
      const size = box.uint32(place);
      if (!(size >= 8) || place + size > box.length) break;
      keys.push(box.text(place + 8, Math.min(size - 8, MOST_KEY)));
      place += size;
    }
    if (keys.length > 0) return keys;
  }
  return [];
}

/** Returns the header of a box; null when it is damaged. `left`: the bytes from its beginning to the end of its container. */
function boxAt(header: Bytes, left: number): { type: string; size: number; headerLength: number } | null {
  const size32 = header.uint32(0);
  const headerLength = size32 === 1 ? 16 : 8;
  const size = size32 === 1 ? header.uint64(8) : size32 === 0 ? left : size32;
  if (!(size >= headerLength) || size > left) return null;
  return { type: header.text(4, 4), size, headerLength };
}

function boxOf(type: string, body: Uint8Array): Uint8Array {
  const head = new Uint8Array(8);
  new DataView(head.buffer).setUint32(0, body.length + 8);
  head.set(ascii(type), 4);
  return joined([head, body]);
}
