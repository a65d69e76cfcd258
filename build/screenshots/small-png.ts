// Makes a picture of a screen small: 256 colours are enough for one, and take a third of the space.
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const MOST_COLOURS = 256;

interface Pixels {
  width: number;
  height: number;
  /** One number per pixel: 0xRRGGBB. */
  colours: Uint32Array;
}

/** The same picture with a palette. Throws for anything but 8-bit RGB or RGBA without interlacing, as browsers write. */
export function smallPng(png: Buffer): Buffer {
  const pixels = decode(png);
  const { palette, indexOf } = choosePalette(pixels.colours);
  return encode(pixels, palette, indexOf);
}

function decode(png: Buffer): Pixels {
  if (!png.subarray(0, 8).equals(SIGNATURE)) throw new Error('That is not a PNG.');
  const data: Buffer[] = [];
  let width = 0;
  let height = 0;
  let channels = 0;
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    const body = png.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR') {
      [width, height] = [body.readUInt32BE(0), body.readUInt32BE(4)];
      channels = channelsOf(body);
    }
    if (type === 'IDAT') data.push(body);
    at += length + 12;
  }
  const raw = unfilter(inflateSync(Buffer.concat(data)), width * channels, height, channels);
  const colours = new Uint32Array(width * height);
  for (let pixel = 0, at = 0; pixel < colours.length; pixel += 1, at += channels) {
    colours[pixel] = ((raw[at] ?? 0) << 16) | ((raw[at + 1] ?? 0) << 8) | (raw[at + 2] ?? 0);
  }
  return { width, height, colours };
}

/** Bytes of one pixel, from the header of the picture. */
function channelsOf(header: Buffer): number {
  const channels = header[9] === 6 ? 4 : 3;
  if (header[8] !== 8 || (header[9] !== 6 && header[9] !== 2) || header[12] !== 0) {
    throw new Error('That kind of PNG is not read here.');
  }
  return channels;
}

/** Undoes the filter of each line, in place of the lines themselves. */
function unfilter(filtered: Buffer, stride: number, height: number, channels: number): Uint8Array {
  const out = new Uint8Array(stride * height);
  for (let y = 0; y < height; y += 1) {
    const filter = filtered[y * (stride + 1)];
    for (let x = 0; x < stride; x += 1) {
      const value = filtered[y * (stride + 1) + 1 + x] ?? 0;
      const left = x >= channels ? (out[y * stride + x - channels] ?? 0) : 0;
      const up = y > 0 ? (out[(y - 1) * stride + x] ?? 0) : 0;
      const corner = x >= channels && y > 0 ? (out[(y - 1) * stride + x - channels] ?? 0) : 0;
      out[y * stride + x] = value + predicted(filter ?? 0, left, up, corner);
    }
  }
  return out;
}

function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  if (filter !== 4) return 0;
  const estimate = left + up - corner;
  const [toLeft, toUp, toCorner] = [Math.abs(estimate - left), Math.abs(estimate - up), Math.abs(estimate - corner)];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

const channel = (colour: number, shift: number) => (colour >> shift) & 0xff;

interface Box {
  colours: number[];
  shift: number;
  /** How much is lost if the box stays one colour. */
  cost: number;
}

/** Median cut. The colour of a box is its most frequent one, so that plain areas stay exactly as they are. */
function choosePalette(pixels: Uint32Array): { palette: number[]; indexOf: Map<number, number> } {
  const counts = new Map<number, number>();
  for (const colour of pixels) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const weight = (colour: number) => Math.sqrt(counts.get(colour) ?? 0);
  const boxOf = (colours: number[]): Box => {
    const spans = [16, 8, 0].map((shift) => {
      const values = colours.map((colour) => channel(colour, shift));
      return { shift, span: values.reduce((a, b) => Math.max(a, b), 0) - values.reduce((a, b) => Math.min(a, b), 255) };
    });
    const widest = spans.reduce((a, b) => (b.span > a.span ? b : a));
    const mass = colours.reduce((sum, colour) => sum + weight(colour), 0);
    return { colours, shift: widest.shift, cost: widest.span * widest.span * mass };
  };
  const boxes = [boxOf([...counts.keys()])];
  while (boxes.length < MOST_COLOURS) {
    const at = boxes.reduce((best, box, index) => (box.cost > (boxes[best]?.cost ?? 0) ? index : best), 0);
    const box = boxes[at];
    if (box === undefined || box.cost === 0) break;
    box.colours.sort((a, b) => channel(a, box.shift) - channel(b, box.shift));
    const low = channel(box.colours[0] ?? 0, box.shift);
    const high = channel(box.colours.at(-1) ?? 0, box.shift);
    const cut = box.colours.findIndex((colour) => channel(colour, box.shift) > (low + high) / 2);
    boxes.splice(at, 1, boxOf(box.colours.slice(0, cut)), boxOf(box.colours.slice(cut)));
  }
  const palette: number[] = [];
  const indexOf = new Map<number, number>();
  for (const { colours } of boxes) {
    palette.push(
      colours.reduce((best, colour) => ((counts.get(colour) ?? 0) > (counts.get(best) ?? 0) ? colour : best)),
    );
    for (const colour of colours) indexOf.set(colour, palette.length - 1);
  }
  return { palette, indexOf };
}

function encode({ width, height, colours }: Pixels, palette: number[], indexOf: Map<number, number>): Buffer {
  const lines = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      lines[y * (width + 1) + 1 + x] = indexOf.get(colours[y * width + x] ?? 0) ?? 0;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3], 8);
  const entries = Buffer.from(palette.flatMap((colour) => [16, 8, 0].map((shift) => channel(colour, shift))));
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', entries),
    chunk('IDAT', deflateSync(lines, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}
