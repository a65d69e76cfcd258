import { readIn } from '../../../../shared/formats/bytes/reading.ts';
import { imageHeader } from '../../../../shared/formats/images/image-header.ts';

/** The properties in the first bytes of a picture. */
export interface ImageHeader {
  contentType: string;
  /** Pixels. */
  width: number;
  height: number;
}

/**
 * Reads type and size of a PNG, JPEG, GIF or WebP from its own bytes, never from its name or the server. Returns null for
 * everything else, such as SVG, and for a picture without a size.
 */
export function readImageHeader(bytes: Uint8Array): ImageHeader | null {
  const header = readIn(bytes, imageHeader());
  if (header === null || header.kind === 'bmp' || header.width === 0 || header.height === 0) return null;
  return { contentType: `image/${header.kind}`, width: header.width, height: header.height };
}
