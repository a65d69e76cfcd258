import type { Bytes } from '../bytes/bounded-bytes.ts';
import { type BlockReader, type ByteSource, sourceFrom } from '../bytes/byte-source.ts';
import { oggPage, PAGE_HEADER_BYTES } from '../containers/ogg-page.ts';
import { joined } from './bytes-out.ts';
import { MOST_VALUE, type ValueBudget } from './cut-source.ts';
import type { MediaCut } from './media-cut.ts';

// FLAC and Ogg have the same list of comments, `NAME=text`. Pictures are blocks of their own, or comments as base64; both can
// come first. The parser gets a FLAC file that has the list without pictures.

const STREAM_INFO_BYTES = 34;
const COMMENTS = 4;
/** The comments that contain pictures. */
const PICTURE = /^(?:METADATA_BLOCK_PICTURE|COVERART)=/i;
const LONGEST_PICTURE_NAME = 'METADATA_BLOCK_PICTURE='.length;

/** Cuts a FLAC file: the comments, wherever their block is. */
export async function cutFlac(file: ByteSource, budget: ValueBudget): Promise<MediaCut> {
  let comments: Uint8Array | null = null;
  for (let at = 4; at + 4 <= file.sizeBytes && comments === null; ) {
    const header = await file.read(at, 4);
    budget.count();
    const size = header.uint32(0) & 0xffffff;
    if ((header.byte(0) & 0x7f) === COMMENTS) comments = await commentsAt(file, at + 4, at + 4 + size, budget);
    if ((header.byte(0) & 0x80) !== 0) break;
    at += 4 + size;
  }
  return flacOf(comments);
}

/** The streams of Ogg files: how their first packet begins, and the number of bytes before the comments in their second. */
const STREAMS: readonly { begin: string; before: number }[] = [
  { begin: '\x01vorbis', before: 7 },
  { begin: 'OpusHead', before: 8 },
  { begin: '\x7fFLAC', before: 4 },
  { begin: 'Speex   ', before: 0 },
  // Last, because the sound of a film has the better comments.
  { begin: '\x80theora', before: 7 },
];

/** A page of an Ogg file. */
interface Page {
  stream: number;
  isFirst: boolean;
  /** Its contents without the header. */
  from: number;
  end: number;
  /** The length of its first packet, as far as it is in this page, and whether that packet ends here. */
  firstPacket: { bytes: number; isComplete: boolean };
}

/** Cuts an Ogg file: the comments of its best known stream. Returns null without a known stream. */
export async function cutOgg(file: BlockReader, budget: ValueBudget): Promise<MediaCut | null> {
  let at = 0;
  let page = await pageAt(file, at);
  let best: { rank: number; stream: number } | null = null;
  for (; page?.isFirst === true; page = await pageAt(file, at)) {
    budget.count();
    const begin = (await file.read(page.from, 8)).text(0, 8);
    const rank = STREAMS.findIndex((stream) => begin.startsWith(stream.begin));
    if (rank >= 0 && (best === null || rank < best.rank)) best = { rank, stream: page.stream };
    at = page.end;
  }
  if (best === null) return null;
  const packet = await packetAt(file, at, best.stream);
  const before = STREAMS[best.rank]?.before ?? 0;
  return flacOf(await commentsAt(packet, before, packet.sizeBytes, budget));
}

async function pageAt(reader: BlockReader, at: number): Promise<Page | null> {
  const page = oggPage(await reader.file.read(at, PAGE_HEADER_BYTES), 0);
  if (page === null || Number.isNaN(page.end)) return null;
  const { stream, isFirst, from, end, pieces } = page;
  const last = pieces.findIndex((length) => length < 255);
  const bytes = (last < 0 ? pieces : pieces.subarray(0, last + 1)).reduce((sum, length) => sum + length, 0);
  return { stream, isFirst, from: at + from, end: at + end, firstPacket: { bytes, isComplete: last >= 0 } };
}

/** Returns the first packet of a stream from a position on, which may be spread over many pages. */
async function packetAt(file: BlockReader, start: number, stream: number): Promise<ByteSource> {
  const pieces: { packetAt: number; fileAt: number; bytes: number }[] = [];
  let sizeBytes = 0;
  for (let page = await pageAt(file, start); page !== null; page = await pageAt(file, page.end)) {
    if (page.stream !== stream) continue;
    const { bytes, isComplete } = page.firstPacket;
    pieces.push({ packetAt: sizeBytes, fileAt: page.from, bytes });
    sizeBytes += bytes;
    if (isComplete) break;
  }
  return sourceFrom(sizeBytes, async (position, length) => {
    const parts: Uint8Array[] = [];
    for (const { packetAt, fileAt, bytes } of pieces) {
      const [from, to] = [Math.max(position, packetAt), Math.min(position + length, packetAt + bytes)];
      if (from < to) parts.push((await file.read(fileAt + from - packetAt, to - from)).data);
    }
    return joined(parts);
  });
}

/** Returns a list of comments without its pictures and without the rest of long values. */
async function commentsAt(source: ByteSource, from: number, end: number, budget: ValueBudget): Promise<Uint8Array> {
  const vendorBytes = (await source.read(from, 4)).uint32(0, true);
  let at = from + 4 + vendorBytes;
  const count = (await source.read(at, 4)).uint32(0, true);
  at += 4;
  const comments: Uint8Array[] = [];
  for (let left = count; left > 0 && at + 4 <= end; left -= 1) {
    const length = (await source.read(at, 4)).uint32(0, true);
    const name: Bytes = await source.read(at + 4, Math.min(length, LONGEST_PICTURE_NAME));
    const isPicture = PICTURE.test(name.text(0, name.length));
    const value = isPicture ? null : (await source.read(at + 4, Math.min(length, MOST_VALUE, end - at - 4))).data;
    budget.count(value?.length);
    if (value !== null) comments.push(numbered(value));
    at += 4 + length;
  }
  return joined([new Uint8Array(4), littleEndian(comments.length), ...comments]);
}

function numbered(value: Uint8Array): Uint8Array {
  return joined([littleEndian(value.length), value]);
}

function littleEndian(number: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, number, true);
  return bytes;
}

/** Composes a FLAC file of this list of comments. */
function flacOf(comments: Uint8Array | null): MediaCut {
  const block = (type: number, data: Uint8Array, isLast: boolean) =>
    joined([
      Uint8Array.of(type | (isLast ? 0x80 : 0), data.length >> 16, (data.length >> 8) & 0xff, data.length & 0xff),
      data,
    ]);
  const info = block(0, new Uint8Array(STREAM_INFO_BYTES), comments === null);
  return {
    reader: 'sound',
    type: 'audio/flac',
    bytes: joined([
      Uint8Array.of(0x66, 0x4c, 0x61, 0x43),
      info,
      ...(comments === null ? [] : [block(COMMENTS, comments, true)]),
    ]),
  };
}
