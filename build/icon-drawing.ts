import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import sharp from 'sharp';

/** The edge lengths in pixels that desktops use. */
export const ICON_SIZES = [16, 24, 32, 48, 64, 128, 256, 512] as const;

const folder = join(resolve(import.meta.dirname), 'icons');
/** The edge of the drawing in its own units, of which 72 are an inch. */
const DRAWING_UNITS = 512;
const UNITS_PER_INCH = 72;

export function iconPath(size: number): string {
  return join(folder, `${size}x${size}.png`);
}

/** The drawing as a PNG with alpha, `size` pixels wide and high. Each size is drawn from the vectors, not scaled. */
export async function drawIcon(size: number): Promise<Buffer> {
  const drawing = await readFile(join(folder, 'icon.svg'));
  return sharp(drawing, { density: (UNITS_PER_INCH * size) / DRAWING_UNITS })
    .resize(size, size)
    .ensureAlpha()
    .png({ compressionLevel: 9 })
    .toBuffer();
}
