// Pictures that are too large for the picture cache of Chromium: an element for them would be decoded again for each part of the
// window, which would stop drawing the window for many seconds. They are decoded once, in a thread of the browser, and drawn from
// there: smaller copies of half, a quarter … of the size make the drawing of the whole picture fast and smooth.
import type { Size } from './picture-zoom.ts';

/** The number of pixels above which a picture is a large one: Chromium caches 128 MB, with 4 bytes for each pixel. */
const MOST_CACHED = 32_000_000;
/** Larger ones would need more memory than the window can have (4 bytes for each pixel). */
const MOST_SHOWN = 400_000_000;
/** A copy below this width and height is not halved again. */
const LEAST_COPY = 1024;
/** The lines of a copy that are drawn without a pause. */
const SLICE_LINES = 256;

/** Returns how a picture is shown: by an element, drawn by ourselves, or not. */
export function kindOfPicture({ width, height }: Size): 'element' | 'large' | 'too-large' {
  const pixels = width * height;
  return pixels <= MOST_CACHED ? 'element' : pixels <= MOST_SHOWN ? 'large' : 'too-large';
}

/** A decoded picture, and its smaller copies: each has half the size of the one before. */
export interface LargePicture extends Size {
  levels: (ImageBitmap | OffscreenCanvas)[];
  /** Frees the memory. */
  close(): void;
}

/** Decodes a picture. Rejects when it can't be read or decoded. */
export async function decodeLarge(address: string, signal: AbortSignal): Promise<LargePicture> {
  const response = await fetch(address, { signal });
  if (!response.ok) throw new Error(`The picture was not read: ${response.status}`);
  const bitmap = await createImageBitmap(await response.blob());
  const { width, height } = bitmap;
  const levels: LargePicture['levels'] = [bitmap];
  return {
    width,
    height,
    levels,
    close() {
      bitmap.close();
      // An empty canvas needs no memory.
      for (const copy of levels.slice(1)) Object.assign(copy, { width: 0, height: 0 });
      levels.length = 0;
    },
  };
}

/** Makes the smaller copies of a picture, in slices between which the window draws and reacts. Ends early when it is closed. */
export async function makeCopies({ levels }: LargePicture, onCopy: () => void): Promise<void> {
  for (let from = levels.at(-1); from !== undefined; from = levels.at(-1)) {
    const [width, height] = [Math.ceil(from.width / 2), Math.ceil(from.height / 2)];
    if (Math.max(width, height) < LEAST_COPY) return;
    const copy = new OffscreenCanvas(width, height);
    const context = copy.getContext('2d');
    if (context === null) return;
    for (let top = 0; top < height; top += SLICE_LINES) {
      const lines = Math.min(SLICE_LINES, height - top);
      context.drawImage(from, 0, top * 2, width * 2, lines * 2, 0, top, width, lines);
      await new Promise((resolve) => setTimeout(resolve));
      if (levels.length === 0) return;
    }
    levels.push(copy);
    onCopy();
  }
}

/**
 * Returns the smallest of `count` copies that is at least as large as the drawn picture; 0 is the picture itself. `scale`: drawn pixels for
 * each pixel of the picture.
 */
export function levelFor(scale: number, count: number): number {
  let level = 0;
  while (level + 1 < count && 2 ** -(level + 1) >= scale) level += 1;
  return level;
}
