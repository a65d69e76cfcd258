import type { Bytes } from '../bytes/bounded-bytes.ts';
import { type Reading, readIn } from '../bytes/reading.ts';
import { begins } from '../signatures.ts';
import { jpegSegment } from './jpeg-segment.ts';

/** The kind of a picture and its size in pixels. A damaged picture may have the width or height 0. */
export interface ImageHeader {
  kind: 'png' | 'jpeg' | 'gif' | 'bmp' | 'webp';
  width: number;
  height: number;
}

/** All formats except JPEG have their size within these bytes. */
const START_BYTES = 32;
/** The maximum number of segments of a JPEG that are passed, because large blocks of metadata may precede its size. */
const MOST_SEGMENTS = 2000;

/**
 * Reads kind and size of a picture from its own bytes, without decoding it, so that a picture of 100 megapixels takes no longer than
 * a small one. null for everything else, such as SVG and TIFF, and when the size is not within the bytes.
 */
export function* imageHeader(): Reading<ImageHeader | null> {
  const start = yield [0, START_BYTES];
  // The header chunk of a PNG is the first one: its length, its name, then width and height.
  if (begins(start, 'png'))
    return start.text(12, 4) === 'IHDR' ? sized('png', start.uint32(16), start.uint32(20)) : null;
  if (begins(start, 'jpeg')) return yield* jpegHeader();
  if (begins(start, 'gif')) return sized('gif', start.uint16(6, true), start.uint16(8, true));
  if (begins(start, 'bmp')) return bmpHeader(start);
  return begins(start, 'riff') && start.text(8, 4) === 'WEBP' ? webpHeader(start) : null;
}

/** Reads a picture in memory. null also for one without pixels. */
export function imageHeaderIn(bytes: Uint8Array): ImageHeader | null {
  const header = readIn(bytes, imageHeader());
  return header === null || header.width === 0 || header.height === 0 ? null : header;
}

function sized(kind: ImageHeader['kind'], width: number, height: number): ImageHeader | null {
  return Number.isNaN(width + height) ? null : { kind, width, height };
}

function* jpegHeader(): Reading<ImageHeader | null> {
  let at = 2;
  for (let passed = 0; passed < MOST_SEGMENTS; passed += 1) {
    const bytes = yield [at, 9];
    const segment = jpegSegment(bytes);
    if (segment === null) return null;
    if (isFrameHeader(segment.marker)) return sized('jpeg', bytes.uint16(7), bytes.uint16(5));
    at += segment.length;
  }
  return null;
}

/** Returns whether a marker is SOF0 to SOF15, without the tables and the restart interval between them. */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

/** A negative height means that the first row is at the top. Older headers than that of 40 bytes have other numbers. */
function bmpHeader(start: Bytes): ImageHeader | null {
  if (start.length < 26 || start.uint32(14, true) < 40) return null;
  return sized('bmp', Math.abs(start.uint32(18, true) | 0), Math.abs(start.uint32(22, true) | 0));
}

function webpHeader(start: Bytes): ImageHeader | null {
  if (start.length < 30) return null;
  switch (start.text(12, 4)) {
    case 'VP8 ':
      return sized('webp', start.uint16(26, true) & 0x3fff, start.uint16(28, true) & 0x3fff);
    case 'VP8L': {
      const bits = start.uint32(21, true);
      return sized('webp', (bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
    }
    case 'VP8X':
      return sized('webp', uint24(start, 24) + 1, uint24(start, 27) + 1);
    default:
      return null;
  }
}

function uint24(bytes: Bytes, at: number): number {
  return bytes.uint16(at, true) + bytes.byte(at + 2) * 0x1_0000;
}
