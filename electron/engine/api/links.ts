import { appError } from '../../../shared/contract/app-error.ts';
import { withoutTrailingSlashes } from '../../../shared/model/trailing-slashes.ts';

/**
 * An address that the service handed out (a link, a Location), resolved for a site.
 * Paths of the API are relative to the base address, which may have a path of its own; everything else resolves as in a
 * browser against `from`, the address that was asked. Returns null for what is no http(s) address. A user name and a
 * password in it are dropped: requests would carry them.
 */
export function resolveLink(baseUrl: string, link: string, from: URL): URL | null {
  const base = new URL(baseUrl);
  const prefix = withoutTrailingSlashes(base.pathname);
  const text = prefix !== '' && /^\/api2(\/|$)/.test(link) ? `${prefix}${link}` : link;
  if (!URL.canParse(text, from)) return null;
  const url = new URL(text, from);
  url.username = '';
  url.password = '';
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : null;
}

/** The address of an API path (`/api2/…`) on the site. */
export function apiUrl(baseUrl: string, path: string): URL {
  return new URL(withoutTrailingSlashes(baseUrl) + path);
}

/**
 * An address as a log or an error may name it: the path of the site's own API without its query. Everywhere else a path
 * can be signed, as those of upload destinations and of their completion are; then it is the host alone.
 */
export function nameOf(url: URL, ownSite: boolean): { path: string } | { host: string } {
  return ownSite && /\/api2(\/|$)/.test(url.pathname) ? { path: url.pathname } : { host: url.host };
}

/** True for addresses that may see the site's token: same scheme, host and port. */
export function isOwnSite(baseUrl: string, url: URL): boolean {
  return new URL(baseUrl).origin === url.origin;
}

/**
 * An identifier as one segment of a path. Identifiers are opaque, so any character may be in them; those that would
 * name another path are refused.
 */
export function segment(id: string): string {
  if (id === '' || id === '.' || id === '..')
    throw appError('input.invalid', { details: { reason: 'bad identifier' } });
  return encodeURIComponent(id);
}

/** The identifier behind `…/<collection>/` in the path of `url`, or null: the last segment, and nothing after it. */
export function idBehind(url: URL, collection: string): string | null {
  const segments = url.pathname.replace(/\/$/, '').split('/');
  const id = segments.at(-1);
  if (id === undefined || id === '' || segments.at(-2) !== collection) return null;
  try {
    return decodeURIComponent(id);
  } catch {
    return null;
  }
}
