import * as oidc from 'openid-client';
import type { OidcProvider } from '../site/oidc-settings.ts';
import type { ProviderConnections } from './connections.ts';
import { providerRefusalOf } from './faults.ts';
import type { Claims } from './identity.ts';
import { type Refusal, refused } from './refusals.ts';

/** A sign-in that begins: the page of the provider, and what its answer is checked against. */
export interface Begun {
  kind: 'begun';
  url: string;
  state: string;
  nonce: string;
  /** PKCE verifier. */
  verifier: string;
}

export interface FlowStart {
  redirectUri: string;
  /** Whether the provider must ask the user who it is, even if it remembers one. */
  asksAgain: boolean;
}

/** Prepares the code flow with PKCE, a state and a nonce. Never rejects. */
export async function beginFlow(
  connections: ProviderConnections,
  provider: OidcProvider,
  { redirectUri, asksAgain }: FlowStart,
): Promise<Begun | Refusal> {
  try {
    const configuration = await connections.to(provider);
    const verifier = oidc.randomPKCECodeVerifier();
    const [state, nonce] = [oidc.randomState(), oidc.randomNonce()];
    const url = oidc.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: provider.scopes.join(' '),
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
      ...(asksAgain ? { prompt: 'login' } : {}),
    });
    return { kind: 'begun', url: url.href, state, nonce, verifier };
  } catch (error) {
    return refused('unreachable', { detail: providerRefusalOf(error).detail ?? 'unknown' });
  }
}

/** The answer of a provider, as its redirect brought it, and what it must match. */
export interface ProviderAnswer {
  redirectUri: string;
  params: URLSearchParams;
  state: string;
  nonce: string;
  verifier: string;
}

/**
 * Exchanges the code of an answer and returns the verified claims. The issuer, the signature, the audience, the times and the nonce
 * of the ID token are checked; the claims of the userinfo endpoint add those that the ID token lacks. Never rejects.
 */
export async function finishFlow(
  connections: ProviderConnections,
  provider: OidcProvider,
  { redirectUri, params, state, nonce, verifier }: ProviderAnswer,
): Promise<{ kind: 'claims'; claims: Claims } | Refusal> {
  try {
    const configuration = await connections.to(provider);
    const metadata = configuration.serverMetadata();
    const issuers = params.getAll('iss');
    if (issuers.some((issuer) => issuer !== metadata.issuer) || issuers.length > 1) return refused('mixed-up');
    if (issuers.length === 0 && metadata.authorization_response_iss_parameter_supported) return refused('mixed-up');
    const answer = new URL(redirectUri);
    answer.search = params.toString();
    const tokens = await oidc.authorizationCodeGrant(configuration, answer, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (claims === undefined) return refused('not-verified', { detail: 'no ID token' });
    if (!lacksClaims(provider, claims) || metadata.userinfo_endpoint === undefined) return { kind: 'claims', claims };
    const more = await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub);
    return { kind: 'claims', claims: mergeClaims(claims, more) };
  } catch (error) {
    return providerRefusalOf(error);
  }
}

function lacksClaims({ groups_claim }: OidcProvider, claims: Claims): boolean {
  return !('email' in claims) || (groups_claim !== undefined && !Object.hasOwn(claims, groups_claim));
}

/**
 * Adds the claims of the userinfo endpoint to those of the ID token, which come first. Whether an address is verified is said by the
 * part that names this address.
 */
export function mergeClaims(idToken: Claims, userInfo: Claims): Claims {
  const merged = { ...userInfo, ...idToken };
  if (!('email' in idToken)) return { ...merged, email_verified: userInfo.email_verified };
  if (idToken.email === userInfo.email) return merged;
  return { ...merged, email_verified: idToken.email_verified };
}
