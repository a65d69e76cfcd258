import type { Bytes } from '../bytes/bounded-bytes.ts';
import type { ByteSource } from '../bytes/byte-source.ts';
import { begins } from '../signatures.ts';
import { MOST_VALUE } from './cut-source.ts';
import type { MediaCut } from './media-cut.ts';

// TIFF and camera formats that are built like it: directories of values anywhere in the file, and values anywhere else. The parser
// gets a small TIFF that has the wanted values only.

const EXIF = 0x8769;
const XMP = 0x02bc;
const IPTC = 0x83bb;
const OTHER_THAN_TEXT: ReadonlySet<number> = new Set([XMP, IPTC, EXIF]);
/** Description, maker, model, time, artist, XMP, copyright and IPTC; and the directory of the camera. */
const IMAGE_TAGS: ReadonlySet<number> = new Set([
  ...[0x010e, 0x010f, 0x0110, 0x0132, 0x013b, 0x8298],
  ...OTHER_THAN_TEXT,
]);
/** When the picture was taken and digitized, with the offsets of their zones. */
const CAMERA_TAGS: ReadonlySet<number> = new Set([0x9003, 0x9004, 0x9010, 0x9011, 0x9012]);

/** Bytes of one value, by its type. */
const VALUE_BYTES: Readonly<Record<number, number>> = {
  1: 1,
  2: 1,
  3: 2,
  4: 4,
  5: 8,
  6: 1,
  7: 1,
  8: 2,
  9: 4,
  10: 8,
  11: 4,
  12: 8,
};
const BYTE = 1;
const ASCII = 2;
const LONG = 4;
const HEADER_BYTES = 8;
const ENTRY_BYTES = 12;
/** The maximum number of entries of a directory that are visited. */
const MOST_ENTRIES = 1000;
/** The maximum number of bytes of an XMP packet, and of a list of IPTC values. */
const MOST_XMP = 256 * 1024;
const MOST_IPTC = 64 * 1024;

/** What describes a picture, wherever its format has it. */
export interface PictureParts {
  /** EXIF data: a TIFF. */
  exif?: ByteSource;
  /** An XMP packet, and IPTC values, beside the EXIF data. */
  xmp?: Uint8Array;
  iptc?: Uint8Array;
}

/** Cuts a picture: the values of its first directory. Returns null without any. */
export async function cutPicture({ exif, xmp, iptc }: PictureParts): Promise<MediaCut | null> {
  const found = exif === undefined ? null : await directoriesIn(exif);
  const image = new Map((found?.image ?? []).map((entry) => [entry.tag, entry]));
  for (const [tag, value] of [
    [XMP, xmp],
    [IPTC, iptc],
  ] as const)
    if (value !== undefined && value.length > 0 && value.length <= mostBytes(tag))
      image.set(tag, { tag, type: BYTE, count: value.length, value });
  const entries = [...image.values()].sort((a, b) => a.tag - b.tag);
  if (entries.length === 0) return null;
  const bytes = tiffOf(entries, found?.camera ?? [], found?.isLittle ?? false);
  return { reader: 'picture', type: 'image/tiff', bytes };
}

/** Reads the wanted values of the first picture of a TIFF. Returns null without a directory. */
async function directoriesIn(file: ByteSource): Promise<{ image: Entry[]; camera: Entry[]; isLittle: boolean } | null> {
  const start = await file.read(0, HEADER_BYTES);
  if (!begins(start, 'tiff')) return null;
  const isLittle = start.text(0, 2) === 'II';
  const image = await directoryAt(file, start.uint32(4, isLittle), IMAGE_TAGS, isLittle);
  if (image === null) return null;
  const pointer = image.find(({ tag }) => tag === EXIF);
  const camera =
    pointer === undefined ? null : await directoryAt(file, numberIn(pointer.value, isLittle), CAMERA_TAGS, isLittle);
  return { image, camera: camera ?? [], isLittle };
}

/** One entry of a directory with its values, wherever the file stores them. */
interface Entry {
  tag: number;
  type: number;
  count: number;
  value: Uint8Array;
}

/** Reads the wanted entries of a directory, each tag once; null when there is no directory. */
async function directoryAt(
  file: ByteSource,
  at: number,
  wanted: ReadonlySet<number>,
  isLittle: boolean,
): Promise<Entry[] | null> {
  if (!(at >= HEADER_BYTES && at < file.sizeBytes)) return null;
  const count = (await file.read(at, 2)).uint16(0, isLittle);
  if (!(count > 0)) return null;
  const bytes = await file.read(at + 2, Math.min(count, MOST_ENTRIES) * ENTRY_BYTES);
  const entries = new Map<number, Entry>();
  for (let place = 0; place + ENTRY_BYTES <= bytes.length; place += ENTRY_BYTES) {
    const tag = bytes.uint16(place, isLittle);
    if (!wanted.has(tag) || entries.has(tag)) continue;
    const entry = await entryAt(file, bytes, place, isLittle);
    if (entry !== null) entries.set(tag, entry);
  }
  return [...entries.values()].sort((a, b) => a.tag - b.tag);
}

/** Reads an entry with its values; null when they are not in the file, or too long. */
async function entryAt(file: ByteSource, bytes: Bytes, place: number, isLittle: boolean): Promise<Entry | null> {
  const type = bytes.uint16(place + 2, isLittle);
  const count = bytes.uint32(place + 4, isLittle);
  const length = (VALUE_BYTES[type] ?? Number.NaN) * count;
  const tag = bytes.uint16(place, isLittle);
  // A text that is stored as numbers would be shown as these numbers.
  if (!(length > 0 && length <= mostBytes(tag)) || (type !== ASCII && !OTHER_THAN_TEXT.has(tag))) return null;
  const head = { tag, type, count };
  // Short values are in the entry itself.
  if (length <= 4) return { ...head, value: bytes.data.subarray(place + 8, place + 8 + length) };
  const at = bytes.uint32(place + 8, isLittle);
  if (at + length > file.sizeBytes) return null;
  return { ...head, value: (await file.read(at, length)).data };
}

/** Returns the maximum number of bytes of the value of an entry. */
function mostBytes(tag: number): number {
  return tag === XMP ? MOST_XMP : tag === IPTC ? MOST_IPTC : MOST_VALUE;
}

function numberIn(value: Uint8Array, isLittle: boolean): number {
  if (value.length < 4) return Number.NaN;
  return new DataView(value.buffer, value.byteOffset, 4).getUint32(0, isLittle);
}

/** Composes a TIFF of two directories, with the values of each behind it. */
function tiffOf(image: readonly Entry[], camera: readonly Entry[], isLittle: boolean): Uint8Array {
  const cameraAt = HEADER_BYTES + lengthOf(image);
  const bytes = new Uint8Array(cameraAt + lengthOf(camera));
  const view = new DataView(bytes.buffer);
  view.setUint16(0, isLittle ? 0x4949 : 0x4d4d);
  view.setUint16(2, 42, isLittle);
  view.setUint32(4, HEADER_BYTES, isLittle);
  const write = (entries: readonly Entry[], at: number) => {
    view.setUint16(at, entries.length, isLittle);
    let valueAt = at + tableLength(entries);
    for (const [index, { tag, type, count, value }] of entries.entries()) {
      const place = at + 2 + index * ENTRY_BYTES;
      view.setUint16(place, tag, isLittle);
      view.setUint16(place + 2, type, isLittle);
      view.setUint32(place + 4, count, isLittle);
      if (value.length <= 4) bytes.set(value, place + 8);
      else {
        view.setUint32(place + 8, valueAt, isLittle);
        bytes.set(value, valueAt);
        valueAt += evenLength(value);
      }
    }
  };
  const pointer = new Uint8Array(4);
  new DataView(pointer.buffer).setUint32(0, cameraAt, isLittle);
  write(
    image.map((entry) => (entry.tag === EXIF ? { ...entry, type: LONG, count: 1, value: pointer } : entry)),
    HEADER_BYTES,
  );
  write(camera, cameraAt);
  return bytes;
}

/** Returns the number of bytes of a directory with its values. */
function lengthOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, { value }) => sum + (value.length <= 4 ? 0 : evenLength(value)), tableLength(entries));
}

/**
 * Returns the number of bytes of a directory without its values: a count, the entries, and the position of the next directory
 * (0).
 */
function tableLength(entries: readonly Entry[]): number {
  return 2 + entries.length * ENTRY_BYTES + 4;
}

/** Returns a length rounded up to an even number, because values begin at even positions. */
function evenLength({ length }: Uint8Array): number {
  return length + (length % 2);
}
