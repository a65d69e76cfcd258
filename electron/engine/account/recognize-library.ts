import { TOKENINFO_PATH } from '../../../shared/api/oauth.ts';
import { type AppError, appError } from '../../../shared/contract/app-error.ts';
import { withoutTrailingSlashes } from '../../../shared/model/trailing-slashes.ts';
import { classify } from '../api/classify.ts';
import { apiUrl, isRedirect } from '../api/links.ts';
import { type Transport, type WireAnswer, WireError } from '../api/transport.ts';

/** Shorter than for uploads, because the user waits. */
const TIMEOUT_MS = 15_000;
const MAX_REDIRECTS = 5;

/**
 * Checks, without a sign-in, whether a media library answers at `baseUrl`. A library answers a tokeninfo request without a token
 * with an error in JSON; web sites, proxies and other servers answer differently. A redirect to the same library (see `redirectedRequest`)
 * is followed, so that the new address can be offered: throws `site.moved` with `details.address`. Otherwise throws
 * `site.unreachable`, `site.not-a-library`, `network.tls`, `network.proxy-…`, or `api.server-error` for an error of the library itself.
 */
export async function recognizeLibrary(
  context: { transport: Transport; userAgent: string; signal?: AbortSignal },
  baseUrl: string,
): Promise<void> {
  let url = apiUrl(baseUrl, TOKENINFO_PATH);
  let answer = await ask(context, url);
  for (let hop = 0; hop < MAX_REDIRECTS; hop += 1) {
    const next = redirectedRequest(url, answer);
    if (next === null) break;
    url = next;
    answer = await ask(context, url);
  }
  if (isRefusalOfLibrary(answer)) {
    const address = baseOf(url);
    if (address === baseOf(apiUrl(baseUrl, TOKENINFO_PATH))) return;
    throw appError('site.moved', {
      message: `This library has moved to another address: ${address}`,
      details: { address },
    });
  }
  const { status, headers, body } = answer;
  if (status >= 500) {
    const contentType = headers['content-type'] ?? '';
    throw classify({ kind: 'status', method: 'GET', url, ownSite: true, status, contentType, body, retryAfter: null });
  }
  const sentTo = headers.location === undefined ? null : URL.parse(headers.location, url);
  throw appError('site.not-a-library', {
    details: { status, ...(sentTo === null ? {} : { redirectsTo: sentTo.origin }) },
  });
}

/**
 * Returns the same request at the address of a redirect; null when it leads elsewhere: to another host (except a
 * leading `www.`), to another port, to an address without encryption, or to another path.
 */
export function redirectedRequest(from: URL, { status, headers }: Pick<WireAnswer, 'status' | 'headers'>): URL | null {
  const { location } = headers;
  const to = isRedirect(status) && location !== undefined ? URL.parse(location, from) : null;
  if (to === null || bareHost(to) !== bareHost(from) || to.username !== '' || to.password !== '') return null;
  const isUpgrade = from.protocol === 'http:' && to.protocol === 'https:';
  if (!isUpgrade && (to.protocol !== from.protocol || to.port !== from.port)) return null;
  return baseOf(to) === null ? null : to;
}

function bareHost({ hostname }: URL): string {
  return hostname.startsWith('www.') ? hostname.slice('www.'.length) : hostname;
}

/** Returns the library's base address from the address of a tokeninfo request; null for any other address. */
function baseOf(url: URL): string | null {
  const path = withoutTrailingSlashes(url.pathname);
  return path.endsWith(TOKENINFO_PATH)
    ? url.origin + withoutTrailingSlashes(path.slice(0, -TOKENINFO_PATH.length))
    : null;
}

async function ask(context: { transport: Transport; userAgent: string; signal?: AbortSignal }, url: URL) {
  const headers = { 'user-agent': context.userAgent, accept: 'application/json' };
  const { transport, signal } = context;
  try {
    return await transport.exchange({ method: 'GET', url, headers, body: null, timeoutMs: TIMEOUT_MS, signal });
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    const { code, phase, sent, facts } = error;
    throw forSite(classify({ kind: 'network', method: 'GET', url, ownSite: true, code, phase, sent, facts }));
  }
}

function isRefusalOfLibrary(answer: WireAnswer): boolean {
  if (answer.status !== 400 && answer.status !== 401 && answer.status !== 403) return false;
  // A gateway can answer instead of the library, with a page or an empty body. Its request for a Bearer token (RFC 6750) shows
  // that the library is behind it.
  if (answer.status === 401 && /(^|,)\s*bearer\b/i.test(answer.headers['www-authenticate'] ?? '')) return true;
  try {
    const value = JSON.parse(answer.body) as { message?: unknown; error?: unknown } | null;
    return typeof value?.message === 'string' || typeof value?.error === 'string';
  } catch {
    return false;
  }
}

function forSite(error: AppError): AppError {
  const details = error.details ?? {};
  if (error.code === 'network.unreachable' || error.code === 'network.timed-out') {
    // A sentence that names the proxy says more than the address.
    const named = details.proxy === undefined ? {} : { message: error.message };
    return appError('site.unreachable', { ...named, details, cause: error });
  }
  // The server does not answer in HTTP.
  return error.code === 'api.malformed' ? appError('site.not-a-library', { details, cause: error }) : error;
}
