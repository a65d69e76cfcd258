import { errorBodySchema, errorSentences } from '../../../shared/api/errors.ts';
import { type AppError, appError } from '../../../shared/contract/app-error.ts';
import type { ErrorCode } from '../../../shared/contract/error-catalog.ts';
import type { Failure, NetworkFailure, StatusFailure } from './failure.ts';

/**
 * Whether a request can have taken effect although it failed.
 * `not-sent`: it never reached the service. `refused`: the service said no. `unknown`: only the service can tell.
 */
export type Outcome = 'not-sent' | 'unknown' | 'refused';

/** Longest text of a server that goes into an error. */
const MAX_MESSAGE_CHARS = 500;
const MAX_ERROR_SENTENCES = 20;

/** The one place where an answer of the library, or its absence, gets its code: by status and code, never by text. */
export function classify(failure: Failure): AppError {
  if (failure.kind === 'status') return classifyStatus(failure);
  if (failure.kind === 'network') return classifyNetwork(failure);
  return appError('api.malformed', {
    details: { ...where(failure), status: failure.status, reason: failure.reason, outcome: 'unknown' },
  });
}

/** What `error` says about the write that it ended. An error that no request caused means that nothing was sent. */
export function outcomeOf(error: AppError): Outcome {
  const outcome = error.details?.outcome;
  if (outcome === 'not-sent' || outcome === 'unknown' || outcome === 'refused') return outcome;
  return /^(input|site|sign-in|keychain|profile|file)\./.test(error.code) ? 'not-sent' : 'unknown';
}

function classifyStatus(failure: StatusFailure): AppError {
  const body = readBody(failure);
  const retryAfterMs = retryAfter(failure.retryAfter);
  const details: Record<string, unknown> = {
    ...where(failure),
    status: failure.status,
    ...(body.message === '' ? {} : { message: body.message }),
    ...(body.errors.length === 0 ? {} : { errors: body.errors }),
    ...(retryAfterMs === null ? {} : { retryAfterMs }),
    outcome: failure.status >= 500 ? 'unknown' : 'refused',
  };
  return appError(codeOfStatus(failure, body.isJson && body.message !== ''), { details });
}

const CODE_BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  400: 'api.bad-request',
  401: 'sign-in.required',
  403: 'api.forbidden',
  404: 'api.not-found',
  408: 'api.server-error',
  409: 'api.conflict',
  410: 'api.not-found',
  422: 'api.invalid',
  425: 'api.server-error',
  429: 'api.server-error',
  500: 'api.server-error',
  502: 'api.server-error',
  503: 'api.server-error',
  504: 'api.server-error',
};

function codeOfStatus(failure: StatusFailure, hasJsonMessage: boolean): ErrorCode {
  if (failure.status === 401 && !failure.ownSite) return 'api.forbidden';
  const isWrite = failure.method !== 'GET' && failure.method !== 'HEAD';
  if (failure.status === 503 && isWrite && hasJsonMessage && failure.ownSite) return 'api.read-only';
  return CODE_BY_STATUS[failure.status] ?? 'api.unexpected';
}

const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EAI_NODATA',
  'EAI_NONAME',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENETRESET',
  'ENOTCONN',
  'EADDRNOTAVAIL',
  'EPIPE',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_DESTROYED',
]);
const TIMED_OUT = new Set(['ETIMEDOUT', 'ESOCKETTIMEDOUT', 'ERR_SOCKET_CONNECTION_TIMEOUT']);
const TLS =
  /^(CERT_|CRL_|ERR_TLS_|ERR_SSL_|EPROTO$|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH$|INVALID_(CA|PURPOSE)$|PATH_LENGTH_EXCEEDED$)/;
/** Nothing was wrong with a certificate: it did not come so far. */
const NO_TLS = /^(ERR_SSL_|EPROTO$)/;
const NO_TLS_MESSAGE = 'No encrypted connection could be made with the library.';

function classifyNetwork(failure: NetworkFailure): AppError {
  const code = codeOfNetwork(failure.code);
  return appError(code, {
    ...(code === 'network.tls' && NO_TLS.test(failure.code) ? { message: NO_TLS_MESSAGE } : {}),
    details: {
      ...where(failure),
      reason: failure.code,
      ...(failure.phase === null ? {} : { phase: failure.phase }),
      outcome: failure.sent ? 'unknown' : 'not-sent',
    },
  });
}

function codeOfNetwork(code: string): ErrorCode {
  if (TIMED_OUT.has(code)) return 'network.timed-out';
  if (UNREACHABLE.has(code)) return 'network.unreachable';
  if (TLS.test(code)) return 'network.tls';
  // What the HTTP parser and the decompressor could make nothing of.
  if (/^(HPE_|Z_|ERR_HTTP|ERR__ERROR_FORMAT|ERR_READING_RESPONSE|ERR_CONTENT_LENGTH)/.test(code))
    return 'api.malformed';
  return 'internal';
}

/** The path without its query, which can carry a signature; of a foreign host only its name. */
function where(failure: Failure): Record<string, unknown> {
  return failure.ownSite
    ? { method: failure.method, path: failure.url.pathname }
    : { method: failure.method, host: failure.url.host };
}

function readBody(failure: StatusFailure): { message: string; errors: string[]; isJson: boolean } {
  const json = parseObject(failure.body);
  if (json === null) return { message: cut(plainWords(failure.body)), errors: [], isJson: false };
  const parsed = errorBodySchema.safeParse(json);
  if (!parsed.success) return { message: '', errors: [], isJson: true };
  const { message, error, error_description, errors } = parsed.data;
  return {
    message: cut(message ?? error_description ?? error ?? ''),
    errors: errorSentences(errors).slice(0, MAX_ERROR_SENTENCES).map(cut),
    isJson: true,
  };
}

function parseObject(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : null;
  } catch {
    return null;
  }
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** The words of a text that may be an HTML page. Not for showing as HTML: it stays text. */
export function plainWords(text: string): string {
  return text
    .slice(0, 100_000)
    .replace(/<!--[\s\S]*?-->/g, ' ')
    .replace(/<(script|style|head)\b[\s\S]*?<\/\1\s*>/gi, (block) => /<title[^>]*>([^<]*)/i.exec(block)?.[1] ?? ' ')
    .replace(/<[a-z!/][^>]*>/gi, ' ')
    .replace(/&(amp|lt|gt|quot|apos|nbsp);/g, (_, name: string) => ENTITIES[name] ?? ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function cut(text: string): string {
  return text.length <= MAX_MESSAGE_CHARS ? text : `${text.slice(0, MAX_MESSAGE_CHARS - 1)}…`;
}

/** Seconds only: a date would need a clock that agrees with the server's. */
function retryAfter(header: string | null): number | null {
  return header !== null && /^\d{1,6}$/.test(header.trim()) ? Number(header.trim()) * 1000 : null;
}
