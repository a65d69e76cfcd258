import { imageHeaderIn } from '../../../../shared/formats/images/image-header.ts';

/**
 * Reads type and size (pixels) of a PNG, JPEG, GIF or WebP from its own bytes, never from its name or the server. Returns null for
 * everything else, such as SVG, and for a picture without a size.
 */
export function readImageHeader(bytes: Uint8Array): { contentType: string; width: number; height: number } | null {
  const header = imageHeaderIn(bytes);
  if (header === null || header.kind === 'bmp') return null;
  return { contentType: `image/${header.kind}`, width: header.width, height: header.height };
}
