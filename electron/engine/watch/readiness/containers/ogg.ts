import type { BoundedBytes } from '../../../../../shared/formats/bytes/bounded-bytes.ts';
import { oggPage, PAGE_START } from '../../../../../shared/formats/containers/ogg-page.ts';
import type { ContainerVerdict } from '../observations.ts';
import { COMPLETE, END_MISSING, NOT_CLOSED, TOO_SHORT, UNKNOWN } from './verdicts.ts';
import { hasZeroTail } from './zero-tail.ts';

const MOST_PAGE_BYTES = 65_307;

/** Checks Ogg (Vorbis, Opus, FLAC, Speex): the last page is complete and is marked as the end of its stream. */
export async function checkOgg(file: BoundedBytes): Promise<ContainerVerdict> {
  const tail = await file.readEnd(MOST_PAGE_BYTES);
  const at = tail.lastIndexOf(PAGE_START);
  const page = oggPage(tail, at);
  if (page === null) return tail.isZero() ? NOT_CLOSED : UNKNOWN;
  const end = at + page.end;
  if (Number.isNaN(end) || end > tail.length) return TOO_SHORT;
  if (end < tail.length) return (await hasZeroTail(file)) ? NOT_CLOSED : UNKNOWN;
  if (!page.isLast) return END_MISSING;
  if (hasChecksum(tail.data.subarray(at))) return COMPLETE;
  return tail.byte(tail.length - 1) === 0 ? NOT_CLOSED : UNKNOWN;
}

const CHECKSUM_AT = 22;
const CRC32 = Uint32Array.from({ length: 256 }, (_, index) => {
  let crc = index << 24;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000_0000 ? (crc << 1) ^ 0x04c1_1db7 : crc << 1;
  return crc >>> 0;
});

/** Returns whether the checksum of a page is right. It is that of the page with zero bytes in its place. */
function hasChecksum(page: Uint8Array): boolean {
  let crc = 0;
  let declared = 0;
  for (const [index, byte] of page.entries()) {
    const place = index - CHECKSUM_AT;
    const isPart = place >= 0 && place < 4;
    if (isPart) declared += byte * 256 ** place;
    crc = ((crc << 8) ^ (CRC32[(crc >>> 24) ^ (isPart ? 0 : byte)] ?? 0)) >>> 0;
  }
  return crc === declared;
}
