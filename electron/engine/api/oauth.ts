import {
  TOKEN_PATH,
  TOKENINFO_PATH,
  type TokenInfo,
  type TokenResponse,
  tokenInfoSchema,
  tokenResponseSchema,
} from '../../../shared/api/oauth.ts';
import { type AppError, appError } from '../../../shared/contract/app-error.ts';
import type { ErrorCode } from '../../../shared/contract/errors/error-catalog.ts';
import { classify } from './classify.ts';
import { parseAnswer, type SiteAnswer } from './http-client.ts';
import { apiUrl } from './links.ts';
import { type Transport, type WireAnswer, WireError } from './transport.ts';

/** The dependencies of the calls below, which do not use a `SiteClient`. */
export interface OauthContext {
  baseUrl: string;
  clientId: string;
  transport: Transport;
  userAgent: string;
  signal?: AbortSignal | undefined;
}

const TIMEOUT_MS = 30_000;

/**
 * POST /api2/oauth/access_token with the code of a sign-in. When refused, throws `sign-in.code-refused`. `redirectUri` must be
 * exactly that of the authorization request.
 */
export async function exchangeCode(
  context: OauthContext,
  grant: { code: string; redirectUri: string; codeVerifier: string },
): Promise<TokenResponse> {
  const body = {
    grant_type: 'authorization_code',
    code: grant.code,
    redirect_uri: grant.redirectUri,
    client_id: context.clientId,
    code_verifier: grant.codeVerifier,
  };
  return tokens(context, body, 'sign-in.code-refused');
}

/**
 * POST /api2/oauth/access_token with a refresh token, which becomes invalid. When refused, throws `sign-in.required`,
 * whatever the form of the answer. All other errors (`network.*`, `api.*`) do not mean that the sign-in is invalid;
 * `outcomeOf` returns whether the token can have been used up.
 */
export function refreshTokens(context: OauthContext, refreshToken: string): Promise<TokenResponse> {
  const body = { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: context.clientId };
  return tokens(context, body, 'sign-in.required');
}

/** GET /api2/oauth/tokeninfo: the user and the client of a token. */
export async function tokenInfo(context: OauthContext, accessToken: string): Promise<TokenInfo> {
  const url = apiUrl(context.baseUrl, TOKENINFO_PATH);
  const answer = await exchange(context, 'GET', url, { authorization: `Bearer ${accessToken}` }, null);
  if (answer.status !== 200) throw refusal('GET', url, answer);
  return parseAnswer(tokenInfoSchema, asSiteAnswer('GET', url, answer));
}

async function tokens(context: OauthContext, body: object, refused: ErrorCode): Promise<TokenResponse> {
  const url = apiUrl(context.baseUrl, TOKEN_PATH);
  const answer = await exchange(context, 'POST', url, { 'content-type': 'application/json' }, JSON.stringify(body));
  if (answer.status >= 200 && answer.status < 300) {
    return parseAnswer(tokenResponseSchema, asSiteAnswer('POST', url, answer));
  }
  const error = refusal('POST', url, answer);
  if (!isRefusal(answer)) throw error;
  throw appError(refused, {
    details: { ...error.details, ...oauthError(answer.body), outcome: 'refused' },
    cause: error,
  });
}

/** 4xx statuses that a gateway may have sent instead of the token endpoint. */
const MAY_PASS = new Set([404, 405, 407, 408, 413, 425, 429]);

/**
 * Returns whether an answer refuses the token. The API does not specify the errors of the token endpoint, so any 4xx is a
 * refusal. Exceptions are statuses of a proxy, a rate limit or a deployment without the path: requiring a sign-in because of them
 * would stop an unattended computer without a reason.
 */
function isRefusal(answer: WireAnswer): boolean {
  return answer.status >= 400 && answer.status < 500 && !MAY_PASS.has(answer.status);
}

/** Returns the error code of RFC 6749, if the answer has one: for reports only; no decision depends on it. */
function oauthError(body: string): { oauthError?: string } {
  try {
    const value = JSON.parse(body) as { error?: unknown } | null;
    return typeof value?.error === 'string' ? { oauthError: value.error.slice(0, 100) } : {};
  } catch {
    return {};
  }
}

async function exchange(
  context: OauthContext,
  method: 'GET' | 'POST',
  url: URL,
  headers: Record<string, string>,
  body: string | null,
): Promise<WireAnswer> {
  const common = { 'user-agent': context.userAgent, accept: 'application/json' };
  try {
    return await context.transport.exchange({
      method,
      url,
      headers: { ...common, ...headers },
      body,
      timeoutMs: TIMEOUT_MS,
      signal: context.signal,
    });
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    const { code, phase, sent, facts } = error;
    throw classify({ kind: 'network', method, url, ownSite: true, code, phase, sent, facts });
  }
}

function refusal(method: string, url: URL, answer: WireAnswer): AppError {
  const { status, headers, body } = answer;
  const contentType = headers['content-type'] ?? '';
  const retryAfter = headers['retry-after'] ?? null;
  return classify({
    kind: 'status',
    method,
    url,
    ownSite: true,
    status,
    contentType,
    body,
    retryAfter,
    date: headers.date ?? null,
  });
}

function asSiteAnswer(method: 'GET' | 'POST', url: URL, answer: WireAnswer): SiteAnswer {
  return { method, url, ...answer };
}
