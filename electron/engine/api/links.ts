import { appError } from '../../../shared/contract/app-error.ts';
import { withoutTrailingSlashes } from '../../../shared/model/trailing-slashes.ts';

/**
 * Resolves an address that the library returned (a link, a Location). Paths of the API are relative to the base
 * address, which can have its own path; anything else is resolved as in a browser against `from`, the address of the
 * request. Returns null for an address other than http(s). Drops user name and password, because requests would send
 * them.
 */
export function resolveLink(baseUrl: string, link: string, from: URL): URL | null {
  const base = new URL(baseUrl);
  const prefix = withoutTrailingSlashes(base.pathname);
  const text = prefix !== '' && /^\/api2(\/|$)/.test(link) ? `${prefix}${link}` : link;
  const url = URL.parse(text, from);
  if (url === null) return null;
  url.username = '';
  url.password = '';
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : null;
}

/** Returns the address of an API path (`/api2/…`) on the site. */
export function apiUrl(baseUrl: string, path: string): URL {
  return new URL(withoutTrailingSlashes(baseUrl) + path);
}

/**
 * Returns the form of an address for logs and errors: the path without the query for the site's own API, otherwise the
 * host only, because other paths can contain signatures (upload destinations and completion addresses).
 */
export function loggedAddressOf(url: URL, ownSite: boolean): { path: string } | { host: string } {
  return ownSite && /\/api2(\/|$)/.test(url.pathname) ? { path: url.pathname } : { host: url.host };
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Returns whether the status of an answer leads to another address. */
export function isRedirect(status: number): boolean {
  return REDIRECTS.has(status);
}

/** Returns true for addresses that may receive the site's token: same scheme, host and port. */
export function isOwnSite(baseUrl: string, url: URL): boolean {
  return new URL(baseUrl).origin === url.origin;
}

/**
 * Returns an identifier as one path segment. Identifiers are opaque and can contain any character; identifiers that would lead to
 * another path are rejected.
 */
export function segment(id: string): string {
  if (id === '' || id === '.' || id === '..' || !id.isWellFormed())
    throw appError('input.invalid', { details: { reason: 'bad identifier' } });
  return encodeURIComponent(id);
}

/**
 * Returns the identifier after `path`, such as `/api2/media`, in `url`; otherwise null. On the site's own origin the
 * end of the path is sufficient; earlier identifiers in `path` (the item of a file) must agree when `url` contains
 * them.
 */
export function idBehind(url: URL, path: string): string | null {
  const found = segmentsOf(url.pathname);
  const wanted = segmentsOf(path);
  const id = found.pop();
  if (id === undefined || found.at(-1) !== wanted.at(-1)) return null;
  for (let back = 1; back <= wanted.length && back <= found.length; back += 1) {
    // The segments before the resource are not compared: a site may have another path for its API.
    if (wanted.at(-back) === 'api2') break;
    if (decoded(found.at(-back) ?? '') !== decoded(wanted.at(-back) ?? '')) return null;
  }
  return decoded(id);
}

/**
 * Returns the identifier like `idBehind` for an address on another origin, where the complete path must agree:
 * `…/api2/media/<id>`.
 */
export function idBehindForeign(url: URL, path: string): string | null {
  const { pathname } = url;
  const at = pathname.lastIndexOf('/api2/');
  if (at < 0) return null;
  const found = segmentsOf(pathname.slice(at));
  const wanted = segmentsOf(path);
  if (found.length !== wanted.length + 1) return null;
  return idBehind(url, path);
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((each) => each !== '');
}

/** Returns a decoded path segment; null when it is not valid percent-encoding. */
function decoded(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
