// Reduces the size of a picture of a screen: 256 colors are sufficient, and need a third of the space.
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const MOST_COLORS = 256;

interface Pixels {
  width: number;
  height: number;
  /** One number per pixel: 0xRRGGBB. */
  colors: Uint32Array;
}

/** Returns the same picture with a palette. Throws for anything but 8-bit RGB or RGBA without interlacing, as browsers write. */
export function smallPng(png: Buffer): Buffer {
  const pixels = decode(png);
  const { palette, indexOf } = choosePalette(pixels.colors);
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
  const colors = new Uint32Array(width * height);
  for (let pixel = 0, at = 0; pixel < colors.length; pixel += 1, at += channels) {
    colors[pixel] = ((raw[at] ?? 0) << 16) | ((raw[at + 1] ?? 0) << 8) | (raw[at + 2] ?? 0);
  }
  return { width, height, colors };
}

/** Bytes of one pixel, from the header of the picture. */
function channelsOf(header: Buffer): number {
  const channels = header[9] === 6 ? 4 : 3;
  if (header[8] !== 8 || (header[9] !== 6 && header[9] !== 2) || header[12] !== 0) {
    throw new Error('That kind of PNG is not read here.');
  }
  return channels;
}

/** Undoes the filter of each line, in the given buffer. */
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

const channel = (color: number, shift: number) => (color >> shift) & 0xff;

interface Box {
  colors: number[];
  shift: number;
  /** The loss of quality if the box stays one color. */
  cost: number;
}

/** Median cut. The color of a box is its most frequent one, so that plain areas stay exactly as they are. */
function choosePalette(pixels: Uint32Array): { palette: number[]; indexOf: Map<number, number> } {
  const counts = new Map<number, number>();
  for (const color of pixels) counts.set(color, (counts.get(color) ?? 0) + 1);
  const weight = (color: number) => Math.sqrt(counts.get(color) ?? 0);
  const boxOf = (colors: number[]): Box => {
    const spans = [16, 8, 0].map((shift) => {
      const values = colors.map((color) => channel(color, shift));
      return { shift, span: values.reduce((a, b) => Math.max(a, b), 0) - values.reduce((a, b) => Math.min(a, b), 255) };
    });
    const widest = spans.reduce((a, b) => (b.span > a.span ? b : a));
    const mass = colors.reduce((sum, color) => sum + weight(color), 0);
    return { colors, shift: widest.shift, cost: widest.span * widest.span * mass };
  };
  const boxes = [boxOf([...counts.keys()])];
  while (boxes.length < MOST_COLORS) {
    const at = boxes.reduce((best, box, index) => (box.cost > (boxes[best]?.cost ?? 0) ? index : best), 0);
    const box = boxes[at];
    if (box === undefined || box.cost === 0) break;
    box.colors.sort((a, b) => channel(a, box.shift) - channel(b, box.shift));
    const low = channel(box.colors[0] ?? 0, box.shift);
    const high = channel(box.colors.at(-1) ?? 0, box.shift);
    const cut = box.colors.findIndex((color) => channel(color, box.shift) > (low + high) / 2);
    boxes.splice(at, 1, boxOf(box.colors.slice(0, cut)), boxOf(box.colors.slice(cut)));
  }
  const palette: number[] = [];
  const indexOf = new Map<number, number>();
  for (const { colors } of boxes) {
    palette.push(colors.reduce((best, color) => ((counts.get(color) ?? 0) > (counts.get(best) ?? 0) ? color : best)));
    for (const color of colors) indexOf.set(color, palette.length - 1);
  }
  return { palette, indexOf };
}

function encode({ width, height, colors }: Pixels, palette: number[], indexOf: Map<number, number>): Buffer {
  const lines = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      lines[y * (width + 1) + 1 + x] = indexOf.get(colors[y * width + x] ?? 0) ?? 0;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3], 8);
  const entries = Buffer.from(palette.flatMap((color) => [16, 8, 0].map((shift) => channel(color, shift))));
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
