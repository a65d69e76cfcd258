import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { appError } from '../../../../shared/contract/app-error.ts';
import { numberedName } from '../../../../shared/model/download-name.ts';
import type { FileMover } from '../../ports/file-mover.ts';
import { type ContentHead, isSameContent } from './content-head.ts';
import type { DownloadParts } from './download-parts.ts';
import { type ContentTools, type FileToOpen, type OpenContent, openContent } from './open-content.ts';

export interface DownloadRequest {
  ref: FileToOpen;
  folder: string;
  /** The name in the folder; another name is chosen when a file has it. */
  name: string;
  /** The size in bytes that the library promises; null when it is unknown. */
  sizeBytes: number | null;
  /** The SHA-256 of the file in lower-case hex; null when it is unknown. */
  sha256: string | null;
  signal: AbortSignal;
  onProgress(doneBytes: number, totalBytes: number | null): void;
  /** The temporary file, as soon as its name is known. */
  onPart(path: string): void;
}

export interface DownloadTools extends ContentTools {
  parts: DownloadParts;
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
 * Only a complete file gets the final name. Throws the errors of `openContent`, `download.size-differs`, `download.no-space`,
 * `download.not-saved`, `download.damaged`, or the reason of `signal`.
 */
export async function downloadFile(request: DownloadRequest, tools: DownloadTools): Promise<Downloaded> {
  const { ref, folder, name, signal, onPart } = request;
  const first = await openContent(ref, { range: null, signal }, tools);
  const { head } = first;
  let content: OpenContent | null = first;
  try {
    const promisedBytes = promisedSize(request.sizeBytes, head);
    const part = await tools.parts.take(folder, contentKey(ref, head), usableBytes(head));
    try {
      onPart(part.path);
      const there = part.keptBytes;
      if (there > 0) {
        await first.close();
        content = null;
        if (there !== head.totalBytes) {
          content = await openContent(ref, { range: { start: there, end: null }, signal }, tools);
          if (!isSameContent(head, content.head)) throw appError('content.changed');
        }
      }
      const sizeBytes = await append(content, { part: part.path, there, promisedBytes }, request, tools.parts);
      const sha256 = request.sha256 ?? head.sha256;
      if (sha256 !== null && (await tools.mover.hash(part.path, signal)) !== sha256) {
        await tools.parts.discard(part.path);
        throw appError('download.damaged', { details: { sizeBytes } });
      }
      const path = await giveName(tools.mover, part.path, folder, name);
      tools.parts.forget(part.path);
      return { path, sizeBytes, sha256 };
    } finally {
      part.release();
    }
  } finally {
    await content?.close();
  }
}

/** Returns the size that the library or its file server promises. Throws `download.size-differs` when they disagree. */
function promisedSize(ofLibrary: number | null, { totalBytes }: ContentHead): number | null {
  if (ofLibrary !== null && totalBytes !== null && ofLibrary !== totalBytes) throw sizeDiffers(ofLibrary, totalBytes);
  return ofLibrary ?? totalBytes;
}

interface Target {
  /** The path of the temporary file. */
  part: string;
  /** The bytes that it has. */
  there: number;
  /** More bytes are never written; null: no size was promised. */
  promisedBytes: number | null;
}

/** Appends the content to the part. Returns the size of the complete file. Throws `download.size-differs`, `content.interrupted`. */
async function append(
  content: OpenContent | null,
  { part, there, promisedBytes }: Target,
  { signal, onProgress }: DownloadRequest,
  parts: DownloadParts,
): Promise<number> {
  // A server without ranges begins at 0 again.
  const start = content === null ? there : content.head.start;
  if (start === 0 && there > 0) await parts.empty(part);
  const file = await parts.open(part, start);
  let done = start;
  try {
    onProgress(done, promisedBytes);
    for await (const chunk of content?.bytes ?? []) {
      signal.throwIfAborted();
      if (promisedBytes !== null && done + chunk.length > promisedBytes) {
        await file.close();
        await parts.discard(part);
        throw sizeDiffers(promisedBytes, null);
      }
      await file.write(chunk);
      done += chunk.length;
      onProgress(done, promisedBytes);
    }
    await file.finish();
  } finally {
    await file.close();
  }
  if (promisedBytes !== null && done !== promisedBytes)
    throw appError('content.interrupted', { details: { position: done } });
  return done;
}

/** `sentBytes` null: more than promised, and the rest was not read. */
function sizeDiffers(promisedBytes: number, sentBytes: number | null) {
  return appError('download.size-differs', { details: { promisedBytes, sentBytes } });
}

/**
 * Returns how many bytes of this content a part can hold. 0 when the server sends no validator or no size: then nothing shows
 * that a part belongs to it.
 */
function usableBytes({ etag, lastModified, totalBytes }: ContentHead): number {
  return etag !== null || lastModified !== null ? (totalBytes ?? 0) : 0;
}

/** Returns the same key for the same version of the same file, so that a later download finds its part. */
function contentKey({ client, mediaId, fileId }: FileToOpen, { etag, lastModified, totalBytes }: ContentHead): string {
  const identity = JSON.stringify([client.baseUrl, mediaId, fileId, etag, lastModified, totalBytes]);
  return createHash('sha256').update(identity).digest('hex');
}

/** Moves the complete part to its name, or to the next free name. Replaces no file. */
async function giveName(mover: Pick<FileMover, 'rename'>, part: string, folder: string, name: string): Promise<string> {
  for (let number = 1; number <= MAX_NAMES; number += 1) {
    const path = join(folder, numberedName(name, number));
    if ((await mover.rename(part, path)) === 'done') return path;
  }
  throw appError('download.not-saved', { details: { folder, reason: 'no free name' } });
}
