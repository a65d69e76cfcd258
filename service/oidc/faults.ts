import * as oidc from 'openid-client';
import { ProviderFault } from './bounded-fetch.ts';
import { type Refusal, type RefusalReason, refused } from './refusals.ts';

/** Codes of `openid-client` by what they mean here; any other code means that the answer can't be verified. */
const REASONS: Readonly<Record<string, RefusalReason>> = {
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: 'clock',
  OAUTH_TIMEOUT: 'unreachable',
  OAUTH_ABORT: 'unreachable',
  OAUTH_RESPONSE_IS_NOT_CONFORM: 'unreachable',
  OAUTH_RESPONSE_IS_NOT_JSON: 'unreachable',
  OAUTH_PARSE_ERROR: 'unreachable',
};
const MAX_CAUSES = 5;

/**
 * Returns the refusal for an error of a request to a provider or of the check of its answer. Only codes go into the log: messages and
 * causes can have tokens.
 */
export function providerRefusalOf(error: unknown): Refusal {
  const fault = causesOf(error).find((each) => each instanceof ProviderFault);
  if (fault) return refused('unreachable', { detail: fault.code });
  if (error instanceof oidc.AuthorizationResponseError) {
    return refused('refused-by-provider', { detail: plainCode(error.error) });
  }
  if (error instanceof oidc.ResponseBodyError) {
    // The provider knows no such code: it was used already, or is not its own.
    const reason = error.error === 'invalid_grant' ? 'not-verified' : 'unreachable';
    return refused(reason, { detail: plainCode(error.error) });
  }
  if (error instanceof oidc.WWWAuthenticateChallengeError) {
    // The secret of the client or the access token is refused.
    return refused('unreachable', { detail: plainCode(error.cause[0]?.parameters.error ?? '') });
  }
  const code = codeOf(error);
  return refused(REASONS[code] ?? 'not-verified', { detail: code });
}

function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = [];
  let next = error;
  while (next instanceof Error && causes.length < MAX_CAUSES) {
    causes.push(next);
    next = next.cause;
  }
  return causes;
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code.slice(0, 60) : 'unknown';
}

/** Codes of errors come from outside: only the standard's form is repeated. */
function plainCode(code: string): string {
  return /^[a-z_]{1,60}$/.test(code) ? code : 'unknown';
}
