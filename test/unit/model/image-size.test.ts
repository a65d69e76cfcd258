import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { imageSize } from '../../../shared/model/image-size.ts';

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#345' } });

describe('the size of a picture', () => {
  it.each([
    [1, 1],
    [1400, 1400],
    [3000, 2999],
  ])('is read from PNG and JPEG of %i × %i', async (width, height) => {
    const png = await picture(width, height).png().toBuffer();
    expect(imageSize(png)).toEqual({ kind: 'png', width, height });
    expect(imageSize(png.subarray(0, 24))).toEqual({ kind: 'png', width, height });
    const jpeg = await picture(width, height)
      .jpeg({ progressive: width > 1400 })
      .withMetadata({ density: 300 })
      .toBuffer();
    expect(imageSize(jpeg)).toEqual({ kind: 'jpeg', width, height });
  });

  it('is unknown for every beginning of a picture that is too short, and for other data', async () => {
    const jpeg = await picture(20, 10).jpeg().toBuffer();
    for (let length = 0; length < 150; length += 1) {
      const size = imageSize(jpeg.subarray(0, length));
      expect(size === null || size.width === 20).toBe(true);
    }
    expect(imageSize(Buffer.from('GIF89a, and more text than a header has'))).toBeNull();
    expect(imageSize(new Uint8Array())).toBeNull();
    expect(imageSize(Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 0, 0, 0, 0, 0, 0, 0))).toBeNull();
    expect(imageSize(new Uint8Array(1000).fill(0xff))).toBeNull();
  });

  it('is read at an offset of a larger buffer', async () => {
    const png = await picture(7, 5).png().toBuffer();
    const larger = new Uint8Array(png.length + 3);
    larger.set(png, 3);
    expect(imageSize(larger.subarray(3))).toEqual({ kind: 'png', width: 7, height: 5 });
  });
});
