import type { ByteSource } from './byte-source.ts';
import { BrokenFile, type Facts, facts } from './facts.ts';

interface Box {
  type: string;
  /** Position of the content. */
  start: number;
  end: number;
}

const MAX_BOXES = 20_000;

/** MP4, M4A and QuickTime: duration from the movie header, dimensions from the first video track. */
export async function readMp4(source: ByteSource): Promise<Facts> {
  const top = await boxes(source, 0, source.sizeBytes);
  const movie = top.find((box) => box.type === 'moov');
  if (!movie) throw new BrokenFile('The MP4 file has no movie header.');
  const inside = await boxes(source, movie.start, movie.end);
  const header = inside.find((box) => box.type === 'mvhd');
  if (!header) throw new BrokenFile('The MP4 file has no movie header.');
  const tracks = await Promise.all(inside.filter((box) => box.type === 'trak').map((box) => readTrack(source, box)));
  const video = tracks.find((track) => track.handler === 'vide');
  if (!video && !tracks.some((track) => track.handler === 'soun'))
    throw new BrokenFile('The MP4 file has no tracks that play.');
  const durationS = readDuration(await source.read(header.start, 32));
  return facts('mp4', video ? 'video' : 'audio', {
    durationS,
    width: video?.width || null,
    height: video?.height || null,
    bitrate: durationS ? Math.round((source.sizeBytes * 8) / durationS) : null,
  });
}

/** Returns the boxes in a range of the file. Throws `BrokenFile` when one extends beyond the range: the file is truncated. */
async function boxes(source: ByteSource, from: number, to: number): Promise<Box[]> {
  const found: Box[] = [];
  let position = from;
  while (position + 8 <= to && found.length < MAX_BOXES) {
    const head = await source.read(position, 16);
    if (head.length < 8) break;
    const short = head.readUInt32BE(0);
    const type = head.toString('latin1', 4, 8);
    let header = 8;
    let length = short;
    if (short === 1) {
      if (head.length < 16) throw new BrokenFile('The MP4 file was cut off.');
      length = Number(head.readBigUInt64BE(8));
      header = 16;
    } else if (short === 0) {
      length = to - position;
    }
    if (length < header || position + length > to) throw new BrokenFile('The MP4 file was cut off.');
    found.push({ type, start: position + header, end: position + length });
    position += length;
  }
  return found;
}

function readDuration(header: Buffer): number | null {
  if (header.length < 20) return null;
  const long = header[0] === 1;
  if (long && header.length < 32) return null;
  const scale = header.readUInt32BE(long ? 20 : 12);
  const units = long ? Number(header.readBigUInt64BE(24)) : header.readUInt32BE(16);
  return scale === 0 || units === 0xffffffff ? null : units / scale;
}

async function readTrack(source: ByteSource, track: Box) {
  const inside = await boxes(source, track.start, track.end);
  const header = inside.find((box) => box.type === 'tkhd');
  const media = inside.find((box) => box.type === 'mdia');
  const handlerBox = media && (await boxes(source, media.start, media.end)).find((box) => box.type === 'hdlr');
  const handler = handlerBox ? (await source.read(handlerBox.start, 12)).toString('latin1', 8, 12) : '';
  const tail = header ? await source.read(header.end - 8, 8) : Buffer.alloc(0);
  const [width, height] = tail.length === 8 ? [tail.readUInt32BE(0) >>> 16, tail.readUInt32BE(4) >>> 16] : [0, 0];
  return { handler, width, height };
}
