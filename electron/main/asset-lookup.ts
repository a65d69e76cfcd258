import { extname } from 'node:path';
import { parseThumbnailPath, type ThumbnailRef } from '../../shared/contract/thumbnail-address.ts';

export const APP_SCHEME = 'app';
const APP_HOST = 'mediadesk';
/** The origin of our own screens, the only one that may call the engine. */
export const APP_ORIGIN = `${APP_SCHEME}://${APP_HOST}`;
export const APP_START_URL = `${APP_ORIGIN}/index.html`;

/** Maps paths below the origin, such as `/assets/main-1a2b.js`, to files. */
export type AssetTable = ReadonlyMap<string, string>;

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.map': 'application/json; charset=utf-8',
};

export function contentTypeOf(file: string): string {
  return CONTENT_TYPES[extname(file).toLowerCase()] ?? 'application/octet-stream';
}

/**
 * Returns the file for a request, or null. No part of the request becomes part of a path: it is only a key in the table of
 * built files, so `..`, absolute paths, NUL, other spellings and symbolic links match nothing.
 */
export function findAsset(assets: AssetTable, requestUrl: string): string | null {
  const pathname = ownPath(requestUrl);
  return pathname === null ? null : (assets.get(pathname === '/' ? '/index.html' : pathname) ?? null);
}

/** Returns the item whose thumbnail is requested, or null. The answer comes from the engine, never from a file by its name. */
export function findThumbnail(requestUrl: string): ThumbnailRef | null {
  const pathname = ownPath(requestUrl);
  return pathname === null ? null : parseThumbnailPath(pathname);
}

/** Returns the path of a request below our own origin; null for every other address. */
function ownPath(requestUrl: string): string | null {
  const url = URL.parse(requestUrl);
  if (url?.protocol !== `${APP_SCHEME}:` || url.host !== APP_HOST) return null;
  if (url.username !== '' || url.password !== '') return null;
  return url.pathname;
}
