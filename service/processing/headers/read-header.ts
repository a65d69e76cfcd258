import { type ByteSource, withByteSource } from './byte-source.ts';
import { BrokenFile, type Facts, facts } from './facts.ts';
import { readJpeg, readPng, readSmallImage } from './image-header.ts';
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

const ASCII = (head: Buffer, from: number, to: number) => head.toString('latin1', from, to);

export async function identify(source: ByteSource): Promise<Facts | undefined> {
  const head = await source.read(0, 64);
  if (head.length < 4) return undefined;
  if (ASCII(head, 0, 8) === '\x89PNG\r\n\x1a\n') return readPng(source);
  if (head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff) return readJpeg(source);
  if (/^(RIFF|RF64)$/.test(ASCII(head, 0, 4)) && ASCII(head, 8, 12) === 'WAVE') return readWav(source);
  if (ASCII(head, 0, 4) === 'fLaC') return readFlac(source);
  if (/^(ftyp|moov|mdat|wide|free|skip)$/.test(ASCII(head, 4, 8))) return readMp4(source);
  if ((await source.read(0, 1024)).includes('%PDF-')) return readPdf(source);
  return readSmallImage(head) ?? (await byMagic(head, source)) ?? readMp3(source);
}

async function readPdf(source: ByteSource): Promise<Facts> {
  const tail = await source.read(Math.max(0, source.sizeBytes - 2048), 2048);
  if (!tail.includes('%%EOF')) throw new BrokenFile('The PDF has no end.');
  return facts('pdf', 'doc');
}

/** Returns the facts of formats that are recognized but not parsed further. */
async function byMagic(head: Buffer, source: ByteSource): Promise<Facts | undefined> {
  if (head.readUInt32BE(0) === 0x1a45dfa3) return facts('matroska', 'video');
  if (ASCII(head, 0, 4) === 'OggS') return head.includes('theora') ? facts('ogg', 'video') : facts('ogg', 'audio');
  if (ASCII(head, 0, 4) === 'RIFF' && ASCII(head, 8, 12) === 'AVI ') return facts('avi', 'video');
  if (ASCII(head, 0, 3) === 'FLV') return facts('flv', 'video');
  if (head.readUInt32BE(0) === 0x3026b275) return facts('asf', 'video');
  if (head.readUInt32BE(0) === 0x000001ba) return facts('mpeg', 'video');
  if (head.readUInt32BE(0) === 0x000001b3) return facts('mpegvideo', 'video');
  if (await isTransportStream(source)) return facts('mpegts', 'video');
  if (head.readUInt32BE(0) === 0x060e2b34) return facts('mxf', 'video');
  if (await isAdts(head, source)) return facts('aac', 'audio');
  if (ASCII(head, 0, 4) === 'caff') return facts('caf', 'audio');
  if (ASCII(head, 0, 4) === 'FORM' && /^AIF[FC]$/.test(ASCII(head, 8, 12))) return facts('aiff', 'audio');
  if (/^(II\*\0|MM\0\*)$/.test(ASCII(head, 0, 4))) return facts('tiff', 'image');
  return undefined;
}

const PACKET_BYTES = 188;
const PACKETS = 5;

/** MPEG-TS: each of the first packets begins with the sync byte. */
async function isTransportStream(source: ByteSource): Promise<boolean> {
  const bytes = await source.read(0, PACKET_BYTES * PACKETS);
  if (bytes.length < 2 * PACKET_BYTES) return false;
  for (let at = 0; at < bytes.length; at += PACKET_BYTES) if (bytes[at] !== 0x47) return false;
  return true;
}

/** Returns whether the bytes are AAC in ADTS: the first frame fits into the file, and another one follows it. */
async function isAdts(head: Buffer, source: ByteSource): Promise<boolean> {
  const begins = (bytes: Buffer) => bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xf6) === 0xf0;
  if (head.length < 7 || !begins(head)) return false;
  const length = (head.readUIntBE(3, 3) >>> 5) & 0x1fff;
  return length >= 7 && (length === source.sizeBytes || begins(await source.read(length, 2)));
}
