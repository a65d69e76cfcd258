/** The size of a picture in pixels, and its kind. */
export interface ImageSize {
  kind: 'png' | 'jpeg';
  width: number;
  height: number;
}

const PNG_MARK = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/**
 * Reads the size of a PNG or JPEG picture from its beginning, without decoding it, so that a picture of 100 megapixels takes no
 * longer than a small one. null for other data, or when the size is not within `bytes`.
 */
export function imageSize(bytes: Uint8Array): ImageSize | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = PNG_MARK.every((byte, index) => bytes[index] === byte) ? pngSize(view) : jpegSize(view);
  return size !== null && size.width > 0 && size.height > 0 ? size : null;
}

/** The header chunk is the first one: its length, its name, then width and height. */
function pngSize(view: DataView): ImageSize | null {
  const IHDR = 0x49484452;
  if (view.byteLength < 24 || view.getUint32(12) !== IHDR) return null;
  return { kind: 'png', width: view.getUint32(16), height: view.getUint32(20) };
}

/** Walks the segments to the frame header. */
function jpegSize(view: DataView): ImageSize | null {
  if (view.byteLength < 4 || view.getUint16(0) !== 0xffd8) return null;
  let at = 2;
  while (at + 9 <= view.byteLength) {
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      // A fill byte before the marker.
      at += 1;
      continue;
    }
    if (isFrameHeader(marker)) return { kind: 'jpeg', height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    const length = view.getUint16(at + 2);
    // The scan begins without a frame header before it, or the segment is damaged.
    if (marker === 0xda || length < 2) return null;
    at += 2 + length;
  }
  return null;
}

/** Returns whether a marker is SOF0 to SOF15, without the tables and the restart interval between them. */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}
