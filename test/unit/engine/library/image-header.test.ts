import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { THUMBNAIL_LIMITS, usable } from '../../../../electron/engine/library/thumbnails/fetch-thumbnail.ts';
import { readImageHeader } from '../../../../electron/engine/library/thumbnails/image-header.ts';

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#a04020' }, limitInputPixels: false });

/** Returns the beginning of a PNG with these dimensions, without pixels: a small file can claim to be a huge picture. */
function pngHead(width: number, height: number): Buffer {
  const head = Buffer.alloc(64);
  head.write('\x89PNG\r\n\x1a\n', 0, 'latin1');
  head.writeUInt32BE(13, 8);
  head.write('IHDR', 12, 'latin1');
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(height, 20);
  return head;
}

describe('readImageHeader', () => {
  it.each(['png', 'jpeg', 'gif', 'webp'] as const)('reads type and size of a %s', async (format) => {
    const bytes = await picture(321, 123).toFormat(format).toBuffer();
    expect(readImageHeader(bytes)).toEqual({ contentType: `image/${format}`, width: 321, height: 123 });
  });

  it('reads a lossless and an extended WebP, and a progressive JPEG with data before its size', async () => {
    const lossless = await picture(40, 30).webp({ lossless: true }).toBuffer();
    expect(readImageHeader(lossless)).toMatchObject({ width: 40, height: 30 });
    const extended = await picture(41, 31).webp().withMetadata({ orientation: 1 }).toBuffer();
    expect(readImageHeader(extended)).toMatchObject({ width: 41, height: 31 });
    const jpeg = await picture(42, 32).jpeg({ progressive: true }).withMetadata({ orientation: 6 }).toBuffer();
    expect(readImageHeader(jpeg)).toMatchObject({ contentType: 'image/jpeg', width: 42, height: 32 });
  });

  it.each([
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'],
    ['a web page', '<!doctype html><title>Sign in</title>'],
    ['JSON', '{"error":"expired"}'],
    ['an empty file', ''],
    ['the beginning of a PNG', '\x89PNG\r\n\x1a\n'],
    ['a JPEG without a size', '\xff\xd8\xff\xe0\x00\x04ab\xff\xda\x00\x02'],
    ['a PDF', '%PDF-1.7'],
  ])('returns null for %s', (_name, text) => {
    expect(readImageHeader(Buffer.from(text, 'latin1'))).toBeNull();
  });

  it('returns null for a picture without pixels', () => {
    expect(readImageHeader(pngHead(0, 10))).toBeNull();
  });

  it('never throws, and always ends, whatever the bytes are', () => {
    const starts = ['', '\x89PNG\r\n\x1a\n', '\xff\xd8\xff', 'GIF89a', 'RIFF\0\0\0\0WEBPVP8X', 'RIFF\0\0\0\0WEBPVP8L'];
    fc.assert(
      fc.property(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 200 }), (start, rest) => {
        readImageHeader(Buffer.concat([Buffer.from(start, 'latin1'), rest]));
      }),
      { numRuns: 2000 },
    );
    // A parser that does not advance at segments of length 0 would never end.
    readImageHeader(Buffer.concat([Buffer.from('\xff\xd8\xff\xe0\0\0', 'latin1'), Buffer.alloc(100, 0)]));
    readImageHeader(Buffer.concat([Buffer.from('\xff\xd8', 'latin1'), Buffer.alloc(100_000, 0xff)]));
  });
});

describe('a usable thumbnail', () => {
  it('has at most 25 million pixels, however small its file is', () => {
    expect(usable(pngHead(10_000, 10_000), THUMBNAIL_LIMITS)).toBeNull();
    expect(usable(pngHead(65_535, 400), THUMBNAIL_LIMITS)).toBeNull();
    expect(usable(pngHead(5000, 5000), THUMBNAIL_LIMITS)).toMatchObject({ contentType: 'image/png' });
  });

  it('has at most 10 MiB', () => {
    const large = Buffer.concat([pngHead(100, 100), Buffer.alloc(THUMBNAIL_LIMITS.bytes)]);
    expect(usable(large, THUMBNAIL_LIMITS)).toBeNull();
  });
});
