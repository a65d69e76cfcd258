import type { BoundedBytes } from '../../../../../shared/formats/bytes/bounded-bytes.ts';
import { pngEnd } from '../../../../../shared/formats/images/png-end.ts';
import type { ContainerVerdict } from '../observations.ts';
import { COMPLETE, END_MISSING, UNKNOWN } from './verdicts.ts';

const END_OF_IMAGE = [0xff, 0xd9];
const TAIL_BYTES = 64 * 1024;

/** Checks JPEG: it ends with the end mark. Phones append more after it; then nothing shows whether that is complete. */
export async function checkJpeg(file: BoundedBytes): Promise<ContainerVerdict> {
  const end = await file.readEnd(2);
  if (end.hasAt(0, END_OF_IMAGE)) return COMPLETE;
  // The embedded preview of a JPEG has an end mark too, so an end mark before the end of the file proves nothing.
  const tail = await file.readEnd(TAIL_BYTES);
  return tail.lastIndexOf(END_OF_IMAGE) < 0 ? END_MISSING : UNKNOWN;
}

/** Checks PNG: it ends with the chunk `IEND`. */
export async function checkPng(file: BoundedBytes): Promise<ContainerVerdict> {
  const end = await pngEnd(file);
  return end === 'missing' ? END_MISSING : end === 'at-end' ? COMPLETE : UNKNOWN;
}
