import { createHash } from 'node:crypto';
import { open as openFile, rm } from 'node:fs/promises';
import { AppError, appError } from '../../../shared/contract/app-error.ts';
import { type FeedFile, MOST_FEED_BYTES } from '../../../shared/model/updates/feed-text.ts';
import type { Engine } from '../../engine/engine.ts';
import { isSafeAddress } from './update-source.ts';

export type OpenAddress = Engine['open'];
type Answer = Awaited<ReturnType<OpenAddress>>;

/** Fetches a feed; reads at most one byte more than it may have. Throws `update.*` and `network.*`. */
export async function fetchFeed(open: OpenAddress, url: URL, signal: AbortSignal): Promise<Uint8Array> {
  const answer = await openSafely(open, url, signal);
  const parts: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const part of answer.body) {
      parts.push(part);
      bytes += part.length;
      if (bytes > MOST_FEED_BYTES) break;
    }
  } catch (error) {
    throw asCut(error, url, signal);
  } finally {
    answer.close();
  }
  requireWhole(answer, bytes, url);
  return Buffer.concat(parts);
}

/** A feed that was cut would look as if it had been changed. */
function requireWhole({ headers }: Answer, bytes: number, url: URL): void {
  const announced = Number(headers['content-length'] ?? Number.NaN);
  if (bytes <= MOST_FEED_BYTES && bytes < announced)
    throw appError('update.download-cut', { details: { host: url.host } });
}

/**
 * Fetches a file of a feed into `path`, and compares its size and its SHA-512 with those that were signed. Nothing is left there
 * after an error. `onProgress`: the number of bytes.
 */
export async function fetchUpdateFile(options: {
  open: OpenAddress;
  url: URL;
  file: FeedFile;
  path: string;
  signal: AbortSignal;
  onProgress(bytes: number): void;
}): Promise<void> {
  const { open, url, file, path, signal, onProgress } = options;
  const answer = await openSafely(open, url, signal);
  try {
    const { bytes, sha512 } = await writeBody(answer, { path, url, limit: file.size, signal, onProgress });
    if (bytes < file.size)
      throw appError('update.download-cut', { details: { host: url.host, bytes, size: file.size } });
    if (sha512 !== file.sha512) throw appError('update.file-differs', { details: { name: file.url, reason: 'hash' } });
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    answer.close();
  }
}

interface Writing {
  path: string;
  url: URL;
  limit: number;
  signal: AbortSignal;
  onProgress(bytes: number): void;
}

async function writeBody(answer: Answer, { path, url, limit, signal, onProgress }: Writing) {
  const hash = createHash('sha512');
  let bytes = 0;
  const target = await openFile(path, 'w', 0o600).catch((error: unknown) => {
    throw asDiskError(error, path);
  });
  try {
    const body = answer.body[Symbol.asyncIterator]();
    for (;;) {
      const next = await body.next().catch((error: unknown) => {
        throw asCut(error, url, signal);
      });
      if (next.done) break;
      bytes += next.value.length;
      if (bytes > limit) throw appError('update.file-differs', { details: { reason: 'size', size: limit } });
      hash.update(next.value);
      await target.writeFile(next.value).catch((error: unknown) => {
        throw asDiskError(error, path);
      });
      onProgress(bytes);
    }
    await target.sync();
  } finally {
    await target.close();
  }
  return { bytes, sha512: hash.digest('base64') };
}

async function openSafely(open: OpenAddress, url: URL, signal: AbortSignal): Promise<Answer> {
  if (!isSafeAddress(url)) throw appError('update.address-insecure', { details: { host: url.host } });
  let answer: Answer;
  try {
    answer = await open(url, signal);
  } catch (error) {
    throw asUnreachable(error, url);
  }
  if (answer.status === 200) return answer;
  answer.close();
  const details = { host: url.host, status: answer.status };
  throw appError(answer.status === 404 ? 'update.no-feed' : 'update.unreachable', { details });
}

/** The faults of proxies and certificates have sentences of their own; the sentence about a silent library doesn't fit. */
function asUnreachable(error: unknown, { host }: URL): unknown {
  if (!(error instanceof AppError)) return error;
  if (error.code === 'network.unreachable' || error.code === 'network.timed-out') {
    return appError('update.unreachable', { details: { ...error.details, host }, cause: error });
  }
  return error.code === 'content.address-refused'
    ? appError('update.address-insecure', { details: error.details ?? {}, cause: error })
    : error;
}

function asCut(error: unknown, url: URL, signal: AbortSignal): unknown {
  signal.throwIfAborted();
  const reason = (error as { code?: string }).code ?? String(error);
  return appError('update.download-cut', { details: { host: url.host, reason }, cause: error });
}

/** Returns the error for a file that can't be written. */
export function asDiskError(error: unknown, path: string): unknown {
  const reason = (error as NodeJS.ErrnoException).code;
  const options = { details: { path, reason }, cause: error };
  if (reason === 'ENOSPC' || reason === 'EDQUOT') return appError('update.disk-full', options);
  if (reason === 'EROFS' || reason === 'EACCES' || reason === 'EPERM')
    return appError('update.target-read-only', options);
  return error;
}
