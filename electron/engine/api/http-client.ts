import type { z } from 'zod';
import { TOKENINFO_PATH, tokenInfoSchema } from '../../../shared/api/oauth.ts';
import { AppError, appError } from '../../../shared/contract/app-error.ts';
import {
  dispositionOf,
  type ErrorCode,
  endsRetries,
  isOfGateway,
} from '../../../shared/contract/errors/error-catalog.ts';
import type { ConnectionPool, Connections } from '../network/connections.ts';
import type { Clock } from '../ports/clock.ts';
import { type Failpoints, NO_FAILPOINTS } from '../ports/failpoints.ts';
import type { Logger } from '../ports/logger.ts';
import { behindGateway } from './behind-gateway.ts';
import { classify } from './classify.ts';
import { type EpochGuard, NO_EPOCH_GUARD } from './epoch-guard.ts';
import { transportWithFailpoints } from './failpoint-transport.ts';
import { apiUrl, isOwnSite, isRedirect, loggedAddressOf, resolveLink } from './links.ts';
import { WRITE_TIMEOUT_MS } from './request-times.ts';
import { ServerClock } from './server-clock.ts';
import { createTransport, type Transport, type WireAnswer, WireError, type WireRequest } from './transport.ts';

/** The source of a client's access token. */
export interface TokenSource {
  /** Returns the current token. Throws `sign-in.required`, or the error that prevents getting one. */
  accessToken(): Promise<string>;
  /**
   * Called when the site refused the token `refused`: returns a newer one. Callers with the same refused token share
   * one refresh.
   */
  renew(refused: string): Promise<string>;
}

export interface SiteClientOptions {
  /** Without a trailing slash. */
  baseUrl: string;
  tokens: TokenSource;
  clock: Clock;
  logger: Logger;
  userAgent: string;
  failpoints?: Failpoints;
  connections: Connections;
  /** Prevents changes in a library that was restored from a backup; by default nothing does. */
  epochs?: EpochGuard;
}

export type QueryValues = Record<string, string | number | boolean | null | undefined>;

export interface SiteRequest {
  method: WireRequest['method'];
  /** A path of the API, beginning with `/api2`, or an address returned by `resolve`. */
  target: string | URL;
  /** Empty values are omitted. */
  query?: QueryValues;
  json?: unknown;
  /** Sent as a form instead of JSON. */
  form?: Record<string, string>;
  /**
   * Whether a redirect (3xx) counts as success, as 2xx does. A 307 or 308 of a write within the site is followed, not returned.
   */
  acceptRedirect?: boolean;
  /** A write that can be repeated and whose effect the library shows: it needs no stored intent. */
  isRepeatable?: boolean;
  signal?: AbortSignal | undefined;
}

export interface SiteAnswer {
  method: WireRequest['method'];
  status: number;
  headers: WireAnswer['headers'];
  url: URL;
  body: string;
  bodyFault: string | null;
}

/** The HTTP client of one account at one library. */
export interface SiteClient {
  readonly baseUrl: string;
  readonly logger: Logger;
  /**
   * Performs one exchange. Returns answers with 2xx; anything else throws an `AppError` from `classify`, with
   * `details.outcome`. The bearer token is sent only to the site's own origin. After a 401 it refreshes the token once
   * and repeats the request once.
   */
  request(request: SiteRequest): Promise<SiteAnswer>;
  /** Performs a GET and parses the answer with `schema`. Follows redirects within the site's origin only. */
  read<T>(schema: z.ZodType<T>, target: string | URL, query?: QueryValues, signal?: AbortSignal): Promise<T>;
  /** Performs a GET like `read` and returns the unparsed answer; `parseAnswer` parses it. */
  get(target: string | URL, query?: QueryValues, signal?: AbortSignal): Promise<SiteAnswer>;
  /** Resolves an address that the library returned, see `resolveLink`. */
  resolve(link: string, from: URL): URL | null;
  /** The library's clock, measured by every answer. */
  readonly serverClock: Pick<ServerClock, 'now' | 'isStale'>;
  /** Repeats reads in flight on new connections: connections from before a sleep may be dead. */
  reconnect(): void;
  /** Connections for addresses of files, which never carry the token. */
  readonly contents: ConnectionPool;
  /** Closes idle connections. */
  close(): void;
}

const READ_TIMEOUT_MS = 30_000;
const MAX_REDIRECTS = 5;

export function createSiteClient(options: SiteClientOptions): SiteClient {
  const transport = followingMoves(
    options.baseUrl,
    transportWithFailpoints(createTransport(options.connections), options.failpoints ?? NO_FAILPOINTS),
  );
  const contents = options.connections.pool({ keepAlive: true });
  const serverClock = new ServerClock(options.clock);
  const request = (asked: SiteRequest) => authorized({ ...options, serverClock }, transport, asked);
  const get: SiteClient['get'] = (target, query, signal) =>
    follow(options, request, { method: 'GET', target, ...(query && { query }), signal });
  return {
    baseUrl: options.baseUrl,
    logger: options.logger,
    request,
    get,
    read: async (schema, target, query, signal) => parseAnswer(schema, await get(target, query, signal)),
    resolve: (link, from) => resolveLink(options.baseUrl, link, from),
    serverClock,
    reconnect: () => transport.reconnect(),
    contents,
    close() {
      transport.close();
      contents.close();
    },
  };
}

/** Parses the contents of an answer. Throws `api.malformed`. */
export function parseAnswer<T>(schema: z.ZodType<T>, answer: SiteAnswer): T {
  if (answer.bodyFault !== null) throw unusable(answer, answer.bodyFault);
  let value: unknown;
  try {
    value = JSON.parse(answer.body);
  } catch {
    throw unusable(answer, answer.body === '' ? 'empty' : 'not JSON');
  }
  try {
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    const issue = parsed.error.issues[0];
    throw unusable(answer, `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'wrong shape'}`);
  } catch (error) {
    if (error instanceof RangeError) throw unusable(answer, 'nested too deeply');
    throw error;
  }
}

/** Parses contents like `parseAnswer`, but returns null for unusable contents, for callers that do not need them. */
export function parseOptional<T>(schema: z.ZodType<T>, answer: SiteAnswer): T | null {
  try {
    return parseAnswer(schema, answer);
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** An unusable success: `api.malformed`, and the outcome of a write is unknown. */
export function unusable(answer: SiteAnswer, reason: string): AppError {
  const { method, url, status } = answer;
  return classify({ kind: 'answer', method, url, ownSite: true, status, reason });
}

/** The input of one exchange apart from its request. */
interface ExchangeOptions extends SiteClientOptions {
  serverClock: ServerClock;
}

async function authorized(options: ExchangeOptions, transport: Transport, request: SiteRequest) {
  const url = typeof request.target === 'string' ? apiUrl(options.baseUrl, request.target) : new URL(request.target);
  for (const [name, value] of Object.entries(request.query ?? {})) {
    if (value !== null && value !== undefined && value !== '') url.searchParams.set(name, String(value));
  }
  const exchange = async (token: string | null) => {
    const isChange = token !== null && request.method !== 'GET';
    const refused = isChange ? await refusalOfLook(options, transport, token, request.signal) : null;
    return refused ?? exchangeOnce(options, transport, request, url, token);
  };
  if (!isOwnSite(options.baseUrl, url)) return accept(options, request, url, false, await exchange(null));

  const token = await beforeSending(() => options.tokens.accessToken());
  const first = await exchange(token);
  if (first.status !== 401) return accept(options, request, url, true, first);
  const renewed = await beforeSending(() => options.tokens.renew(token));
  return accept(options, request, url, true, await exchange(renewed));
}

/**
 * Looks at the library before the first change with a token, so that none reaches one that was restored from a backup. Returns the
 * answer when the token is refused, and null when the change may be sent. Throws `site.restored`, and the errors of the look; the
 * change was not sent then.
 */
async function refusalOfLook(
  options: ExchangeOptions,
  transport: Transport,
  token: string,
  signal: AbortSignal | undefined,
): Promise<WireAnswer | null> {
  const { epochs = NO_EPOCH_GUARD, baseUrl } = options;
  if (!epochs.isConfirmed(token)) {
    const url = apiUrl(baseUrl, TOKENINFO_PATH);
    const look: SiteRequest = { method: 'GET', target: TOKENINFO_PATH, signal };
    try {
      const answer = await exchangeOnce(options, transport, look, url, token);
      if (answer.status === 401) return answer;
      // An answer without an epoch proves nothing, unless it is the library's.
      if (!epochs.isConfirmed(token)) parseAnswer(tokenInfoSchema, accept(options, look, url, true, answer));
      epochs.confirm(token);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      throw new AppError(error.code, error.message, { ...error.details, outcome: 'not-sent' }, error);
    }
  }
  epochs.assertSame();
  return null;
}

/**
 * Returns true when a request was not sent because no token was available: an error of the account, not of the request.
 */
export function lacksToken({ details }: AppError): boolean {
  return details?.lacks === 'token';
}

/**
 * When no token is available the request is not sent: whatever the outcome of the token request, this request had no
 * effect.
 */
async function beforeSending(getToken: () => Promise<string>): Promise<string> {
  try {
    return await getToken();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const details = { ...error.details, outcome: 'not-sent', lacks: 'token' };
    if (isOfGateway(error)) throw behindGateway(error, details);
    // The error concerns all requests of the account, so it uses no retry of this one. The same applies to a token endpoint that
    // is missing for a moment (during a deployment, or at a proxy).
    const isOutOfOrder = endsRetries(error.code) && error.code.startsWith('api.');
    if (isOutOfOrder || dispositionOf(error.code) === 'retry') {
      throw appError('site.unreachable', {
        message: 'The library can’t renew your sign-in right now.',
        details,
        cause: error,
      });
    }
    throw new AppError(error.code, error.message, details, error);
  }
}

async function exchangeOnce(
  options: ExchangeOptions,
  transport: Transport,
  request: SiteRequest,
  url: URL,
  token: string | null,
): Promise<WireAnswer> {
  const { method, signal } = request;
  const ownSite = isOwnSite(options.baseUrl, url);
  const where = { method, ...loggedAddressOf(url, ownSite) };
  const headers: Record<string, string> = { 'user-agent': options.userAgent, accept: 'application/json' };
  if (token !== null) headers.authorization = `Bearer ${token}`;
  const body = bodyOf(request, headers);
  try {
    const timeoutMs = method === 'GET' ? READ_TIMEOUT_MS : WRITE_TIMEOUT_MS;
    const sentAt = options.clock.monotonic();
    const answer = await transport.exchange({ method, url, headers, body, timeoutMs, signal });
    if (ownSite) options.serverClock.observe(answer.headers, options.clock.monotonic() - sentAt);
    if (ownSite && token !== null) options.epochs?.observe(token, answer.headers);
    options.logger.debug('api.answered', { ...where, status: answer.status });
    return answer;
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    options.logger.debug('api.no-answer', { ...where, reason: error.code, phase: error.phase });
    const { code, phase, sent, facts } = error;
    throw classify({ kind: 'network', method, url, ownSite, code, phase, sent, facts });
  }
}

function bodyOf(request: SiteRequest, headers: Record<string, string>): string | null {
  if (request.form !== undefined) {
    headers['content-type'] = 'application/x-www-form-urlencoded';
    return new URLSearchParams(request.form).toString();
  }
  if (request.json === undefined) return null;
  headers['content-type'] = 'application/json';
  return JSON.stringify(request.json);
}

function accept(
  options: SiteClientOptions,
  request: SiteRequest,
  url: URL,
  ownSite: boolean,
  answer: WireAnswer,
): SiteAnswer {
  const { status, headers, body, bodyFault } = answer;
  const isSuccess = (status >= 200 && status < 300) || isDoneElsewhere(options, request, url, answer);
  if (isSuccess || (request.acceptRedirect === true && status >= 300 && status < 400)) {
    return { method: request.method, status, headers, url, body, bodyFault };
  }
  throw classify({
    kind: 'status',
    method: request.method,
    url,
    ownSite,
    status,
    contentType: headers['content-type'] ?? '',
    body,
    retryAfter: headers['retry-after'] ?? null,
    date: headers.date ?? null,
    allow: headers.allow,
  });
}

/**
 * Returns true when a write took effect and its 303 names a resource instead of a body. Only an address of the site's
 * own API counts: a login page says nothing about the write.
 */
function isDoneElsewhere(
  { baseUrl }: SiteClientOptions,
  { method }: SiteRequest,
  from: URL,
  { status, headers }: WireAnswer,
): boolean {
  if (method === 'GET' || status !== 303 || !headers.location) return false;
  const url = resolveLink(baseUrl, headers.location, from);
  return url !== null && isOwnSite(baseUrl, url) && url.href.startsWith(apiUrl(baseUrl, '/api2/').href);
}

async function follow(
  options: SiteClientOptions,
  request: (request: SiteRequest) => Promise<SiteAnswer>,
  asked: SiteRequest,
): Promise<SiteAnswer> {
  let next = asked;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const answer = await request({ ...next, acceptRedirect: true });
    const location = answer.headers.location;
    if (!isRedirect(answer.status) || location === undefined) {
      if (answer.status >= 300) throw redirected(answer, 'no address given');
      return answer;
    }
    const url = resolveLink(options.baseUrl, location, answer.url);
    if (url === null || !isOwnSite(options.baseUrl, url)) {
      // A login page of the network or of a gateway: the request can be repeated.
      throw redirected(answer, 'to another site', 'api.malformed');
    }
    next = { method: 'GET', target: url, signal: asked.signal };
  }
  throw appError('api.unexpected', { details: { reason: 'too many redirects', outcome: 'refused' } });
}

/**
 * Repeats a write with the same method and body when a 307 or 308 leads to another address of the site; the server that
 * sent it has not executed the write. The caller handles other origins and other redirects.
 */
function followingMoves(baseUrl: string, transport: Transport): Transport {
  return {
    ...transport,
    async exchange(request) {
      let next = request;
      for (let hop = 0; ; hop++) {
        const answer = await transport.exchange(next);
        const { location } = answer.headers;
        const isMoved = answer.status === 307 || answer.status === 308;
        if (request.method === 'GET' || !isMoved || location === undefined || hop === MAX_REDIRECTS) return answer;
        const url = resolveLink(baseUrl, location, next.url);
        if (url === null || !isOwnSite(baseUrl, url) || !isOwnSite(baseUrl, next.url)) return answer;
        next = { ...next, url };
      }
    },
  };
}

function redirected(answer: SiteAnswer, reason: string, code: ErrorCode = 'api.unexpected'): AppError {
  return appError(code, {
    details: {
      method: answer.method,
      path: answer.url.pathname,
      status: answer.status,
      reason: `redirect: ${reason}`,
      outcome: 'refused',
    },
  });
}
