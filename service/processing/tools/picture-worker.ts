// Creates thumbnails in a separate process, one at a time: the libraries that decode pictures are native code and process
// untrusted uploads. If one of them crashes or takes too much memory, only this process is lost. Orders and answers are messages
// from and to the parent; see picture-maker.ts.
import { writeSync } from 'node:fs';
import sharp, { type Metadata, type OutputInfo, type Sharp } from 'sharp';
import { hasTooManyPixels } from '../headers/picture-limits.ts';
import type { PictureAnswer, PictureLimit, PictureOrder } from './picture-maker.ts';

/** Maximum length of the longer edge of a thumbnail. */
const EDGE_PX = 640;
const JPEG_QUALITY = 80;
/** Memory limit for the pixels of a picture that must be unpacked completely first. */
const MAX_WHOLE_BYTES = 200 * 1024 * 1024;
const WATCH_MS = 20;

/** Only these formats are decoded, although sharp supports more: SVG, for example, can refer to other files. */
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

/** Exits immediately: an ordinary exit would wait for the decoding threads. */
function leave(reason: string): void {
  writeSync(process.stderr.fd, reason);
  process.kill(process.pid, 'SIGKILL');
}

/**
 * Reads, scales, rotates upright and writes one picture. Rejects when the failure is not caused by the picture itself.
 */
async function make({ input, output }: PictureOrder): Promise<PictureAnswer> {
  const source = () => sharp(input, { limitInputPixels: false, sequentialRead: true, failOn: 'error' });
  let known: Metadata;
  try {
    // Reads the headers only; our own limits are checked next.
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
  // Rotated only after scaling: a rotation needs all pixels at the same time, and few are left by now.
  const { width, height } = await upright(small, known.orientation ?? 1)
    .jpeg({ quality: JPEG_QUALITY })
    .toFile(output);
  return { kind: 'made', width, height };
}

function isTooLarge({ format, width, height, channels, isProgressive }: Metadata): boolean {
  if (hasTooManyPixels(width, height)) return true;
  const byRows = (format === 'jpeg' || format === 'png') && !isProgressive;
  return !byRows && width * height * channels * 2 > MAX_WHOLE_BYTES;
}

/** Applies one of the eight Exif orientations: first mirrors, then rotates. */
function upright({ data, info }: { data: Buffer; info: OutputInfo }, orientation: number): Sharp {
  const { width, height, channels } = info;
  const picture = sharp(data, { raw: { width, height, channels } });
  const quarters = [0, 0, 0, 2, 2, 3, 1, 1, 3][orientation] ?? 0;
  const isMirrored = [2, 4, 5, 7].includes(orientation);
  const facing = isMirrored ? picture.flop() : picture;
  return quarters === 0 ? facing : facing.rotate(quarters * 90);
}
