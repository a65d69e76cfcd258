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
  const header = readPng(data) ?? readJpeg(data) ?? readGif(data) ?? readWebp(data);
  return header !== null && header.width > 0 && header.height > 0 ? header : null;
}

function ascii(data: Buffer, from: number, to: number): string {
  return data.toString('latin1', from, to);
}

function readPng(data: Buffer): ImageHeader | null {
  if (data.length < 24 || ascii(data, 0, 8) !== '\x89PNG\r\n\x1a\n' || ascii(data, 12, 16) !== 'IHDR') return null;
  return { contentType: 'image/png', width: data.readUInt32BE(16), height: data.readUInt32BE(20) };
}

function readGif(data: Buffer): ImageHeader | null {
  if (data.length < 10 || !/^GIF8[79]a$/.test(ascii(data, 0, 6))) return null;
  return { contentType: 'image/gif', width: data.readUInt16LE(6), height: data.readUInt16LE(8) };
}

/** Reads the segments of a JPEG before its picture; the segment with the size begins with a marker from C0 to CF. */
function readJpeg(data: Buffer): ImageHeader | null {
  if (data.length < 4 || data[0] !== 0xff || data[1] !== 0xd8 || data[2] !== 0xff) return null;
  let at = 2;
  while (at + 9 <= data.length && data[at] === 0xff) {
    const marker = data[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const isSize = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isSize) {
      return { contentType: 'image/jpeg', width: data.readUInt16BE(at + 7), height: data.readUInt16BE(at + 5) };
    }
    at += 2 + data.readUInt16BE(at + 2);
  }
  return null;
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
