import { errorBodySchema } from '../../../shared/api/errors.ts';
import { type FieldProblem, fieldProblems } from '../../../shared/api/field-problems.ts';
import { AppError, appError } from '../../../shared/contract/app-error.ts';
import type { ErrorCode } from '../../../shared/contract/errors/error-catalog.ts';
import { nodeClock } from '../ports/system/node-clock.ts';
import type { ExchangeFailure, NetworkFailure, StatusFailure } from './failure.ts';
import { loggedAddressOf } from './links.ts';
import { kindOfNetworkCode, type NetworkCodeKind } from './network-codes.ts';
import { messageOfTls, proxyError } from './network-messages.ts';
import { plainWords } from './plain-words.ts';
import { retryAfterMs } from './retry-after.ts';

/**
 * Whether a failed request can have taken effect. `not-sent`: it never reached the library. `refused`: the library did
 * not execute it. `unknown`: the library may have executed it.
 */
export type WriteOutcome = 'not-sent' | 'unknown' | 'refused';

/** The maximum length of a server's text in an error. */
const MAX_MESSAGE_CHARS = 500;
const MAX_ERROR_SENTENCES = 20;

/**
 * The only function that assigns an error code to an answer of the library, or to a missing answer. It decides by
 * status and error code, never by text.
 */
export function classify(failure: ExchangeFailure): AppError {
  if (failure.kind === 'status') return classifyStatus(failure);
  if (failure.kind === 'network') return classifyNetwork(failure);
  return appError('api.malformed', {
    details: { ...where(failure), status: failure.status, reason: failure.reason, outcome: 'unknown' },
  });
}

/** Returns the outcome of a write from its error. An error that no request caused means that nothing was sent. */
export function outcomeOf(error: AppError): WriteOutcome {
  const outcome = error.details?.outcome;
  if (outcome === 'not-sent' || outcome === 'unknown' || outcome === 'refused') return outcome;
  return /^(input|site|sign-in|keychain|profile|file)\./.test(error.code) ? 'not-sent' : 'unknown';
}

/**
 * Returns whether a failed request certainly changed nothing: it was not sent, the library refused it, or the library is
 * read-only.
 */
export function tookNoEffect(error: unknown): boolean {
  return error instanceof AppError && (outcomeOf(error) !== 'unknown' || error.code === 'api.read-only');
}

function classifyStatus(failure: StatusFailure): AppError {
  const body = readBody(failure);
  const headers = { 'retry-after': failure.retryAfter ?? undefined, date: failure.date ?? undefined };
  const askedMs = retryAfterMs(headers, nodeClock.now());
  const details: Record<string, unknown> = {
    ...where(failure),
    status: failure.status,
    ...(body.message === '' ? {} : { message: body.message }),
    ...(body.errors.length === 0 ? {} : { errors: body.errors }),
    ...(askedMs === null ? {} : { retryAfterMs: askedMs }),
    ...(failure.status === 405 && failure.allow !== undefined ? { allow: failure.allow.slice(0, 100) } : {}),
    outcome: failure.status >= 500 && !NEVER.has(failure.status) ? 'unknown' : 'refused',
  };
  if (failure.status === 422 && failure.ownSite && body.isAboutQuota)
    return appError('api.quota-exceeded', { details });
  return appError(codeOfStatus(failure, body.isJson && body.message !== ''), { details });
}

/** Not implemented, and unsupported HTTP version: the request had no effect, and a retry would get the same answer. */
const NEVER: ReadonlySet<number> = new Set([501, 505]);

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
  507: 'api.no-space',
};

function codeOfStatus(failure: StatusFailure, hasJsonMessage: boolean): ErrorCode {
  if (failure.status === 401 && !failure.ownSite) return 'api.forbidden';
  const isWrite = failure.method !== 'GET' && failure.method !== 'HEAD';
  if (failure.status === 503 && isWrite && hasJsonMessage && failure.ownSite) return 'api.read-only';
  // A 429 of another host does not limit the requests to the library.
  if (failure.status === 429 && failure.ownSite) return 'api.too-many-requests';
  // Gateways have their own statuses (520 to 530); all mean that the library could not answer now.
  const fallback = failure.status >= 500 && !NEVER.has(failure.status) ? 'api.server-error' : 'api.unexpected';
  return CODE_BY_STATUS[failure.status] ?? fallback;
}

function classifyNetwork(failure: NetworkFailure): AppError {
  const { code, facts = {}, url, ownSite } = failure;
  const kind = kindOfNetworkCode(code);
  const host = ownSite ? null : url.host;
  const fault =
    kind === 'proxy'
      ? proxyError(code, facts)
      : { code: CODE_BY_KIND[kind], message: kind === 'tls' ? messageOfTls(code, host, facts.issuer) : null };
  return appError(fault.code, {
    ...(fault.message === null ? {} : { message: fault.message }),
    details: {
      ...where(failure),
      reason: code,
      ...facts,
      ...(failure.phase === null ? {} : { phase: failure.phase }),
      outcome: failure.sent ? 'unknown' : 'not-sent',
    },
  });
}

const CODE_BY_KIND: Readonly<Record<Exclude<NetworkCodeKind, 'proxy'>, ErrorCode>> = {
  unreachable: 'network.unreachable',
  lost: 'network.unreachable',
  'timed-out': 'network.timed-out',
  tls: 'network.tls',
  malformed: 'api.malformed',
  unknown: 'internal',
};

function where({ method, url, ownSite }: ExchangeFailure): Record<string, unknown> {
  return { method, ...loggedAddressOf(url, ownSite) };
}

interface ErrorBody {
  message: string;
  errors: FieldProblem[];
  isJson: boolean;
  isAboutQuota: boolean;
}

function readBody(failure: StatusFailure): ErrorBody {
  const json = parseObject(failure.body);
  const nothing = { message: '', errors: [], isJson: json !== null, isAboutQuota: false };
  if (json === null) return { ...nothing, message: cut(plainWords(failure.body)) };
  const parsed = errorBodySchema.safeParse(json);
  if (!parsed.success) return nothing;
  const { message, error, error_description, errors, quota } = parsed.data;
  return {
    message: cut(message ?? error_description ?? error ?? ''),
    errors: fieldProblems(errors)
      .slice(0, MAX_ERROR_SENTENCES)
      .map(({ field, message: text }) => ({ field: field === null ? null : cut(field), message: cut(text) })),
    isJson: true,
    isAboutQuota: typeof quota === 'object' && quota !== null,
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

function cut(text: string): string {
  return text.length <= MAX_MESSAGE_CHARS ? text : `${text.slice(0, MAX_MESSAGE_CHARS - 1)}…`;
}
