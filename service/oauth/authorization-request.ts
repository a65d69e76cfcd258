import { type Message, say } from '../languages/texts.ts';
import { queryOf } from '../wire/query.ts';
import type { OauthClient } from './clients.ts';
import { redirectAllowed } from './clients.ts';

/** The path of the authorization endpoint. */
export const AUTHORIZE = '/api2/oauth/authorize';

/** A valid authorization request, ready for the user's consent. */
export interface AuthorizationRequest {
  responseType: 'code' | 'token';
  redirectUri: string;
  scope: string;
  state: string;
  /** PKCE challenge (S256). */
  challenge: string | null;
}

export type Checked =
  | { kind: 'ok'; request: AuthorizationRequest }
  /** No redirect URI in the request can be trusted, so the user sees the message on a page. */
  | { kind: 'page'; message: Message }
  /** For the application: its description is English. */
  | { kind: 'redirect'; target: AuthorizationTarget; error: string; description: string };

/** The redirect URI that an outcome is sent to, and the form in which it is sent. */
export interface AuthorizationTarget {
  redirectUri: string;
  responseType: 'code' | 'token';
  state: string | null;
}

/** The supported scopes. Any other requested scope is not granted. */
const SCOPES = ['library', 'offline'];

/** Returns the names of parameters that occur more than once, which RFC 6749 (3.1) forbids. Takes linear time. */
export function repeatedParams(query: URLSearchParams): ReadonlySet<string> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const name of query.keys()) (seen.has(name) ? repeated : seen).add(name);
  return repeated;
}

export interface AuthorizationRules {
  requiresPkce: boolean;
}

/** Checks the parameters of an authorization request. The parameters that decide where an error may be sent are checked first. */
export function checkAuthorization(
  client: OauthClient | undefined,
  params: URLSearchParams,
  { requiresPkce }: AuthorizationRules,
): Checked {
  const repeated = repeatedParams(params);
  if (repeated.has('client_id') || repeated.has('redirect_uri')) {
    return { kind: 'page', message: say('problem.repeated') };
  }
  const query = queryOf(Object.fromEntries(params));
  if (!client) return { kind: 'page', message: say('problem.unknown-app') };
  const redirectUri = query.redirect_uri ?? '';
  const responseType = query.response_type === 'token' ? 'token' : 'code';
  if (!redirectAllowed(client, redirectUri, responseType)) {
    return { kind: 'page', message: say('problem.unknown-return') };
  }
  // If the request contains several `state` values, none of them can be trusted to be the application's.
  const state = repeated.has('state') ? null : query.state || null;
  const target: AuthorizationTarget = { redirectUri, responseType, state };
  const fail = (error: string, description: string): Checked => ({ kind: 'redirect', target, error, description });
  if (repeated.size > 0) return fail('invalid_request', 'A parameter is given more than once.');
  if (!query.response_type) return fail('invalid_request', 'response_type is required.');
  if (query.response_type !== responseType)
    return fail('unsupported_response_type', 'response_type must be code or token.');
  if (state === null) return fail('invalid_request', 'state is required.');
  if (!client.flows.includes(responseType))
    return fail('unauthorized_client', 'The application may not use this flow.');
  const challenge = query.code_challenge || null;
  if (challenge === null && requiresPkce && responseType === 'code') {
    return fail('invalid_request', 'code_challenge is required (PKCE, S256).');
  }
  if (challenge !== null && query.code_challenge_method !== 'S256') {
    return fail('invalid_request', 'code_challenge_method must be S256.');
  }
  if (challenge !== null && !/^[A-Za-z0-9_-]{43}$/.test(challenge)) {
    return fail('invalid_request', 'code_challenge must be the base64url form of a SHA-256 digest.');
  }
  return {
    kind: 'ok',
    request: { responseType, redirectUri, state, scope: grantedScope(query.scope, responseType), challenge },
  };
}

function grantedScope(asked: string | undefined, responseType: 'code' | 'token'): string {
  const possible = responseType === 'code' ? SCOPES : SCOPES.filter((name) => name !== 'offline');
  const wanted = (asked ?? '').split(/\s+/).filter((name) => possible.includes(name));
  return (wanted.length > 0 ? possible.filter((name) => wanted.includes(name) || name === 'offline') : possible).join(
    ' ',
  );
}

/** Returns the URL that carries an outcome: in the query for the code flow, in the fragment for the token flow. */
export function outcomeUrl(target: AuthorizationTarget, outcome: Readonly<Record<string, string>>): string {
  const params = outcomeText(target, outcome);
  if (target.responseType === 'token') return `${target.redirectUri}#${params}`;
  return `${target.redirectUri}${target.redirectUri.includes('?') ? '&' : '?'}${params}`;
}

/** The outcome's parameters with the state last, as a query string. */
export function outcomeText(target: AuthorizationTarget, outcome: Readonly<Record<string, string>>): string {
  const all = { ...outcome, ...(target.state === null ? {} : { state: target.state }) };
  return Object.entries(all)
    .map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`)
    .join('&');
}
