import type { Bytes } from '../bytes/bounded-bytes.ts';
import { type BlockReader, type ByteSource, partOf } from '../bytes/byte-source.ts';
import { chunksIn } from '../containers/riff-chunks.ts';
import { jpegSegment } from '../images/jpeg-segment.ts';
import type { ValueBudget } from './cut-source.ts';
import { cutPicture, type PictureParts } from './cut-tiff.ts';
import type { MediaCut } from './media-cut.ts';

// JPEG, PNG and WebP: the segments or chunks beside the picture that describe it, before or after it.

/** The maximum number of bytes of an XMP packet. */
const MOST_XMP = 256 * 1024;

const EXIF_SEGMENT = 'Exif\0\0';
const XMP_SEGMENT = 'http://ns.adobe.com/xap/1.0/\0';
const PHOTOSHOP_SEGMENT = 'Photoshop 3.0\0';
/** The number of bytes that tell the kind of a segment. */
const KIND_BYTES = 32;

/** Cuts a JPEG file: the segments before the picture. Returns null without any. */
export async function cutJpeg(file: ByteSource, budget: ValueBudget): Promise<MediaCut | null> {
  const parts: PictureParts = {};
  for (let at = 2; at + 4 <= file.sizeBytes; ) {
    const segment = jpegSegment(await file.read(at, 4));
    if (segment === null) break;
    budget.count();
    const end = at + segment.length;
    if (segment.marker === 0xe1 || segment.marker === 0xed) await takeSegment(file, at + 4, end, parts);
    at = end;
  }
  return cutPicture(parts);
}

async function takeSegment(file: ByteSource, from: number, end: number, parts: PictureParts): Promise<void> {
  const kind = (await file.read(from, KIND_BYTES)).text(0, KIND_BYTES);
  const rest = async (name: string) => (await file.read(from + name.length, end - from - name.length)).data;
  if (kind.startsWith(EXIF_SEGMENT)) parts.exif ??= partOf(file, from + EXIF_SEGMENT.length, end);
  else if (kind.startsWith(XMP_SEGMENT)) parts.xmp ??= await rest(XMP_SEGMENT);
  else if (kind.startsWith(PHOTOSHOP_SEGMENT)) {
    const iptc = await iptcIn(partOf(file, from + PHOTOSHOP_SEGMENT.length, end));
    if (iptc !== null) parts.iptc ??= iptc;
  }
}

/** Returns the IPTC values among the resources of Photoshop: a signature, a number, a name, a size, and bytes. */
async function iptcIn(resources: ByteSource): Promise<Uint8Array | null> {
  for (let at = 0; at + 12 <= resources.sizeBytes; ) {
    const header = await resources.read(at, 8);
    if (header.text(0, 4) !== '8BIM') return null;
    const nameBytes = 1 + header.byte(6);
    const sizeAt = at + 6 + nameBytes + (nameBytes % 2);
    const size = (await resources.read(sizeAt, 4)).uint32(0);
    if (header.uint16(4) === 0x0404) return (await resources.read(sizeAt + 4, size)).data;
    at = sizeAt + 4 + size + (size % 2);
  }
  return null;
}

/** Expands bytes that zlib has compressed. Throws when they are damaged, or would have more than `mostBytes`. */
export type Inflate = (data: Uint8Array, mostBytes: number) => Uint8Array;

const PNG_START_BYTES = 8;
/** XMP belongs into an international text, but libvips, for example, writes a compressed one. */
const TEXTS: ReadonlySet<string> = new Set(['iTXt', 'zTXt', 'tEXt']);
const PNG_XMP = 'XML:com.adobe.xmp\0';
/** The maximum number of chunks with the picture that are passed in the search for texts after them. */
const MOST_PICTURE_CHUNKS = 1000;

/** Cuts a PNG file: its EXIF data and XMP. Returns null without any. */
export async function cutPng(file: BlockReader, budget: ValueBudget, inflate: Inflate): Promise<MediaCut | null> {
  const parts: PictureParts = {};
  let passed = 0;
  for (let at = PNG_START_BYTES; at + 12 <= file.sizeBytes && passed < MOST_PICTURE_CHUNKS; ) {
    const header = await (passed === 0 ? file : file.file).read(at, 8);
    const [size, type] = [header.uint32(0), header.text(4, 4)];
    if (type === 'IEND') break;
    if (type === 'IDAT') passed += 1;
    else budget.count();
    const from = at + 8;
    if (type === 'eXIf') parts.exif ??= partOf(file, from, from + size);
    if (parts.xmp === undefined && TEXTS.has(type) && size <= MOST_XMP && (await isXmpText(file, from)))
      parts.xmp = textIn(type, await file.read(from, size), inflate);
    at += 12 + size;
  }
  return cutPicture(parts);
}

async function isXmpText(file: ByteSource, at: number): Promise<boolean> {
  return (await file.read(at, PNG_XMP.length)).text(0, PNG_XMP.length) === PNG_XMP;
}

/** Returns the text of a chunk; nothing of a damaged or too large one. */
function textIn(type: string, { data }: Bytes, inflate: Inflate): Uint8Array {
  const head = PNG_XMP.length;
  if (type === 'tEXt') return data.subarray(head);
  // One byte for the method.
  if (type === 'zTXt') return expanded(data.subarray(head + 1), inflate);
  // A language and a translated keyword follow the two bytes for the compression.
  const text = data.subarray(data.indexOf(0, data.indexOf(0, head + 2) + 1) + 1);
  return data[head] === 1 ? expanded(text, inflate) : text;
}

function expanded(text: Uint8Array, inflate: Inflate): Uint8Array {
  try {
    return inflate(text, MOST_XMP);
  } catch {
    return new Uint8Array(0);
  }
}

const WEBP = { isLittle: true, dataSize: null };

/** Cuts a WebP file: its EXIF data and XMP. Returns null without any. */
export async function cutWebp(file: ByteSource, budget: ValueBudget): Promise<MediaCut | null> {
  const parts: PictureParts = {};
  for await (const { type, from, size } of chunksIn(file, WEBP, 12, file.sizeBytes)) {
    budget.count();
    if (type === 'EXIF') {
      // Some programs write the beginning of the JPEG segment, too.
      const isSegment = (await file.read(from, 6)).text(0, 6) === EXIF_SEGMENT;
      parts.exif ??= partOf(file, from + (isSegment ? EXIF_SEGMENT.length : 0), from + size);
    } else if (type === 'XMP ' && size <= MOST_XMP) parts.xmp ??= (await file.read(from, size)).data;
  }
  return cutPicture(parts);
}
