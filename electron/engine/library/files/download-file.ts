import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { appError } from '../../../../shared/contract/app-error.ts';
import { numberedName } from '../../../../shared/model/download-name.ts';
import type { FileMover } from '../../ports/file-mover.ts';
import type { PartFiles } from '../../ports/part-files.ts';
import { type ContentHead, isSameContent } from './content-head.ts';
import { type ContentRef, type ContentTools, type OpenContent, openContent } from './open-content.ts';

export interface DownloadRequest {
  ref: ContentRef;
  folder: string;
  /** The name in the folder; another name is chosen when a file has it. */
  name: string;
  /** The SHA-256 of the file in lower-case hex; null when it is unknown. */
  sha256: string | null;
  signal: AbortSignal;
  onProgress(doneBytes: number, totalBytes: number | null): void;
  /** The temporary file, as soon as its name is known. */
  onPart(path: string): void;
}

export interface DownloadTools extends ContentTools {
  parts: PartFiles;
  mover: Pick<FileMover, 'hash' | 'rename'>;
}

export interface Downloaded {
  path: string;
  sizeBytes: number;
  /** The SHA-256 with which the file was compared; null when none was known. */
  sha256: string | null;
}

const MAX_NAMES = 1000;

/**
 * Downloads a file to a folder: under a temporary name first, which an interrupted download continues, also in another process.
 * Only a complete file gets the final name. Throws the errors of `openContent`, `download.no-space`, `download.not-saved`,
 * `download.damaged`, or the reason of `signal`.
 */
export async function downloadFile(request: DownloadRequest, tools: DownloadTools): Promise<Downloaded> {
  const { ref, folder, name, signal, onProgress, onPart } = request;
  const first = await openContent(ref, { range: null, signal }, tools);
  const { head } = first;
  const part = join(folder, partName(ref, head));
  onPart(part);
  let content: OpenContent | null = first;
  try {
    const there = await usablePart(tools.parts, part, head);
    if (there > 0) {
      await first.close();
      content =
        there === head.totalBytes
          ? null
          : await openContent(ref, { range: { start: there, end: null }, signal }, tools);
      if (content !== null && !isSameContent(head, content.head)) throw appError('content.changed');
    }
    // A server without ranges begins at 0 again.
    const start = content === null ? there : content.head.start;
    const sizeBytes = await append(content, part, start, head, { parts: tools.parts, signal, onProgress });
    const sha256 = request.sha256 ?? head.sha256;
    if (sha256 !== null && (await tools.mover.hash(part, signal)) !== sha256) {
      await tools.parts.remove(part);
      throw appError('download.damaged', { details: { sizeBytes } });
    }
    return { path: await giveName(tools.mover, part, folder, name), sizeBytes, sha256 };
  } finally {
    await content?.close();
  }
}

/** Appends the content to the part. Returns the size of the complete file. */
async function append(
  content: OpenContent | null,
  part: string,
  start: number,
  { totalBytes }: ContentHead,
  { parts, signal, onProgress }: Pick<DownloadRequest, 'signal' | 'onProgress'> & { parts: PartFiles },
): Promise<number> {
  const file = await parts.open(part, start);
  let done = start;
  try {
    onProgress(done, totalBytes);
    for await (const chunk of content?.bytes ?? []) {
      signal.throwIfAborted();
      await file.write(chunk);
      done += chunk.length;
      onProgress(done, totalBytes);
    }
    await file.finish();
  } finally {
    await file.close();
  }
  if (totalBytes !== null && done !== totalBytes)
    throw appError('content.interrupted', { details: { position: done } });
  return done;
}

/**
 * Returns the number of bytes of a part that belong to this content. 0 when the server sends no validator or no size: then this
 * can't be checked.
 */
async function usablePart(parts: PartFiles, path: string, head: ContentHead): Promise<number> {
  const there = await parts.sizeOf(path);
  const isKnown = head.etag !== null || head.lastModified !== null;
  return isKnown && head.totalBytes !== null && there <= head.totalBytes ? there : 0;
}

/** Returns the same name for the same version of the same file, so that a later download finds it. */
function partName({ client, mediaId, fileId }: ContentRef, { etag, lastModified, totalBytes }: ContentHead): string {
  const identity = JSON.stringify([client.baseUrl, mediaId, fileId, etag, lastModified, totalBytes]);
  return `.${createHash('sha256').update(identity).digest('hex').slice(0, 24)}.mediadesk-part`;
}

/** Moves the complete part to its name, or to the next free name. Replaces no file. */
async function giveName(mover: Pick<FileMover, 'rename'>, part: string, folder: string, name: string): Promise<string> {
  for (let number = 1; number <= MAX_NAMES; number += 1) {
    const path = join(folder, numberedName(name, number));
    if ((await mover.rename(part, path)) === 'done') return path;
  }
  throw appError('download.not-saved', { details: { folder, reason: 'no free name' } });
}
