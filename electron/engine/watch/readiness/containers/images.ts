import type { ContainerVerdict } from '../observations.ts';
import type { BoundedBytes } from './bounded-bytes.ts';
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

const PNG_END = [0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82];

/** Checks PNG: it ends with the chunk `IEND`. */
export async function checkPng(file: BoundedBytes): Promise<ContainerVerdict> {
  const tail = await file.readEnd(TAIL_BYTES);
  const at = tail.lastIndexOf(PNG_END);
  if (at < 0) return END_MISSING;
  return at + PNG_END.length === tail.length ? COMPLETE : UNKNOWN;
}
