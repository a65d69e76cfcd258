// Makes thumbnails in a process of its own, one at a time: the libraries that decode pictures are native code and see
// whatever was uploaded. Should one of them crash or take too much, only this process is lost.
// Orders come and answers go as messages of the parent; see picture-maker.ts.
import { writeSync } from 'node:fs';
import sharp, { type Metadata, type OutputInfo, type Sharp } from 'sharp';
import type { PictureAnswer, PictureLimit, PictureOrder } from './picture-maker.ts';

/** The longer edge of a thumbnail, at most. */
const EDGE_PX = 640;
const JPEG_QUALITY = 80;
/** No edge of a picture is longer than this: one row of pixels is held in memory several times. */
const MAX_EDGE_PX = 65_535;
/** Pixels of a picture that is read row by row, which takes little memory: 16,383 by 16,383. */
const MAX_PIXELS = 0x3fff * 0x3fff;
/** Memory for the pixels of a picture that has to be unpacked whole before anything can be done with it. */
const MAX_WHOLE_BYTES = 200 * 1024 * 1024;
const WATCH_MS = 20;

/** Only these are ever decoded, whatever else the library knows: SVG, for one, can name other files. */
const LOADERS = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Tiff'];

sharp.cache(false);
sharp.concurrency(1);
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: LOADERS.map((name) => `VipsForeignLoad${name}`) });

process.on('message', async ({ maxResidentBytes, ...order }: PictureOrder & PictureLimit) => {
  const watch = setInterval(() => {
    if (process.memoryUsage.rss() > maxResidentBytes) leave('The picture takes too much memory.');
  }, WATCH_MS);
  const answer = await make(order).catch(
    (error): PictureAnswer => ({ kind: 'none', reason: error instanceof Error ? error.message : String(error) }),
  );
  clearInterval(watch);
  process.send?.(answer);
});
process.on('disconnect', () => leave('The service is gone.'));

/** At once: an ordinary exit would wait for the threads that are decoding. */
function leave(reason: string): void {
  writeSync(process.stderr.fd, reason);
  process.kill(process.pid, 'SIGKILL');
}

/** Reads, scales, turns upright and writes one picture. Rejects where that is not the picture's own fault. */
async function make({ input, output }: PictureOrder): Promise<PictureAnswer> {
  const source = () => sharp(input, { limitInputPixels: false, sequentialRead: true, failOn: 'error' });
  let known: Metadata;
  try {
    // The headers alone; the limits are ours and come next.
    known = await source().metadata();
  } catch {
    return { kind: 'broken', reason: 'The picture has no readable header.' };
  }
  if (isTooLarge(known)) return { kind: 'none', reason: `It has ${known.width} × ${known.height} pixels.` };
  let small: { data: Buffer; info: OutputInfo };
  try {
    small = await source()
      .resize(EDGE_PX, EDGE_PX, { fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
  } catch {
    return { kind: 'broken', reason: 'The picture is damaged or cut off.' };
  }
  // Turned only now: turning needs all pixels at once, and few are left.
  const { width, height } = await upright(small, known.orientation ?? 1)
    .jpeg({ quality: JPEG_QUALITY })
    .toFile(output);
  return { kind: 'made', width, height };
}

function isTooLarge({ format, width, height, channels, isProgressive }: Metadata): boolean {
  if (Math.max(width, height) > MAX_EDGE_PX || width * height > MAX_PIXELS) return true;
  const byRows = (format === 'jpeg' || format === 'png') && !isProgressive;
  return !byRows && width * height * channels * 2 > MAX_WHOLE_BYTES;
}

/** The pixels as the camera was held, after the eight orientations that Exif knows: mirrored, then turned. */
function upright({ data, info }: { data: Buffer; info: OutputInfo }, orientation: number): Sharp {
  const { width, height, channels } = info;
  const picture = sharp(data, { raw: { width, height, channels } });
  const quarters = [0, 0, 0, 2, 2, 3, 1, 1, 3][orientation] ?? 0;
  const isMirrored = [2, 4, 5, 7].includes(orientation);
  const facing = isMirrored ? picture.flop() : picture;
  return quarters === 0 ? facing : facing.rotate(quarters * 90);
}
