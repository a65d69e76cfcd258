import { AppError, appError } from '../../../shared/contract/app-error.ts';
import { outcomeOf } from './classify.ts';
import type { SiteClient, SiteRequest } from './http-client.ts';
import { apiUrl, isOwnSite } from './links.ts';
import { ZONE, zoneOfHost } from './network-zones.ts';

/** How a `postprocess_url` is called. The API does not specify it; a form with an empty body is the most common. */
type Way = 'form' | 'json' | 'get';

const REQUESTS: Readonly<Record<Way, Pick<SiteRequest, 'method' | 'form' | 'json'>>> = {
  form: { method: 'POST', form: {} },
  json: { method: 'POST', json: {} },
  get: { method: 'GET' },
};

/** The working call of each library, so that the others are not tried again. In memory only. */
export class CompletionWays {
  readonly #ways = new Map<string, Way>();

  get(key: string): Way {
    return this.#ways.get(key) ?? 'form';
  }

  set(key: string, way: Way): void {
    this.#ways.set(key, way);
  }
}

/**
 * Notifies the library that the bytes are at the destination. The descriptor's `postprocess_url` can be on any host; the token is
 * sent only to the site itself. After a 415 or 400 for a form, JSON is tried (and vice versa); after a 405 with `Allow: GET`, a
 * GET. Repeating a notification is harmless.
 *
 * Throws `AppError`; when several calls were refused, the most informative answer, with the others in `details.otherAnswers`.
 */
export async function finishUpload(
  client: SiteClient,
  postprocessUrl: string,
  { signal, ways = new CompletionWays() }: { signal?: AbortSignal; ways?: CompletionWays } = {},
): Promise<void> {
  const target = client.resolve(postprocessUrl, apiUrl(client.baseUrl, '/api2/'));
  if (target === null) {
    throw appError('api.malformed', { details: { reason: 'postprocess_url is no address', outcome: 'not-sent' } });
  }
  const key = `${client.baseUrl} ${target.origin}`;
  const refusals = new Map<Way, AppError>();
  for (let way: Way | null = ways.get(key); way !== null; ) {
    try {
      await notify(client, way, target, signal);
      ways.set(key, way);
      return;
    } catch (error) {
      if (!(error instanceof AppError) || outcomeOf(error) !== 'refused') throw error;
      refusals.set(way, error);
      way = nextWay(way, error, refusals);
    }
  }
  throw mostTelling(refusals);
}

const MAX_HOPS = 5;

/** Sends one notification. 307 and 308 require the same request at another address; every other redirect counts as success. */
async function notify(client: SiteClient, way: Way, target: URL, signal: AbortSignal | undefined): Promise<void> {
  let url = target;
  for (let hops = 0; hops <= MAX_HOPS; hops += 1) {
    const answer = await client.request({
      ...REQUESTS[way],
      target: url,
      acceptRedirect: true,
      isRepeatable: true,
      signal,
    });
    if (answer.status !== 307 && answer.status !== 308) return;
    const next = client.resolve(answer.headers.location ?? '', url);
    if (next === null || !mayFollow(client, url, next)) throw redirectRefused(answer.status, next);
    url = next;
  }
  throw redirectRefused(307, url);
}

/** Permits a redirect with the same encryption, and not from another host into a private network. */
function mayFollow(client: SiteClient, from: URL, to: URL): boolean {
  if (isOwnSite(client.baseUrl, to)) return true;
  if (from.protocol === 'https:' && to.protocol !== 'https:') return false;
  return to.hostname === from.hostname || zoneOfHost(to) === ZONE.internet;
}

function redirectRefused(status: number, to: URL | null): AppError {
  const details = { status, reason: 'redirect: not followed', ...(to === null ? {} : { host: to.host }) };
  return appError('api.unexpected', { details: { ...details, outcome: 'refused' } });
}

/** Returns the next kind of call that a refusal suggests; null when that kind was tried before. */
function nextWay(way: Way, { details }: AppError, tried: ReadonlyMap<Way, AppError>): Way | null {
  const allowed = String(details?.allow ?? '').toUpperCase();
  let next: Way | null = null;
  if (details?.status === 415 || details?.status === 400) next = way === 'form' ? 'json' : 'form';
  if (details?.status === 405 && way === 'get') next = 'form';
  if (details?.status === 405 && way !== 'get' && /\bGET\b/.test(allowed)) next = 'get';
  return next === null || tried.has(next) ? null : next;
}

/** Statuses about the kind of call, not about the file. */
const ABOUT_THE_CALL = new Set<unknown>([405, 415]);

function mostTelling(refusals: ReadonlyMap<Way, AppError>): AppError {
  const all = [...refusals.values()];
  const reported = all.findLast(({ details }) => !ABOUT_THE_CALL.has(details?.status)) ?? all.at(-1);
  if (reported === undefined) return appError('internal', { details: { reason: 'no completion was tried' } });
  const others = all.filter((each) => each !== reported);
  if (others.length === 0) return reported;
  const otherAnswers = others.map(({ details }) => `${details?.status}: ${details?.message ?? ''}`);
  return new AppError(reported.code, reported.message, { ...reported.details, otherAnswers }, reported.cause);
}
