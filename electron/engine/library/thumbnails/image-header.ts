import { imageSize } from '../../../../shared/model/image-size.ts';

/** The properties in the first bytes of a picture. */
export interface ImageHeader {
  contentType: string;
  /** Pixels. */
  width: number;
  height: number;
}

/**
 * Reads type and size of a PNG, JPEG, GIF or WebP from its own bytes, never from its name or the server. Returns null for
 * everything else, such as SVG, and for a picture without a size.
 */
export function readImageHeader(bytes: Uint8Array): ImageHeader | null {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const header = readPngOrJpeg(bytes) ?? readGif(data) ?? readWebp(data);
  return header !== null && header.width > 0 && header.height > 0 ? header : null;
}

function ascii(data: Buffer, from: number, to: number): string {
  return data.toString('latin1', from, to);
}

function readPngOrJpeg(bytes: Uint8Array): ImageHeader | null {
  const size = imageSize(bytes);
  return size === null ? null : { contentType: `image/${size.kind}`, width: size.width, height: size.height };
}

function readGif(data: Buffer): ImageHeader | null {
  if (data.length < 10 || !/^GIF8[79]a$/.test(ascii(data, 0, 6))) return null;
  return { contentType: 'image/gif', width: data.readUInt16LE(6), height: data.readUInt16LE(8) };
}

function readWebp(data: Buffer): ImageHeader | null {
  if (data.length < 30 || ascii(data, 0, 4) !== 'RIFF' || ascii(data, 8, 12) !== 'WEBP') return null;
  const size = webpSize(data);
  return size === null ? null : { contentType: 'image/webp', ...size };
}

function webpSize(data: Buffer): { width: number; height: number } | null {
  switch (ascii(data, 12, 16)) {
    case 'VP8 ':
      return { width: data.readUInt16LE(26) & 0x3fff, height: data.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      const bits = data.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { width: data.readUIntLE(24, 3) + 1, height: data.readUIntLE(27, 3) + 1 };
    default:
      return null;
  }
}
