import { TOKENINFO_PATH } from '../../../shared/api/oauth.ts';
import { type AppError, appError } from '../../../shared/contract/app-error.ts';
import { withoutTrailingSlashes } from '../../../shared/model/trailing-slashes.ts';
import { classify } from '../api/classify.ts';
import { apiUrl } from '../api/links.ts';
import { type Transport, type WireAnswer, WireError } from '../api/transport.ts';

/** Shorter than for work: a person waits. */
const PATIENCE_MS = 15_000;
const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Whether a media library answers at `baseUrl`, asked without any sign-in. Who asks about a token without giving one is
 * told so in JSON by a library; web sites, proxies and other services answer otherwise.
 * A redirect is followed where it plainly means the same library (see `movedTo`), so that its address can be offered.
 * Throws `site.moved` with `details.address` then, and otherwise `site.unreachable`, `site.not-a-library`, `network.tls`, or
 * `api.server-error` when it is one's own fault.
 */
export async function recognizeLibrary(
  context: { transport: Transport; userAgent: string; signal?: AbortSignal },
  baseUrl: string,
): Promise<void> {
  let url = apiUrl(baseUrl, TOKENINFO_PATH);
  let answer = await ask(context, url);
  for (let hop = 0; hop < MAX_REDIRECTS; hop += 1) {
    const next = movedTo(url, answer);
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
  const sentTo = headers.location !== undefined && URL.canParse(headers.location, url.href);
  throw appError('site.not-a-library', {
    details: { status, ...(sentTo ? { redirectsTo: new URL(headers.location ?? '', url).origin } : {}) },
  });
}

/**
 * The same question at the address that a redirect names; null where that is another place: another host (but for a
 * leading `www.`), another port, an address without encryption, or something else than the question.
 */
export function movedTo(from: URL, { status, headers }: Pick<WireAnswer, 'status' | 'headers'>): URL | null {
  const { location } = headers;
  if (!REDIRECTS.has(status) || location === undefined || !URL.canParse(location, from)) return null;
  const to = new URL(location, from);
  if (bareHost(to) !== bareHost(from) || to.username !== '' || to.password !== '') return null;
  const isUpgrade = from.protocol === 'http:' && to.protocol === 'https:';
  if (!isUpgrade && (to.protocol !== from.protocol || to.port !== from.port)) return null;
  return baseOf(to) === null ? null : to;
}

function bareHost({ hostname }: URL): string {
  return hostname.startsWith('www.') ? hostname.slice('www.'.length) : hostname;
}

/** The address of the library whose question this is; null where it is another one. */
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
    return await transport.exchange({ method: 'GET', url, headers, body: null, patienceMs: PATIENCE_MS, signal });
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    const { code, phase, sent } = error;
    throw forSite(classify({ kind: 'network', method: 'GET', url, ownSite: true, code, phase, sent }));
  }
}

function isRefusalOfLibrary(answer: WireAnswer): boolean {
  if (answer.status !== 400 && answer.status !== 401 && answer.status !== 403) return false;
  // A gateway may answer in place of the library: a page, or nothing, and the scheme that the API uses (RFC 6750).
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
    return appError('site.unreachable', { details, cause: error });
  }
  // Something that does not even speak HTTP.
  return error.code === 'api.malformed' ? appError('site.not-a-library', { details, cause: error }) : error;
}
