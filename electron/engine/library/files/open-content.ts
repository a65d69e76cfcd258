import { AppError, appError } from '../../../../shared/contract/app-error.ts';
import { type ContentAnswer, openContentAddress } from '../../api/content-stream.ts';
import { contentLocation } from '../../api/files.ts';
import type { SiteClient } from '../../api/http-client.ts';
import { apiUrl } from '../../api/links.ts';
import { type Clock, sleep } from '../../ports/clock.ts';
import { type ByteRange, type ContentHead, isEncoded, isSameContent, readContentHead } from './content-head.ts';

export interface FileToOpen {
  client: SiteClient;
  mediaId: string;
  fileId: string;
}

export interface ContentTools {
  clock: Clock;
  userAgent: string;
  /** How long a signed address is valid, in seconds. */
  ttlSeconds: number;
}

export interface OpenContent {
  head: ContentHead;
  /** True when the answer has a part of the content, as requested. */
  isPartial: boolean;
  /**
   * The bytes from `head.start` on, in order. A connection that ends early, or an address that expires, is replaced at the
   * same position. Throws `content.changed`, and the error of the last attempt.
   */
  bytes: AsyncGenerator<Uint8Array>;
  /** Ends the connection, also when nothing was read. */
  close(): Promise<void>;
}

/** Attempts in a row without a new byte. */
const MAX_ATTEMPTS = 5;
const FIRST_PAUSE_MS = 500;

/**
 * Opens the bytes of a media file. Every connection gets a newly signed address, which is kept in memory only until the
 * connection is open. Throws `content.refused`, `content.encoded`, `content.range` (the position is after the end) and the errors of
 * `contentLocation` and `openContentAddress`.
 */
export async function openContent(
  ref: FileToOpen,
  { range, signal }: { range: ByteRange | null; signal: AbortSignal },
  tools: ContentTools,
): Promise<OpenContent> {
  const first = await connect(ref, { range, ifRange: null, signal }, tools);
  const { head, isPartial } = first;
  const bytes = resuming(first, ref, { range, signal }, tools);
  const close = async () => {
    // A generator that was never started runs no clean-up.
    first.answer.close();
    await bytes.return(undefined);
  };
  return { head, isPartial, bytes, close };
}

interface Connection {
  head: ContentHead;
  isPartial: boolean;
  answer: ContentAnswer;
}

interface Wanted {
  range: ByteRange | null;
  ifRange: string | null;
  signal: AbortSignal;
}

async function* resuming(
  first: Connection,
  ref: FileToOpen,
  { range, signal }: { range: ByteRange | null; signal: AbortSignal },
  tools: ContentTools,
): AsyncGenerator<Uint8Array> {
  const { head } = first;
  let connection = first;
  let position = head.start;
  const stop = head.end ?? range?.end ?? null;
  for (let failures = 0; ; ) {
    let failure: unknown = null;
    try {
      for await (const chunk of bytesFrom(connection, position, stop)) {
        position += chunk.length;
        failures = 0;
        yield chunk;
      }
    } catch (error) {
      failure = error;
    } finally {
      connection.answer.close();
    }
    signal.throwIfAborted();
    // When the end position is unknown, a body that ends without an error is complete.
    if (stop === null ? failure === null : position > stop) return;
    failures += 1;
    if (failures >= MAX_ATTEMPTS) throw appError('content.interrupted', { details: { position } });
    if (failures > 1) await sleep(tools.clock, FIRST_PAUSE_MS * 2 ** (failures - 2), signal);
    connection = await reconnect(
      ref,
      head,
      { range: { start: position, end: stop }, ifRange: head.etag, signal },
      tools,
    );
  }
}

/**
 * Yields the bytes of a connection from a position on, because a server without ranges sends everything again, and none after the
 * position `stop`, because a server may send more than its head announced. `stop` null: the end is unknown.
 */
async function* bytesFrom(
  { head, answer }: Connection,
  position: number,
  stop: number | null,
): AsyncGenerator<Uint8Array> {
  let skip = position - head.start;
  let left = stop === null ? Number.POSITIVE_INFINITY : stop + 1 - position;
  for await (const chunk of answer.body) {
    const fresh = chunk.subarray(skip, Math.min(chunk.length, skip + left));
    skip = Math.max(0, skip - chunk.length);
    left -= fresh.length;
    if (fresh.length > 0) yield fresh;
    if (left === 0) return;
  }
}

/** Opens the rest of the same content. Throws `content.changed` when the content has changed. */
async function reconnect(
  ref: FileToOpen,
  head: ContentHead,
  wanted: Wanted & { range: ByteRange },
  tools: ContentTools,
): Promise<Connection> {
  const connection = await connect(ref, wanted, tools);
  if (isSameContent(head, connection.head) && connection.head.start <= wanted.range.start) return connection;
  connection.answer.close();
  throw appError('content.changed');
}

/** Opens a connection at a newly signed address. Repeats requests that another try can fix. */
async function connect(ref: FileToOpen, wanted: Wanted, tools: ContentTools): Promise<Connection> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await connectOnce(ref, wanted, tools);
    } catch (error) {
      wanted.signal.throwIfAborted();
      const canRepeat = error instanceof AppError && REPEATED.has(error.code);
      if (!canRepeat || attempt >= MAX_ATTEMPTS || (error.code === 'content.refused' && attempt >= 2)) throw error;
      await sleep(tools.clock, FIRST_PAUSE_MS * 2 ** (attempt - 1), wanted.signal);
    }
  }
}

/** Errors after which the request is repeated. A refusal can mean that the address expired, so a second address is tried. */
const REPEATED: ReadonlySet<string> = new Set(['content.refused', 'content.unavailable', 'network.unreachable']);

async function connectOnce(
  { client, mediaId, fileId }: FileToOpen,
  { range, ifRange, signal }: Wanted,
  { userAgent, ttlSeconds }: ContentTools,
): Promise<Connection> {
  const url = new URL(await contentLocation(client, mediaId, fileId, ttlSeconds, signal));
  const from = apiUrl(client.baseUrl, '/api2/');
  const header = range === null ? null : `bytes=${range.start}-${range.end ?? ''}`;
  const answer = await openContentAddress({
    url,
    from,
    userAgent,
    ifRange,
    signal,
    range: header,
    connections: client.contents,
  });
  const { status, headers } = answer;
  if ((status === 200 || status === 206) && isEncoded(headers)) {
    answer.close();
    throw appError('content.encoded', { details: { host: url.host, encoding: headers['content-encoding'] ?? null } });
  }
  if (status === 200 || status === 206) {
    const head = readContentHead(status, headers);
    if (head !== null) return { head, isPartial: status === 206, answer };
  }
  answer.close();
  const details = { status, host: url.host };
  if (status === 416) {
    const total = /^bytes \*\/(\d{1,15})$/.exec(headers['content-range'] ?? '')?.[1];
    throw appError('content.range', {
      details: { ...details, totalBytes: total === undefined ? null : Number(total) },
    });
  }
  throw appError(status >= 500 || status === 429 ? 'content.unavailable' : 'content.refused', { details });
}
