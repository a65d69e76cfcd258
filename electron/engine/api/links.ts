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

/**
 * The identifier that `url` has behind `path`, such as `/api2/media`, or null. On the site's own origin the end of the path
 * is enough; what `path` names before it (the item of a file) has to agree where `url` names it, too.
 */
export function idBehind(url: URL, path: string): string | null {
  const found = segmentsOf(url.pathname);
  const wanted = segmentsOf(path);
  const id = found.pop();
  if (id === undefined || found.at(-1) !== wanted.at(-1)) return null;
  for (let back = 1; back <= wanted.length && back <= found.length; back += 1) {
    // Above the resources of the path a site may have other names for its API.
    if (wanted.at(-back) === 'api2') break;
    if (decoded(found.at(-back) ?? '') !== decoded(wanted.at(-back) ?? '')) return null;
  }
  return decoded(id);
}

/** The same on another origin, where the complete path has to agree: `…/api2/media/<id>`. */
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

/** null for what is not percent-encoded correctly. */
function decoded(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
