import { TOKENINFO_PATH } from '../../../shared/api/oauth.ts';
import { type AppError, appError } from '../../../shared/contract/app-error.ts';
import { classify } from '../api/classify.ts';
import { apiUrl } from '../api/links.ts';
import { type Transport, type WireAnswer, WireError } from '../api/transport.ts';

/** Shorter than for work: a person waits. */
const PATIENCE_MS = 15_000;

/**
 * Whether a media library answers at `baseUrl`, asked without any sign-in. Who asks about a token without giving one is
 * told so in JSON by a library; web sites, proxies and other services answer otherwise.
 * Throws `site.unreachable`, `site.not-a-library`, `network.tls`, or `api.server-error` when it is one's own fault.
 */
export async function probeSite(
  context: { transport: Transport; userAgent: string; signal?: AbortSignal },
  baseUrl: string,
): Promise<void> {
  const url = apiUrl(baseUrl, TOKENINFO_PATH);
  const answer = await ask(context, url);
  if (isRefusalOfLibrary(answer)) return;
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
