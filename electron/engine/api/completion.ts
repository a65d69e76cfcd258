import { AppError, appError } from '../../../shared/contract/app-error.ts';
import { outcomeOf } from './classify.ts';
import type { SiteClient, SiteRequest } from './http-client.ts';
import { apiUrl, isOwnSite } from './links.ts';
import { ZONE, zoneOf } from './network-zones.ts';

/** How a `postprocess_url` is called. The API leaves it open; a form with an empty body is the most common. */
type Way = 'form' | 'json' | 'get';

const REQUESTS: Readonly<Record<Way, Pick<SiteRequest, 'method' | 'form' | 'json'>>> = {
  form: { method: 'POST', form: {} },
  json: { method: 'POST', json: {} },
  get: { method: 'GET' },
};

/** Which way each library took, so that the others are not tried again. Kept in memory. */
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
 * Tells the service that the bytes are there. The address is the descriptor's `postprocess_url` and may lie anywhere; the
 * token goes along only to the site itself. A form that is answered with 415 or 400 is tried as JSON (and the other way
 * round), a POST that is answered with 405 and `Allow: GET` as GET; a repetition does no harm.
 *
 * Throws `AppError`; when several ways were refused, the answer that says most, with the others in `details.otherAnswers`.
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

/** One notification. 307 and 308 ask for the same one at another address; every other redirect names a page to show. */
async function notify(client: SiteClient, way: Way, target: URL, signal: AbortSignal | undefined): Promise<void> {
  let url = target;
  for (let hops = 0; hops <= MAX_HOPS; hops += 1) {
    const answer = await client.request({
      ...{ ...REQUESTS[way], target: url, acceptRedirect: true, isRepeatable: true, signal },
    });
    if (answer.status !== 307 && answer.status !== 308) return;
    const next = client.resolve(answer.headers.location ?? '', url);
    if (next === null || !mayFollow(client, url, next)) throw redirectRefused(answer.status, next);
    url = next;
  }
  throw redirectRefused(307, url);
}

/** As encrypted as before, and not to an address in a private network that another host names. */
function mayFollow(client: SiteClient, from: URL, to: URL): boolean {
  if (isOwnSite(client.baseUrl, to)) return true;
  if (from.protocol === 'https:' && to.protocol !== 'https:') return false;
  const host = to.hostname.replace(/^\[|\]$/g, '');
  const isPrivate = host === 'localhost' || host.endsWith('.localhost') || zoneOf(host) !== ZONE.internet;
  return to.hostname === from.hostname || !isPrivate;
}

function redirectRefused(status: number, to: URL | null): AppError {
  const details = { status, reason: 'redirect: not followed', ...(to === null ? {} : { host: to.host }) };
  return appError('api.unexpected', { details: { ...details, outcome: 'refused' } });
}

/** The way that a refusal points to, unless it was tried. */
function nextWay(way: Way, { details }: AppError, tried: ReadonlyMap<Way, AppError>): Way | null {
  const allowed = String(details?.allow ?? '').toUpperCase();
  let next: Way | null = null;
  if (details?.status === 415 || details?.status === 400) next = way === 'form' ? 'json' : 'form';
  if (details?.status === 405 && way === 'get') next = 'form';
  if (details?.status === 405 && way !== 'get' && /\bGET\b/.test(allowed)) next = 'get';
  return next === null || tried.has(next) ? null : next;
}

/** Statuses that speak about the way of the call, not about the file. */
const ABOUT_THE_CALL = new Set<unknown>([405, 415]);

function mostTelling(refusals: ReadonlyMap<Way, AppError>): AppError {
  const all = [...refusals.values()];
  const told = all.findLast(({ details }) => !ABOUT_THE_CALL.has(details?.status)) ?? all.at(-1);
  if (told === undefined) return appError('internal', { details: { reason: 'no completion was tried' } });
  const others = all.filter((each) => each !== told);
  if (others.length === 0) return told;
  const otherAnswers = others.map(({ details }) => `${details?.status}: ${details?.message ?? ''}`);
  return new AppError(told.code, told.message, { ...told.details, otherAnswers }, told.cause);
}
