// A drawn picture in a PNG file: truecolor, 8 bits a channel.
import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const BYTES_PER_PIXEL = 3;

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/** Light through two slits: interference rings on a blue-to-amber ground. Each channel 0–255. */
function opticsPixel(x: number, y: number, width: number, height: number): [number, number, number] {
  const left = Math.hypot(x - width * 0.35, y - height * 0.5);
  const right = Math.hypot(x - width * 0.65, y - height * 0.5);
  const light = (Math.cos(left / 9) + Math.cos(right / 9)) ** 2 / 4;
  const across = x / width;
  return [
    Math.round(40 + 190 * across * light),
    Math.round(50 + 150 * light),
    Math.round(90 + 150 * (1 - across) * light),
  ];
}

/** The picture as a PNG file of the given size in pixels. */
export function pngFile(width: number, height: number): Buffer {
  const rowBytes = 1 + width * BYTES_PER_PIXEL;
  const rows = Buffer.alloc(rowBytes * height);
  for (let y = 0; y < height; y += 1) {
    const start = y * rowBytes;
    rows[start] = 1; // each byte is stored as its difference from the pixel on its left
    let previous: [number, number, number] = [0, 0, 0];
    for (let x = 0; x < width; x += 1) {
      const pixel = opticsPixel(x, y, width, height);
      const at = start + 1 + x * BYTES_PER_PIXEL;
      rows[at] = pixel[0] - previous[0];
      rows[at + 1] = pixel[1] - previous[1];
      rows[at + 2] = pixel[2] - previous[2];
      previous = pixel;
    }
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8); // 8 bits, truecolor, deflate, adaptive filters, not interlaced
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows, { level: 6 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
