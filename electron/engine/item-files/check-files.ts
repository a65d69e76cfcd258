import { basename } from 'node:path';
import { appError } from '../../../shared/contract/app-error.ts';
import { type CaptionsFacts, MAX_PICTURE_BYTES } from '../../../shared/contract/file-calls.ts';
import type { CaptionsEncoding } from '../../../shared/formats/captions/captions-kinds.ts';
import { MAX_CAPTIONS_BYTES } from '../../../shared/formats/captions/read-captions.ts';
import { readCaptionName } from '../../../shared/model/caption-name.ts';
import { imageSize } from '../../../shared/model/image-size.ts';
import { type CheckedCaptions, checkCaptions, shownFacts } from '../common/check-captions.ts';
import type { Files } from '../ports/files.ts';
import { filledFrom } from '../ports/filled-from.ts';
import { shownName } from '../ports/system/byte-paths.ts';

/** Pictures with more pixels are not shown as thumbnails either. */
const MAX_PICTURE_PIXELS = 25_000_000;
/** The number of bytes that contain the size of a picture: it precedes the pixels, but a camera may store a preview before it. */
const PICTURE_HEAD_BYTES = 512 * 1024;

/**
 * Reads captions of this computer. `chosen`: the encoding that the user chose; null: detected. Throws `file.empty`, `captions.…` and
 * the errors of reading the file.
 */
export async function captionsOf(
  files: Files,
  path: string,
  chosen: CaptionsEncoding | null,
): Promise<CheckedCaptions> {
  const bytes = await readAll(files, path, MAX_CAPTIONS_BYTES + 1);
  if (bytes.length === 0) throw appError('file.empty', { details: { path } });
  return checkCaptions(bytes, chosen);
}

/** Returns the facts of captions of this computer. Throws the errors of `captionsOf`. */
export async function captionsFacts(
  files: Files,
  path: string,
  chosen: CaptionsEncoding | null,
): Promise<CaptionsFacts> {
  const { read } = await captionsOf(files, path, chosen);
  return { ...shownFacts(read), ...readCaptionName(shownName(basename(path))) };
}

/** Reads the facts of a picture of this computer. Throws `thumbnail.not-a-picture` and the errors of reading the file. */
export async function pictureFacts(files: Files, path: string) {
  const { sizeBytes } = await files.facts(path);
  const facts = pictureHeader(await readAll(files, path, PICTURE_HEAD_BYTES));
  return { ...facts, sizeBytes };
}

/** Reads the header of a picture from its first bytes. Throws `thumbnail.not-a-picture`. */
export function pictureHeader(bytes: Uint8Array) {
  const size = imageSize(bytes);
  if (size === null) throw appError('thumbnail.not-a-picture');
  return { contentType: `image/${size.kind}`, width: size.width, height: size.height } as const;
}

/** Returns the facts of a picture that can be a thumbnail. Throws `thumbnail.too-large`. */
export function fitting<T extends { width: number; height: number }>(facts: T, sizeBytes: number): T {
  const { width, height } = facts;
  if (width * height <= MAX_PICTURE_PIXELS && sizeBytes <= MAX_PICTURE_BYTES) return facts;
  throw appError('thumbnail.too-large', { details: { width, height, sizeBytes } });
}

async function readAll(files: Files, path: string, maxBytes: number): Promise<Uint8Array> {
  const file = await files.open(path);
  try {
    const { sizeBytes } = await file.facts();
    return await filledFrom(file, new Uint8Array(Math.min(sizeBytes, maxBytes)), 0);
  } finally {
    await file.close();
  }
}
