import type { Bytes } from '../../../shared/formats/bytes/bounded-bytes.ts';
import type { ByteSource } from '../../../shared/formats/bytes/byte-source.ts';
import { readFrom } from '../../../shared/formats/bytes/reading.ts';
import { imageHeader } from '../../../shared/formats/images/image-header.ts';
import { pngEnd } from '../../../shared/formats/images/png-end.ts';
import {
  begins,
  hasPdfMark,
  PDF_MARK_WITHIN,
  type Signature,
  START_BYTES,
} from '../../../shared/formats/signatures.ts';
import { withByteSource } from './byte-source.ts';
import { BrokenFile, type Facts, facts } from './facts.ts';
import { readMp3 } from './mp3-header.ts';
import { readMp4 } from './mp4-header.ts';
import { readFlac, readWav } from './wav-header.ts';

/**
 * Identifies a file by its own headers, regardless of its name. Returns undefined for an unknown format. Throws `BrokenFile` when
 * the format is known but the file is incomplete.
 */
export function readHeader(path: string): Promise<Facts | undefined> {
  return withByteSource(path, identify);
}

export async function identify(source: ByteSource): Promise<Facts | undefined> {
  const head = await source.read(0, START_BYTES);
  if (head.length < 4) return undefined;
  if (begins(head, 'png')) return readPng(source);
  if (begins(head, 'jpeg')) return (await readPicture(source)) ?? broken('The JPEG file has no frame header.');
  if (isRiffOf(head, 'WAVE')) return readWav(source);
  if (begins(head, 'flac')) return readFlac(source);
  if (begins(head, 'iso-media')) return readMp4(source);
  if (hasPdfMark(await source.read(0, PDF_MARK_WITHIN))) return readPdf(source);
  return (await readPicture(source)) ?? (await byMagic(head, source)) ?? readMp3(source);
}

function isRiffOf(head: Bytes, type: string): boolean {
  return begins(head, 'riff') && head.text(8, 4) === type;
}

async function readPicture(source: ByteSource): Promise<Facts | undefined> {
  const header = await readFrom(source, imageHeader());
  if (header === null) return undefined;
  const { kind, width, height } = header;
  return width === 0 || height === 0 ? broken('The image has no area.') : facts(kind, 'image', { width, height });
}

async function readPng(source: ByteSource): Promise<Facts> {
  const found = (await readPicture(source)) ?? broken('The PNG file has no header.');
  return (await pngEnd(source)) === 'missing' ? broken('The PNG file was cut off.') : found;
}

function broken(reason: string): never {
  throw new BrokenFile(reason);
}

async function readPdf(source: ByteSource): Promise<Facts> {
  const tail = await source.read(Math.max(0, source.sizeBytes - 2048), 2048);
  return tail.text(0, tail.length).includes('%%EOF') ? facts('pdf', 'doc') : broken('The PDF has no end.');
}

/** Formats that are recognized but not parsed further, with their kinds. */
const BY_MAGIC: readonly (readonly [Signature, Facts['kind']])[] = [
  ['matroska', 'video'],
  ['flv', 'video'],
  ['asf', 'video'],
  ['mpeg', 'video'],
  ['mpegvideo', 'video'],
  ['mxf', 'video'],
  ['caf', 'audio'],
  ['tiff', 'image'],
];

async function byMagic(head: Bytes, source: ByteSource): Promise<Facts | undefined> {
  const found = BY_MAGIC.find(([signature]) => begins(head, signature));
  if (found) return facts(...found);
  if (begins(head, 'ogg')) return facts('ogg', head.text(0, head.length).includes('theora') ? 'video' : 'audio');
  if (isRiffOf(head, 'AVI ')) return facts('avi', 'video');
  if (isRiffOf(head, 'AIFF') || isRiffOf(head, 'AIFC')) return facts('aiff', 'audio');
  if (await isTransportStream(source)) return facts('mpegts', 'video');
  return (await isAdts(head, source)) ? facts('aac', 'audio') : undefined;
}

const PACKET_BYTES = 188;
const PACKETS = 5;

/** MPEG-TS: each of the first packets begins with the sync byte. */
async function isTransportStream(source: ByteSource): Promise<boolean> {
  const bytes = await source.read(0, PACKET_BYTES * PACKETS);
  if (bytes.length < 2 * PACKET_BYTES) return false;
  for (let at = 0; at < bytes.length; at += PACKET_BYTES) if (bytes.byte(at) !== 0x47) return false;
  return true;
}

/** Returns whether the bytes are AAC in ADTS: the first frame fits into the file, and another one follows it. */
async function isAdts(head: Bytes, source: ByteSource): Promise<boolean> {
  const isFrame = (bytes: Bytes) => bytes.byte(0) === 0xff && (bytes.byte(1) & 0xf6) === 0xf0;
  if (head.length < 7 || !isFrame(head)) return false;
  const length = (head.uint32(3) >>> 13) & 0x1fff;
  return length >= 7 && (length === source.sizeBytes || isFrame(await source.read(length, 2)));
}
