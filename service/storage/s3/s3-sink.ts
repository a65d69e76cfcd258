import type { ClientRequest } from 'node:http';
import type { FileSink, SinkEvents } from '../file-sink.ts';
import { releaseBlock } from '../release-block.ts';
import { refusal, type S3Answer, type S3Client } from './client.ts';

const MIB = 1024 * 1024;
/** Larger objects are sent in parts. */
export const PART_BYTES = 64 * MIB;
/** Stores accept at most this number of parts. */
const MAX_PARTS = 10_000;

interface Part {
  request: ClientRequest;
  missing: number;
}

export interface S3Sink extends FileSink {
  /** Deletes what the store has of an object that nobody wants. */
  drop(): Promise<void>;
}

/** Returns the size of the parts of an object; equal to its own size if it is sent at once. */
function partBytesOf(sizeBytes: number, smallest = PART_BYTES): number {
  if (sizeBytes <= smallest) return sizeBytes;
  return Math.max(smallest, Math.ceil(sizeBytes / MAX_PARTS / MIB) * MIB);
}

/**
 * Sends the bytes of an object of known size to a store, while they arrive: at once, or in parts. Keeps only what the connection to
 * the store has not accepted yet. The object exists when `finish` resolves.
 */
export function createS3Sink(
  client: S3Client,
  key: string,
  sizeBytes: number,
  { onRoom, onFail }: SinkEvents,
  smallestPart = PART_BYTES,
): S3Sink {
  const partBytes = partBytesOf(sizeBytes, smallestPart);
  const isInParts = sizeBytes > partBytes;
  const answers: Promise<S3Answer>[] = [];
  let opening: Promise<string | null> | undefined;
  /** The id of the upload in parts; null for one request. */
  let uploadId: string | null | undefined;
  let early: Buffer[] = [];
  let part: Part | undefined;
  const requests = new Set<ClientRequest>();
  let failure: unknown;
  let sentBytes = 0;
  let unanswered = 0;
  let isStopped = false;

  function fail(error: unknown): void {
    if (isStopped) return;
    isStopped = true;
    failure = error;
    for (const request of requests) request.destroy();
    onFail(error);
  }

  async function open(): Promise<void> {
    opening = isInParts ? beginParts(client, key) : Promise.resolve(null);
    uploadId = await opening;
    if (isStopped) return;
    const chunks = early;
    early = [];
    let hasRoom = true;
    for (const chunk of chunks) hasRoom = put(chunk);
    if (hasRoom) onRoom();
  }

  function beginPart(): Part {
    const missing = Math.min(partBytes, sizeBytes - sentBytes);
    const query: Record<string, string> = uploadId == null ? {} : { partNumber: String(answers.length + 1), uploadId };
    const { request, answer } = client.open({ method: 'PUT', key, query }, missing);
    unanswered += 1;
    requests.add(request);
    const checked = answer.then((each) => {
      if (each.status !== 200) throw refusal(each);
      unanswered -= 1;
      requests.delete(request);
      if (hasRoom()) onRoom();
      return each;
    });
    checked.catch(fail);
    answers.push(checked);
    request.on('drain', () => {
      if (hasRoom()) onRoom();
    });
    return { request, missing };
  }

  /** One part may wait for its answer while the next one is sent. */
  const hasRoom = () => !isStopped && unanswered <= 2 && (part === undefined || !part.request.writableNeedDrain);

  function put(chunk: Buffer): boolean {
    if (sentBytes + chunk.length > sizeBytes) {
      fail(new Error('The content is longer than it was said to be.'));
      return true;
    }
    let rest = chunk;
    while (rest.length > 0) {
      part ??= beginPart();
      const piece = rest.subarray(0, part.missing);
      rest = rest.subarray(piece.length);
      // Pieces are sent in order, so the whole chunk is sent when its last piece is.
      if (rest.length > 0) part.request.write(piece);
      else part.request.write(piece, () => releaseBlock(chunk));
      part.missing -= piece.length;
      sentBytes += piece.length;
      if (part.missing > 0) continue;
      part.request.end();
      part = undefined;
    }
    return hasRoom();
  }

  return {
    begin: () => void open().catch(fail),
    write(chunk) {
      if (isStopped) return true;
      if (uploadId !== undefined) return put(chunk);
      early.push(chunk);
      return false;
    },
    async finish() {
      await opening;
      if (failure !== undefined) throw failure;
      if (isStopped) return;
      if (sentBytes < sizeBytes) throw new Error('The content is shorter than it was said to be.');
      if (sizeBytes === 0) beginPart().request.end();
      const parts = await Promise.all(answers);
      if (uploadId != null) await completeParts(client, key, uploadId, parts, sizeBytes);
      isStopped = true;
    },
    async abandon() {
      isStopped = true;
      early = [];
      for (const request of requests) request.destroy();
      await Promise.allSettled(answers);
    },
    async drop() {
      const id = await opening?.catch(() => null);
      if (id != null) await client.send({ method: 'DELETE', key, query: { uploadId: id } });
      if (sentBytes === sizeBytes) await client.send({ method: 'DELETE', key });
    },
  };
}

async function beginParts(client: S3Client, key: string): Promise<string> {
  const answer = await client.send({ method: 'POST', key, query: { uploads: '' } });
  const id = /<UploadId>([^<]{1,1024})<\/UploadId>/.exec(answer.text)?.[1];
  if (answer.status !== 200 || id === undefined) throw refusal(answer);
  return id;
}

/** Joins the parts. The answer may be lost although the object exists: then the repetition does not find the upload any more. */
async function completeParts(
  client: S3Client,
  key: string,
  uploadId: string,
  parts: readonly S3Answer[],
  sizeBytes: number,
): Promise<void> {
  const list = parts.map(
    ({ headers }, index) =>
      `<Part><PartNumber>${index + 1}</PartNumber><ETag>${headers.etag?.replaceAll('"', '&quot;')}</ETag></Part>`,
  );
  const body = `<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`;
  const headers = { 'content-type': 'application/xml' };
  const answer = await client.send({ method: 'POST', key, query: { uploadId }, headers, body });
  if (answer.status === 200 && answer.text.includes('</CompleteMultipartUploadResult>')) return;
  const { status, headers: found } = await client.send({ method: 'HEAD', key });
  if (status !== 200 || Number(found['content-length']) !== sizeBytes) throw refusal(answer);
}
