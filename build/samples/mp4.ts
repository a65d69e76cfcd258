// An MP4 file with one AVC video track, index first, so that it plays while it loads.
import { intraPicture, type Picture, pictureParameters, sequenceParameters } from './avc.ts';

/** Ticks of the file's clock in a second. */
const TIMESCALE = 1000;

const u16 = (...values: number[]) => {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [index, value] of values.entries()) bytes.writeUInt16BE(value, index * 2);
  return bytes;
};
const u32 = (...values: number[]) => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4);
  return bytes;
};
const text = (value: string) => Buffer.from(value, 'latin1');

function box(type: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([u32(body.length + 8), text(type), body]);
}

/** A box with version 0 and flags. */
function fullBox(type: string, flags: number, ...parts: Buffer[]): Buffer {
  return box(type, u32(flags), ...parts);
}

const IDENTITY_MATRIX = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);

interface Track {
  width: number;
  height: number;
  durationTicks: number;
  frameTicks: number;
  frameSizes: number[];
}

function sampleEntry({ width, height }: Track): Buffer {
  const sequence = sequenceParameters(width, height);
  const picture = pictureParameters();
  const configuration = box(
    'avcC',
    Buffer.from([1, ...sequence.subarray(1, 4), 0xff, 0xe1]),
    u16(sequence.length),
    sequence,
    Buffer.from([1]),
    u16(picture.length),
    picture,
  );
  return box(
    'avc1',
    u16(0, 0, 0, 1, 0, 0),
    u32(0, 0, 0),
    u16(width, height),
    u32(0x480000, 0x480000, 0), // 72 dpi
    u16(1),
    Buffer.alloc(32),
    u16(24, 0xffff),
    configuration,
  );
}

function sampleTable(track: Track, dataAt: number): Buffer {
  return box(
    'stbl',
    fullBox('stsd', 0, u32(1), sampleEntry(track)),
    fullBox('stts', 0, u32(1, track.frameSizes.length, track.frameTicks)),
    fullBox('stsc', 0, u32(1, 1, track.frameSizes.length, 1)),
    fullBox('stsz', 0, u32(0, track.frameSizes.length, ...track.frameSizes)),
    fullBox('stco', 0, u32(1, dataAt)),
  );
}

function movieIndex(track: Track, dataAt: number): Buffer {
  const { durationTicks, width, height } = track;
  return box(
    'moov',
    fullBox(
      'mvhd',
      0,
      u32(0, 0, TIMESCALE, durationTicks, 0x10000),
      u16(0x100),
      Buffer.alloc(10),
      IDENTITY_MATRIX,
      Buffer.alloc(24),
      u32(2),
    ),
    box(
      'trak',
      fullBox(
        'tkhd',
        3,
        u32(0, 0, 1, 0, durationTicks, 0, 0),
        u16(0, 0, 0, 0),
        IDENTITY_MATRIX,
        u32(width << 16, height << 16),
      ),
      box(
        'mdia',
        fullBox('mdhd', 0, u32(0, 0, TIMESCALE, durationTicks), u16(0x55c4, 0)), // language "und"
        fullBox('hdlr', 0, u32(0), text('vide'), u32(0, 0, 0), text('Video\0')),
        box(
          'minf',
          fullBox('vmhd', 1, u16(0, 0, 0, 0)),
          box('dinf', fullBox('dref', 0, u32(1), fullBox('url ', 1))),
          sampleTable(track, dataAt),
        ),
      ),
    ),
  );
}

/** A picture of a slowly moving wave. */
function wave(width: number, height: number, index: number): Picture {
  return {
    width,
    height,
    luma: (x, y) => 126 + Math.round(100 * Math.sin((x + index * 8) / 24) * Math.cos((y - index * 4) / 18)),
  };
}

/** An MP4 file of the given size in pixels (even numbers) that lasts exactly `seconds`, at two pictures a second. */
export function mp4File(width: number, height: number, seconds: number): Buffer {
  const count = seconds * 2;
  const frames: Buffer[] = [];
  for (let index = 0; index < count; index += 1) {
    const picture = intraPicture(wave(width, height, index), index);
    frames.push(Buffer.concat([u32(picture.length), picture]));
  }
  const track: Track = {
    width,
    height,
    durationTicks: seconds * TIMESCALE,
    frameTicks: TIMESCALE / 2,
    frameSizes: frames.map((frame) => frame.length),
  };
  const fileType = box('ftyp', text('isom'), u32(0x200), text('isomiso2avc1mp41'));
  // The index's own size does not depend on the offset in it.
  const dataAt = fileType.length + movieIndex(track, 0).length + 8;
  return Buffer.concat([fileType, movieIndex(track, dataAt), box('mdat', ...frames)]);
}
