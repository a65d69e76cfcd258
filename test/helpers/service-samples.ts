import { blendPng, pagePdf, toneWav } from '../../service/seed/demo-bytes.ts';

/** Small real files, written by code. */
export const wav = (seconds = 2) => toneWav(seconds, 440);
export const png = (width = 64, height = 48) => blendPng(width, height, [20, 40, 90], [240, 200, 120]);
export const pdf = () => pagePdf('Heading', ['One line.', 'Another (line).']);

/** An MP3 of constant bit rate: silent frames of 128 kbit/s at 44.1 kHz, optionally behind an ID3 tag. */
export function mp3(frames = 77, id3Bytes = 0): Buffer {
  const frame = Buffer.alloc(417);
  frame.writeUInt32BE(0xfffb9064);
  const tag = Buffer.alloc(id3Bytes === 0 ? 0 : 10 + id3Bytes);
  if (id3Bytes > 0) tag.set([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, (id3Bytes >> 7) & 0x7f, id3Bytes & 0x7f]);
  return Buffer.concat([tag, ...Array.from({ length: frames }, () => frame)]);
}

function box(type: string, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, content]);
}

/** The skeleton of an MP4: headers that say what it is, and no samples. */
export function mp4({ seconds = 10, width = 640, height = 360, handler = 'vide' } = {}): Buffer {
  const movie = Buffer.alloc(100);
  movie.writeUInt32BE(1000, 12);
  movie.writeUInt32BE(seconds * 1000, 16);
  const track = Buffer.alloc(84);
  track.writeUInt32BE(width * 65_536, 76);
  track.writeUInt32BE(height * 65_536, 80);
  const kind = Buffer.alloc(24);
  kind.write(handler, 8, 'latin1');
  const trak = box('trak', box('tkhd', track), box('mdia', box('hdlr', kind)));
  return Buffer.concat([
    box('ftyp', Buffer.from('isom\0\0\0\0isom', 'latin1')),
    box('mdat', Buffer.alloc(2000)),
    box('moov', box('mvhd', movie), trak),
  ]);
}

/** The headers of a JPEG, with metadata before the frame as cameras write it. */
export function jpeg(width = 120, height = 80): Buffer {
  const exif = Buffer.alloc(5000);
  exif.set([0xff, 0xe1, 0x13, 0x86]);
  const frame = Buffer.from([0xff, 0xc0, 0, 11, 8, height >> 8, height & 255, width >> 8, width & 255, 1, 1, 0x11, 0]);
  return Buffer.concat([Buffer.from([0xff, 0xd8]), exif, frame, Buffer.from([0xff, 0xda, 0, 2, 0xff, 0xd9])]);
}

export const srt = `1\r\n00:00:01,000 --> 00:00:02,500\r\nHello & <i>welcome</i>\r\n\r\n2\r\n00:00:03,000 --> 00:00:04,000\r\nSecond <font color="red">line</font>\r\n`;
