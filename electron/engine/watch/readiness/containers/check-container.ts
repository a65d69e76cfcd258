import { BoundedBytes, type ReadAt, TooMuchToRead } from '../../../../../shared/formats/bytes/bounded-bytes.ts';
import { begins, type Signature, START_BYTES } from '../../../../../shared/formats/signatures.ts';
import { splitFileName } from '../../../../../shared/model/title-template.ts';
import type { ContainerVerdict } from '../observations.ts';
import { checkPdf, checkZip } from './documents.ts';
import { checkFlac } from './flac.ts';
import { checkJpeg, checkPng } from './images.ts';
import { checkIsoMedia } from './iso-media.ts';
import { checkMatroska } from './matroska.ts';
import { checkMp3 } from './mp3.ts';
import { checkMxf } from './mxf.ts';
import { checkOgg } from './ogg.ts';
import { checkRiff } from './riff.ts';
import { NOT_CLOSED, PART_MISSING, UNKNOWN } from './verdicts.ts';

/** The checks of formats, in the order in which they are compared: by the first bytes, because names are wrong more often. */
const CHECKS: readonly (readonly [Signature, (file: BoundedBytes) => Promise<ContainerVerdict>])[] = [
  ['iso-media', checkIsoMedia],
  ['riff', checkRiff],
  ['matroska', checkMatroska],
  ['flac', checkFlac],
  ['ogg', checkOgg],
  ['mxf', checkMxf],
  ['pdf', checkPdf],
  ['zip', checkZip],
  ['jpeg', checkJpeg],
  ['png', checkPng],
  ['mp3', checkMp3],
];

/** File name endings. A file with one of them must begin with the header of a format in `CHECKS`. */
const KNOWN_ENDINGS: ReadonlySet<string> = new Set([
  ...['mp4', 'm4v', 'm4a', 'mov', '3gp', 'wav', 'avi', 'aif', 'aiff', 'mkv', 'mka', 'webm', 'flac', 'ogg', 'oga'],
  ...['opus', 'mxf', 'pdf', 'zip', 'docx', 'pptx', 'xlsx', 'odp', 'odt', 'jpg', 'jpeg', 'png', 'mp3'],
]);
/** A shorter file can't have the header of any of these formats. */
const LEAST_BYTES = 12;

/**
 * Checks whether the contents of a file are complete by the rules of its format. Reads at most `MOST_BYTES`, in at most
 * `MOST_READS` parts. `unknown` for other formats, and where the format does not show it. Rejects only when `readAt` does.
 */
export async function checkContainer(fileName: string, sizeBytes: number, readAt: ReadAt): Promise<ContainerVerdict> {
  const file = new BoundedBytes(sizeBytes, readAt);
  try {
    const start = await file.read(0, START_BYTES);
    const check = CHECKS.find(([format]) => begins(start, format))?.[1];
    if (check !== undefined) return await check(file);
    if (!KNOWN_ENDINGS.has(splitFileName(fileName).extension.toLowerCase())) return UNKNOWN;
    // The program has reserved space, and writes the header last.
    if (start.isZero()) return NOT_CLOSED;
    return sizeBytes < LEAST_BYTES ? PART_MISSING : UNKNOWN;
  } catch (error) {
    if (error instanceof TooMuchToRead) return UNKNOWN;
    throw error;
  }
}
