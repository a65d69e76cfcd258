import type { ThumbnailRef } from '../../../../shared/contract/thumbnail-address.ts';
import { fetchBytes } from '../../api/fetch-bytes.ts';
import type { SiteClient } from '../../api/http-client.ts';
import { apiUrl, isOwnSite } from '../../api/links.ts';
import { listThumbs } from '../../api/thumbs.ts';
import { readImageHeader } from './image-header.ts';

/** A thumbnail that can be shown. */
export interface FetchedThumbnail {
  contentType: string;
  bytes: Buffer;
}

/** The limits of a thumbnail. A larger picture would use too much memory of the window, whatever the size of its file. */
export interface ThumbnailLimits {
  bytes: number;
  pixels: number;
}

export const THUMBNAIL_LIMITS: ThumbnailLimits = { bytes: 10 * 1024 * 1024, pixels: 25_000_000 };

/** A thumbnail wider than this is used only when there is no smaller one. */
const WIDE = 4096;

/**
 * Reads the thumbnail of an item or a collection from the library, with a newly signed address. null: none can be shown. Throws
 * the errors of `SiteClient` and `fetchBytes`.
 */
export async function fetchThumbnail(
  client: SiteClient,
  { subject, id }: Pick<ThumbnailRef, 'subject' | 'id'>,
  { limits, userAgent, signal }: { limits: ThumbnailLimits; userAgent: string; signal: AbortSignal },
): Promise<FetchedThumbnail | null> {
  const thumbs = await listThumbs(client, subject, id, signal);
  // The library's order is kept: the first thumbnail is the current one.
  const chosen = thumbs.find(({ width }) => width === null || width <= WIDE) ?? thumbs[0];
  if (chosen === undefined) return null;
  const from = apiUrl(client.baseUrl, '/api2/');
  const url = await addressOfContent(client, chosen.url, signal);
  const { contents: connections } = client;
  const asked = { connections, from, userAgent, maxBytes: limits.bytes, signal };
  const bytes = url === null ? null : await fetchBytes({ ...asked, url });
  return bytes === null ? null : usable(bytes, limits);
}

/** Returns a thumbnail when the bytes are a picture within the limits; otherwise null. */
export function usable(bytes: Buffer, limits: ThumbnailLimits): FetchedThumbnail | null {
  const header = readImageHeader(bytes);
  if (header === null || header.width * header.height > limits.pixels || bytes.length > limits.bytes) return null;
  return { contentType: header.contentType, bytes };
}

/**
 * Returns the address of the bytes. An address of the API itself needs the token, and redirects to a signed address; every other
 * address is used unchanged.
 */
async function addressOfContent(client: SiteClient, url: URL, signal: AbortSignal): Promise<URL | null> {
  const isApi = isOwnSite(client.baseUrl, url) && url.href.startsWith(apiUrl(client.baseUrl, '/api2/').href);
  if (!isApi) return url;
  const answer = await client.request({ method: 'GET', target: url, acceptRedirect: true, signal });
  return answer.headers.location === undefined ? null : client.resolve(answer.headers.location, url);
}
