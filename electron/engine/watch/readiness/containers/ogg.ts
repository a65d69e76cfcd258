import type { ContainerVerdict } from '../observations.ts';
import type { BoundedBytes } from './bounded-bytes.ts';
import { COMPLETE, END_MISSING, NOT_CLOSED, TOO_SHORT, UNKNOWN } from './verdicts.ts';
import { hasZeroTail } from './zero-tail.ts';

const PAGE = [0x4f, 0x67, 0x67, 0x53, 0];
const MOST_PAGE_BYTES = 65_307;
const END_OF_STREAM = 4;

/** Checks Ogg (Vorbis, Opus, FLAC, Speex): the last page is complete and is marked as the end of its stream. */
export async function checkOgg(file: BoundedBytes): Promise<ContainerVerdict> {
  const tail = await file.readEnd(MOST_PAGE_BYTES);
  const at = tail.lastIndexOf(PAGE);
  if (at < 0) return tail.isZero() ? NOT_CLOSED : UNKNOWN;
  const segments = tail.byte(at + 26);
  let end = at + 27 + segments;
  for (let index = 0; index < segments; index += 1) end += tail.byte(at + 27 + index);
  if (Number.isNaN(end) || end > tail.length) return TOO_SHORT;
  if (end < tail.length) return (await hasZeroTail(file)) ? NOT_CLOSED : UNKNOWN;
  return tail.byte(at + 5) & END_OF_STREAM ? COMPLETE : END_MISSING;
}
