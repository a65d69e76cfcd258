import type { IncomingHttpHeaders } from 'node:http';

/** A closed interval of byte positions; `end` null means the end of the content. */
export interface ByteRange {
  start: number;
  end: number | null;
}

/** The properties of the following bytes in the head of an answer. */
export interface ContentHead {
  /** The position of the first byte. */
  start: number;
  /** The position of the last byte; null when the server doesn't report it. */
  end: number | null;
  /** The size of the whole content; null when the server doesn't report it. */
  totalBytes: number | null;
  /** Changes with the content. Only a strong ETag, because `If-Range` accepts no other. */
  etag: string | null;
  lastModified: string | null;
  /** Lower-case hex, from `Repr-Digest` or `Digest`; null without these headers. */
  sha256: string | null;
}

/**
 * Returns whether the body is in another form than the content, such as compressed. Positions and lengths then don't count in the
 * content, and a small body may become very large.
 */
export function isEncoded(headers: IncomingHttpHeaders): boolean {
  return !['', 'identity'].includes((headers['content-encoding'] ?? '').trim().toLowerCase());
}

/** Reads the head of a 200 or 206. Returns null for a 206 that doesn't name its range. */
export function readContentHead(status: number, headers: IncomingHttpHeaders): ContentHead | null {
  const etag = headers.etag !== undefined && !headers.etag.startsWith('W/') ? headers.etag : null;
  const common = { etag, lastModified: headers['last-modified'] ?? null, sha256: sha256Of(headers) };
  if (status === 206) {
    const range = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/.exec(headers['content-range'] ?? '');
    if (range === null) return null;
    const [, start, end, total] = range;
    return { ...common, start: Number(start), end: Number(end), totalBytes: total === '*' ? null : Number(total) };
  }
  const length = /^\d{1,15}$/.exec(headers['content-length'] ?? '');
  const totalBytes = length === null ? null : Number(length[0]);
  return { ...common, start: 0, end: totalBytes === null ? null : totalBytes - 1, totalBytes };
}

/** Returns whether both heads are of the same content, as far as their servers report it. */
export function isSameContent(one: ContentHead, other: ContentHead): boolean {
  return (['etag', 'totalBytes', 'lastModified'] as const).every(
    (name) => one[name] === null || other[name] === null || one[name] === other[name],
  );
}

/** RFC 9530 `Repr-Digest: sha-256=:<base64>:`, or the older `Digest: SHA-256=<base64>`. */
function sha256Of(headers: IncomingHttpHeaders): string | null {
  for (const entry of `${headers['repr-digest'] ?? ''},${headers.digest ?? ''}`.split(',')) {
    const digest = /^sha-256=:?([a-z0-9+/]{43}=):?$/i.exec(entry.trim())?.[1];
    if (digest !== undefined) return Buffer.from(digest, 'base64').toString('hex');
  }
  return null;
}

/** Reads a Range header with one range from a position on. Returns null for every other header, which requests everything. */
export function readByteRange(header: string | null): ByteRange | null {
  const match = /^bytes=(\d{1,15})-(\d{0,15})$/.exec(header?.trim() ?? '');
  if (match === null) return null;
  const [, start = '', end = ''] = match;
  if (end !== '' && Number(end) < Number(start)) return null;
  return { start: Number(start), end: end === '' ? null : Number(end) };
}
