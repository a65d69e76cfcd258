import type { Bytes } from '../../../shared/formats/bytes/bounded-bytes.ts';
import type { ByteSource } from '../../../shared/formats/bytes/byte-source.ts';
import { boxesIn, type IsoBox } from '../../../shared/formats/containers/iso-boxes.ts';
import { BrokenFile, type Facts, facts } from './facts.ts';

/** MP4, M4A and QuickTime: duration from the movie header, dimensions from the first video track. */
export async function readMp4(source: ByteSource): Promise<Facts> {
  const top = await boxes(source, 0, source.sizeBytes);
  const movie = top.find((box) => box.type === 'moov');
  if (!movie) throw new BrokenFile('The MP4 file has no movie header.');
  const inside = await boxes(source, movie.from, movie.end);
  const header = inside.find((box) => box.type === 'mvhd');
  if (!header) throw new BrokenFile('The MP4 file has no movie header.');
  const tracks = await Promise.all(inside.filter((box) => box.type === 'trak').map((box) => readTrack(source, box)));
  const video = tracks.find((track) => track.handler === 'vide');
  if (!video && !tracks.some((track) => track.handler === 'soun'))
    throw new BrokenFile('The MP4 file has no tracks that play.');
  const durationS = readDuration(await source.read(header.from, 32));
  return facts('mp4', video ? 'video' : 'audio', {
    durationS,
    width: video?.width || null,
    height: video?.height || null,
    bitrate: durationS ? Math.round((source.sizeBytes * 8) / durationS) : null,
  });
}

/** Returns the boxes in a range of the file. Throws `BrokenFile` when one extends beyond the range: the file is truncated. */
async function boxes(source: ByteSource, from: number, to: number): Promise<IsoBox[]> {
  const found: IsoBox[] = [];
  const fail = () => {
    throw new BrokenFile('The MP4 file was cut off.');
  };
  for await (const box of boxesIn(source, from, to, fail)) found.push(box);
  return found;
}

function readDuration(header: Bytes): number | null {
  const isLong = header.byte(0) === 1;
  const scale = header.uint32(isLong ? 20 : 12);
  const units = isLong ? header.uint64(24) : header.uint32(16);
  return scale > 0 && units !== 0xffffffff && !Number.isNaN(units) ? units / scale : null;
}

async function readTrack(source: ByteSource, track: IsoBox) {
  const inside = await boxes(source, track.from, track.end);
  const header = inside.find((box) => box.type === 'tkhd');
  const media = inside.find((box) => box.type === 'mdia');
  const handlerBox = media && (await boxes(source, media.from, media.end)).find((box) => box.type === 'hdlr');
  const handler = handlerBox ? (await source.read(handlerBox.from, 12)).text(8, 4) : '';
  const size = header && (await source.read(header.end - 8, 8));
  return { handler, width: (size?.uint32(0) ?? 0) >>> 16, height: (size?.uint32(4) ?? 0) >>> 16 };
}
