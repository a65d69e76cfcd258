import { type ImageHeader, imageHeaderIn } from '../formats/images/image-header.ts';

/** The size of a picture in pixels, and its kind. */
export type ImageSize = ImageHeader & { kind: 'png' | 'jpeg' };

/** Reads the size of a PNG or JPEG picture from its beginning. null for other data, or when the size is not within `bytes`. */
export function imageSize(bytes: Uint8Array): ImageSize | null {
  const header = imageHeaderIn(bytes);
  return header?.kind === 'png' || header?.kind === 'jpeg' ? { ...header, kind: header.kind } : null;
}
