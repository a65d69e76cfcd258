import { splitFileName } from '../../../../../shared/model/title-template.ts';
import type { ContainerVerdict } from '../observations.ts';
import { BoundedBytes, type Bytes, type ReadAt, TooMuchToRead } from './bounded-bytes.ts';
import { checkPdf, checkZip } from './documents.ts';
import { checkFlac } from './flac.ts';
import { checkJpeg, checkPng } from './images.ts';
import { checkIsoMedia, ISO_MEDIA_STARTS } from './iso-media.ts';
import { checkMatroska } from './matroska.ts';
import { checkMp3, frameLength } from './mp3.ts';
import { checkMxf, MXF_START } from './mxf.ts';
import { checkOgg } from './ogg.ts';
import { checkRiff } from './riff.ts';
import { NOT_CLOSED, PART_MISSING, UNKNOWN } from './verdicts.ts';

/** The formats that are recognized by their first bytes. */
export type ContainerFormat =
  | 'iso-media'
  | 'riff'
  | 'matroska'
  | 'flac'
  | 'ogg'
  | 'mxf'
  | 'pdf'
  | 'zip'
  | 'jpeg'
  | 'png'
  | 'mp3';

interface Format {
  name: ContainerFormat;
  isOf(start: Bytes): boolean;
  check(file: BoundedBytes): Promise<ContainerVerdict>;
}

const startsWith =
  (...texts: string[]) =>
  (start: Bytes) =>
    texts.some((text) => start.text(0, text.length) === text);
const hasBytes =
  (...bytes: number[]) =>
  (start: Bytes) =>
    start.hasAt(0, bytes);

/** Formats by their first bytes, because names are wrong more often. */
const FORMATS: readonly Format[] = [
  { name: 'iso-media', isOf: (start) => ISO_MEDIA_STARTS.has(start.text(4, 4)), check: checkIsoMedia },
  { name: 'riff', isOf: startsWith('RIFF', 'RIFX', 'RF64', 'BW64', 'FORM'), check: checkRiff },
  { name: 'matroska', isOf: hasBytes(0x1a, 0x45, 0xdf, 0xa3), check: checkMatroska },
  { name: 'flac', isOf: startsWith('fLaC'), check: checkFlac },
  { name: 'ogg', isOf: startsWith('OggS'), check: checkOgg },
  { name: 'mxf', isOf: hasBytes(...MXF_START), check: checkMxf },
  { name: 'pdf', isOf: startsWith('%PDF-'), check: checkPdf },
  { name: 'zip', isOf: startsWith('PK\u0003\u0004'), check: checkZip },
  { name: 'jpeg', isOf: hasBytes(0xff, 0xd8, 0xff), check: checkJpeg },
  { name: 'png', isOf: hasBytes(0x89, 0x50, 0x4e, 0x47), check: checkPng },
  { name: 'mp3', isOf: (start) => startsWith('ID3')(start) || frameLength(start, 0) !== null, check: checkMp3 },
];

/** File name endings. A file with one of them must begin with the header of a format in `FORMATS`. */
const KNOWN_ENDINGS: ReadonlySet<string> = new Set([
  'mp4',
  'm4v',
  'm4a',
  'mov',
  '3gp',
  'wav',
  'avi',
  'aif',
  'aiff',
  'mkv',
  'mka',
  'webm',
  'flac',
  'ogg',
  'oga',
  'opus',
  'mxf',
  'pdf',
  'zip',
  'docx',
  'pptx',
  'xlsx',
  'odp',
  'odt',
  'jpg',
  'jpeg',
  'png',
  'mp3',
]);
/** The number of first bytes from which the format is recognized. */
export const START_BYTES = 64;
/** A shorter file can't have the header of any of these formats. */
const LEAST_BYTES = 12;

function formatOf(start: Bytes): Format | undefined {
  return FORMATS.find(({ isOf }) => isOf(start));
}

/** Returns the format of a file by its first bytes (`START_BYTES`); null for another one. */
export function containerFormatOf(start: Bytes): ContainerFormat | null {
  return formatOf(start)?.name ?? null;
}

/**
 * Checks whether the contents of a file are complete by the rules of its format. Reads at most `MOST_BYTES`, in at most
 * `MOST_READS` parts. `unknown` for other formats, and where the format does not show it. Rejects only when `readAt` does.
 */
export async function checkContainer(fileName: string, sizeBytes: number, readAt: ReadAt): Promise<ContainerVerdict> {
  const file = new BoundedBytes(sizeBytes, readAt);
  try {
    const start = await file.read(0, START_BYTES);
    const format = formatOf(start);
    if (format !== undefined) return await format.check(file);
    if (!KNOWN_ENDINGS.has(splitFileName(fileName).extension.toLowerCase())) return UNKNOWN;
    // The program has reserved space, and writes the header last.
    if (start.isZero()) return NOT_CLOSED;
    return sizeBytes < LEAST_BYTES ? PART_MISSING : UNKNOWN;
  } catch (error) {
    if (error instanceof TooMuchToRead) return UNKNOWN;
    throw error;
  }
}
