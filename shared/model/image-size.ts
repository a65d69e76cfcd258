import { readIn } from '../formats/bytes/reading.ts';
import { imageHeader } from '../formats/images/image-header.ts';

/** The size of a picture in pixels, and its kind. */
export interface ImageSize {
  kind: 'png' | 'jpeg';
  width: number;
  height: number;
}

/** Reads the size of a PNG or JPEG picture from its beginning. null for other data, or when the size is not within `bytes`. */
export function imageSize(bytes: Uint8Array): ImageSize | null {
  const header = readIn(bytes, imageHeader());
  if (header === null || header.width === 0 || header.height === 0) return null;
  const { kind, width, height } = header;
  return kind === 'png' || kind === 'jpeg' ? { kind, width, height } : null;
}
