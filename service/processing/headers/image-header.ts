import type { ByteSource } from './byte-source.ts';
import { BrokenFile, type Facts, facts } from './facts.ts';

/** PNG: dimensions from the header. The end chunk must exist. */
export async function readPng(source: ByteSource): Promise<Facts> {
  const head = await source.read(0, 33);
  const tail = await source.read(Math.max(0, source.sizeBytes - 1024), 1024);
  if (head.length < 33 || head.toString('latin1', 12, 16) !== 'IHDR')
    throw new BrokenFile('The PNG file has no header.');
  if (!tail.includes('IEND')) throw new BrokenFile('The PNG file was cut off.');
  return sized('png', head.readUInt32BE(16), head.readUInt32BE(20));
}

const MAX_SEGMENTS = 2000;

/** Reads a JPEG: its dimensions are in the frame header, which may come after large blocks of metadata. */
export async function readJpeg(source: ByteSource): Promise<Facts> {
  let position = 2;
  for (let segment = 0; segment < MAX_SEGMENTS; segment += 1) {
    const head = await source.read(position, 9);
    if (head.length < 4 || head[0] !== 0xff) break;
    const marker = head[1] ?? 0;
    if (marker === 0xff) {
      position += 1;
      continue;
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame && head.length === 9) return sized('jpeg', head.readUInt16BE(7), head.readUInt16BE(5));
    if (marker === 0xda || marker === 0xd9) break;
    position += 2 + head.readUInt16BE(2);
  }
  throw new BrokenFile('The JPEG file has no frame header.');
}

/** GIF, BMP and WebP: dimensions within the first bytes. */
export function readSmallImage(head: Buffer): Facts | undefined {
  const text = head.toString('latin1', 0, 16);
  if (head.length >= 10 && /^GIF8[79]a/.test(text)) return sized('gif', head.readUInt16LE(6), head.readUInt16LE(8));
  if (head.length >= 26 && text.startsWith('BM') && head.readUInt32LE(14) >= 40) {
    return sized('bmp', Math.abs(head.readInt32LE(18)), Math.abs(head.readInt32LE(22)));
  }
  if (head.length < 30 || !text.startsWith('RIFF') || text.slice(8, 12) !== 'WEBP') return undefined;
  switch (text.slice(12, 16)) {
    case 'VP8X':
      return sized('webp', head.readUIntLE(24, 3) + 1, head.readUIntLE(27, 3) + 1);
    case 'VP8 ':
      return sized('webp', head.readUInt16LE(26) & 0x3fff, head.readUInt16LE(28) & 0x3fff);
    case 'VP8L': {
      const bits = head.readUInt32LE(21);
      return sized('webp', (bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
    }
    default:
      return undefined;
  }
}

function sized(format: string, width: number, height: number): Facts {
  if (width === 0 || height === 0) throw new BrokenFile('The image has no area.');
  return facts(format, 'image', { width, height });
}
