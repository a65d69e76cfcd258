import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { drawIcon, ICON_SIZES, iconPath } from '../../../build/icon-drawing.ts';

const folder = join(import.meta.dirname, '..', '..', '..', 'build', 'icons');

/** Returns the pixels of a picture, four bytes for each: red, green, blue, alpha. `hasAlpha`: the file has an alpha channel. */
async function pixelsOf(png: Buffer): Promise<{ data: Buffer; width: number; height: number; hasAlpha: boolean }> {
  const { hasAlpha } = await sharp(png).metadata();
  const { data, info } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, hasAlpha };
}

/** The share of pixels, 0 to 1, whose alpha value satisfies a condition. */
function share(data: Buffer, test: (alpha: number) => boolean): number {
  let passing = 0;
  for (let at = 3; at < data.length; at += 4) if (test(data[at] ?? 0)) passing += 1;
  return passing / (data.length / 4);
}

describe.each(ICON_SIZES)('the icon of %i pixels', (size) => {
  const file = () => readFileSync(iconPath(size));

  it('has that size, an alpha channel, transparent corners and an opaque center', async () => {
    const { data, width, height, hasAlpha } = await pixelsOf(file());
    expect({ width, height, hasAlpha }).toEqual({ width: size, height: size, hasAlpha: true });
    // The rounded square covers 78 % of the drawing.
    expect(share(data, (alpha) => alpha > 200)).toBeGreaterThan(0.65);
    expect(share(data, (alpha) => alpha > 200)).toBeLessThan(0.85);
    expect(share(data, (alpha) => alpha === 0)).toBeGreaterThan(0.05);
    expect(data[3]).toBe(0);
  });

  it('is generated from the current drawing', async () => {
    const [stored, drawn] = await Promise.all([pixelsOf(file()), drawIcon(size).then(pixelsOf)]);
    let difference = 0;
    for (const [at, value] of stored.data.entries()) difference += Math.abs(value - (drawn.data[at] ?? 0));
    expect(stored.data.length).toBe(drawn.data.length);
    expect(difference / stored.data.length).toBeLessThan(2);
  });

  it('has the blue background and the white symbol', async () => {
    const { data } = await pixelsOf(file());
    const at = (x: number, y: number) => [...data.subarray(4 * (Math.floor(y) * size + Math.floor(x))).subarray(0, 4)];
    const [red = 0, green = 0, blue = 0, alpha = 0] = at(size * 0.5, size * 0.12);
    expect(alpha).toBe(255);
    expect(blue).toBeGreaterThan(green);
    expect(green).toBeGreaterThan(red);
    const [r = 0, g = 0, b = 0] = at(size * 0.5, size * 0.42);
    expect(Math.min(r, g, b)).toBeGreaterThan(230);
  });
});

it('every icon size in the package configuration exists', () => {
  const config = readFileSync(join(folder, '..', 'electron-builder.yml'), 'utf8');
  const named = [...config.matchAll(/icons\/(\d+)x\1\.png/g)].map((match) => Number(match[1]));
  expect(named.length).toBeGreaterThan(0);
  for (const size of named) expect(ICON_SIZES).toContain(size);
});
