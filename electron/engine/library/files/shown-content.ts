import { appError } from '../../../../shared/contract/app-error.ts';
import type { ContentRef } from '../../../../shared/contract/content-address.ts';
import { Bytes } from '../../../../shared/formats/bytes/bounded-bytes.ts';
import { captionsAsVtt, MAX_CAPTIONS_BYTES } from '../../../../shared/formats/captions/read-captions.ts';
import { hasPdfMark, PDF_MARK_WITHIN } from '../../../../shared/formats/signatures.ts';
import type { SiteClient } from '../../api/http-client.ts';
import { type ContentHead, readByteRange } from './content-head.ts';
import { type ContentTools, type OpenContent, openContent } from './open-content.ts';

/** A file as the window receives it. */
export interface ShownContent {
  status: 200 | 206;
  /** Names in lower case. Only sizes and positions are copied from the answer of the storage server. */
  headers: Record<string, string>;
  body: AsyncGenerator<Uint8Array>;
  close(): Promise<void>;
}

export interface ShownContentTools extends ContentTools {
  clientFor(siteId: string): SiteClient;
}

/** The content type is derived from the kind of the address, never from the server: none of these types runs as a page. */
const BYTES = 'application/octet-stream';

/**
 * Opens a file for the window. Throws the errors of `openContent` and `clientFor`, `content.not-pdf`, and `content.not-captions`.
 */
export async function showContent(
  { kind, siteId, mediaId, fileId }: ContentRef,
  rangeHeader: string | null,
  signal: AbortSignal,
  tools: ShownContentTools,
): Promise<ShownContent> {
  const ref = { client: tools.clientFor(siteId), mediaId, fileId };
  const range = kind === 'media' ? readByteRange(rangeHeader) : null;
  const content = await openContent(ref, { range, signal }, tools);
  try {
    if (kind === 'document') return await pdf(content);
    if (kind === 'captions') return await captions(content);
  } catch (error) {
    await content.close();
    throw error;
  }
  const headers = { 'content-type': BYTES, 'accept-ranges': 'bytes', ...sizesOf(content.head, content.isPartial) };
  return { status: content.isPartial ? 206 : 200, headers, body: content.bytes, close: content.close };
}

function sizesOf({ start, end, totalBytes }: ContentHead, isPartial: boolean): Record<string, string> {
  return {
    ...(end === null ? {} : { 'content-length': String(end - start + 1) }),
    ...(isPartial ? { 'content-range': `bytes ${start}-${end ?? ''}/${totalBytes ?? '*'}` } : {}),
  };
}

async function pdf(content: OpenContent): Promise<ShownContent> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  while (length < PDF_MARK_WITHIN) {
    const { value, done } = await content.bytes.next();
    if (done) break;
    chunks.push(value);
    length += value.length;
  }
  const beginning = Buffer.concat(chunks);
  if (!hasPdfMark(new Bytes(beginning))) throw appError('content.not-pdf');
  const headers = { 'content-type': 'application/pdf', ...sizesOf(content.head, false) };
  return { status: 200, headers, body: followedBy(beginning, content.bytes), close: content.close };
}

async function captions(content: OpenContent): Promise<ShownContent> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of content.bytes) {
    length += chunk.length;
    if (length > MAX_CAPTIONS_BYTES) throw appError('content.not-captions');
    chunks.push(chunk);
  }
  const text = captionsAsVtt(Buffer.concat(chunks));
  if (text === null) throw appError('content.not-captions');
  const headers = { 'content-type': 'text/vtt; charset=utf-8' };
  return { status: 200, headers, body: followedBy(Buffer.from(text), null), close: content.close };
}

async function* followedBy(beginning: Uint8Array, rest: AsyncGenerator<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  yield beginning;
  if (rest !== null) yield* rest;
}
