import type { BoundedBytes, Bytes } from '../bytes/bounded-bytes.ts';
import { BlockReader, type ByteSource } from '../bytes/byte-source.ts';
import { begins, type Signature, START_BYTES } from '../signatures.ts';
import { joined } from './bytes-out.ts';
import { cutHeif } from './cut-heif.ts';
import { cutId3 } from './cut-id3.ts';
import { cutIso } from './cut-iso.ts';
import { cutMatroska } from './cut-matroska.ts';
import { cutJpeg, cutPng, cutWebp, type Inflate } from './cut-picture.ts';
import { cutRiff } from './cut-riff.ts';
import { ValueBudget } from './cut-source.ts';
import { cutPicture } from './cut-tiff.ts';
import { cutFlac, cutOgg } from './cut-vorbis.ts';
import type { MediaCut } from './media-cut.ts';

// Tags are a small part of a recording. Only that part is read, and composed again as a small file of a known structure: the
// parser gets these bytes and their format, never the file, and never pictures.

const ID3V1_BYTES = 128;
/** Frames after the tag of an MP3 file, so that the parser finds the sound that it expects. */
const FRAME_BYTES = 16 * 1024;

/** Brands of pictures in the ISO format: HEIF and AVIF. */
const PICTURE_BRANDS: ReadonlySet<string> = new Set(['heic', 'heix', 'hevc', 'heim', 'heis', 'mif1', 'msf1', 'avif']);

type Cut = (file: BlockReader, budget: ValueBudget, start: Bytes, inflate: Inflate) => Promise<MediaCut | null>;

const CUTS: readonly (readonly [Signature, Cut])[] = [
  ['tiff', (file) => cutPicture({ exif: file })],
  ['iso-media', cutIsoMedia],
  [
    'riff',
    (file, budget, start) => (start.text(8, 4) === 'WEBP' ? cutWebp(file, budget) : cutRiff(file, start, budget)),
  ],
  ['matroska', cutMatroska],
  ['flac', cutFlac],
  ['ogg', cutOgg],
  ['jpeg', cutJpeg],
  ['png', (file, budget, _start, inflate) => cutPng(file, budget, inflate)],
  ['mp3', cutMp3],
];

/**
 * Reads the part of a file that can contain tags. Returns null for a format without tags. Throws `TooMuchToRead` beyond the limits
 * of `file` (`CUT_LIMITS`) and of the number of values, and the errors of reading.
 */
export async function cutMedia(file: BoundedBytes, inflate: Inflate): Promise<MediaCut | null> {
  const source = new BlockReader(file);
  const start = await source.read(0, START_BYTES);
  const cut = CUTS.find(([format]) => begins(start, format))?.[1];
  return cut === undefined ? null : cut(source, new ValueBudget(), start, inflate);
}

/** Cuts an MP3 file: the texts of the ID3v2 tag, some frames after it, and the ID3v1 tag at the end. */
async function cutMp3(file: ByteSource, budget: ValueBudget): Promise<MediaCut> {
  const id3 = await cutId3(file, 0, budget);
  const frames = await file.read(id3?.end ?? 0, FRAME_BYTES);
  const endBytes = Math.min(ID3V1_BYTES, Math.max(0, file.sizeBytes - (id3?.end ?? 0) - frames.length));
  const end = await file.read(file.sizeBytes - endBytes, endBytes);
  const parts = [...(id3 === null ? [] : [id3.tag]), frames.data, ...(end.text(0, 3) === 'TAG' ? [end.data] : [])];
  return { reader: 'sound', type: 'audio/mpeg', bytes: joined(parts) };
}

/** Cuts a recording, or a picture in the ISO format: HEIF and AVIF. */
async function cutIsoMedia(file: BlockReader, budget: ValueBudget, start: Bytes): Promise<MediaCut | null> {
  const brand = start.text(4, 4) === 'ftyp' ? start.text(8, 4) : 'qt  ';
  return PICTURE_BRANDS.has(brand) ? cutHeif(file, budget) : cutIso(file, brand, budget);
}
