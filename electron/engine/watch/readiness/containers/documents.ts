import type { BoundedBytes } from '../../../../../shared/formats/bytes/bounded-bytes.ts';
import type { ContainerVerdict } from '../observations.ts';
import { COMPLETE, END_MISSING, UNKNOWN } from './verdicts.ts';

/** Checks PDF: `%%EOF` is near the end. Some programs write a few bytes after it. */
export async function checkPdf(file: BoundedBytes): Promise<ContainerVerdict> {
  const tail = await file.readEnd(2048);
  return tail.lastIndexOf([0x25, 0x25, 0x45, 0x4f, 0x46]) < 0 ? END_MISSING : COMPLETE;
}

const END_OF_DIRECTORY = [0x50, 0x4b, 5, 6];
const END_BYTES = 22;

/** Checks ZIP and the documents that are made of it (DOCX, PPTX, ODP, EPUB): the directory is at the end. */
export async function checkZip(file: BoundedBytes): Promise<ContainerVerdict> {
  // Without a comment the record is at the very end; with one it is at most 64 KiB before.
  for (const length of [END_BYTES, END_BYTES + 0xffff]) {
    const tail = await file.readEnd(length);
    const at = tail.lastIndexOf(END_OF_DIRECTORY);
    if (at < 0) continue;
    const commentLength = tail.byte(at + 20) + 256 * tail.byte(at + 21);
    const left = tail.length - at - END_BYTES;
    if (left < commentLength) return END_MISSING;
    const directoryEnd = tail.uint32(at + 12, true) + tail.uint32(at + 16, true);
    const isLong = tail.uint32(at + 16, true) === 0xffff_ffff;
    if (!isLong && directoryEnd > file.sizeBytes - tail.length + at) return UNKNOWN;
    return left === commentLength ? COMPLETE : UNKNOWN;
  }
  return END_MISSING;
}
