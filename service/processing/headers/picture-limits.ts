/** Maximum length of an edge of a picture: one row of pixels is held in memory several times. */
const MAX_EDGE_PX = 65_535;
/** Pixel limit for a picture that is read row by row, which takes little memory: 16,383 by 16,383. */
const MAX_PIXELS = 0x3fff * 0x3fff;

/** Returns whether a picture has more pixels than the service decodes or hands out, in the media and as a thumbnail. */
export function hasTooManyPixels(width: number, height: number): boolean {
  return Math.max(width, height) > MAX_EDGE_PX || width * height > MAX_PIXELS;
}
