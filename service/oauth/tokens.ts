import { createHash } from 'node:crypto';
import { hashToken, randomToken } from '../secrets/random-token.ts';
import { sameText } from '../secrets/signer.ts';
import type { Site } from '../site/site.ts';
import type { AuthorizationRequest } from './authorization-request.ts';

/** An error of the token endpoint (RFC 6749, 5.2). */
export class TokenRefusal extends Error {
  readonly code: string;

  constructor(code: string, description: string) {
    super(description);
    this.code = code;
  }
}

export interface TokenAnswer {
  token_type: 'Bearer';
  access_token: string;
  /** Seconds. */
  expires_in: number;
  refresh_token: string;
  scope: string;
}

/** Creates an authorization code. It can be exchanged once. */
export async function issueCode(
  site: Site,
  clientId: string,
  userId: number,
  request: AuthorizationRequest,
): Promise<string> {
  const code = randomToken(24);
  await site.store.run(
    `INSERT INTO oauth_codes (hash, client_id, user_id, redirect_uri, scope, challenge, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    hashToken(code),
    clientId,
    userId,
    request.redirectUri,
    request.scope,
    request.challenge,
    site.now() + site.settings.current().code_s * 1000,
  );
  return code;
}

/** Creates an access token without a refresh token, for the token flow. */
export async function issueImplicit(site: Site, clientId: string, userId: number, scope: string) {
  const lifeS = site.settings.current().access_token_s;
  const grant = { family: randomToken(12), client_id: clientId, user_id: userId, scope, started_at: site.now() };
  return { access_token: await addToken(site, 'access', grant, lifeS), expires_in: lifeS };
}

interface CodeRow {
  hash: string;
  client_id: string;
  user_id: number;
  redirect_uri: string;
  scope: string;
  challenge: string | null;
  expires_at: number;
  family: string | null;
}

export interface Redemption {
  code: string;
  redirectUri: string;
  clientId: string;
  verifier: string | null;
}

/** Exchanges a code for tokens. A code that is used twice revokes the tokens of its first use. */
export async function redeemCode(
  site: Site,
  { code, redirectUri, clientId, verifier }: Redemption,
): Promise<TokenAnswer> {
  const { store } = site;
  const refused = new TokenRefusal('invalid_grant', 'The code is not valid.');
  return await settle(site, async () => {
    const row = await store.get<CodeRow>('SELECT * FROM oauth_codes WHERE hash = ?', hashToken(code));
    if (!row) return refused;
    if (row.family !== null) {
      await revokeFamily(site, row.family);
      return refused;
    }
    if (row.expires_at <= site.now() || row.client_id !== clientId || row.redirect_uri !== redirectUri) return refused;
    if (!verifierMatches(row.challenge, verifier))
      return new TokenRefusal('invalid_grant', 'The code_verifier is not right.');
    const family = randomToken(12);
    await store.run('UPDATE oauth_codes SET family = ? WHERE hash = ?', family, row.hash);
    return await issuePair(site, { ...row, family, started_at: site.now() });
  });
}

function verifierMatches(challenge: string | null, verifier: string | null): boolean {
  if (challenge === null) return verifier === null;
  if (verifier === null || !/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) return false;
  return sameText(createHash('sha256').update(verifier).digest('base64url'), challenge);
}

interface RefreshRow {
  family: string;
  client_id: string;
  user_id: number;
  scope: string;
  expires_at: number;
  used_at: number | null;
  created_at: number;
  started_at: number | null;
}

/** One sign-in of an app: the tokens of a family follow from it. */
interface Grant {
  family: string;
  client_id: string;
  user_id: number;
  scope: string;
  /** Epoch ms of the sign-in. */
  started_at: number;
}

/**
 * Exchanges a refresh token for a new pair, which invalidates the old token. If an invalidated token is sent again, two parties
 * have it: the whole family of tokens is revoked.
 */
export async function refresh(site: Site, token: string, clientId: string): Promise<TokenAnswer> {
  const { store } = site;
  const refused = new TokenRefusal('invalid_grant', 'The refresh token is not valid.');
  return await settle(site, async () => {
    const hash = hashToken(token);
    const row = await store.get<RefreshRow>(`SELECT * FROM oauth_tokens WHERE hash = ? AND kind = 'refresh'`, hash);
    if (!row || row.client_id !== clientId || row.expires_at <= site.now()) return refused;
    if (row.used_at !== null) {
      await revokeFamily(site, row.family);
      return refused;
    }
    await store.run('UPDATE oauth_tokens SET used_at = ? WHERE hash = ?', site.now(), hash);
    return await issuePair(site, { ...row, started_at: row.started_at ?? row.created_at });
  });
}

/** Runs the exchange in one transaction, which keeps a revocation even when the result is a refusal. */
async function settle(site: Site, exchange: () => Promise<TokenAnswer | TokenRefusal>): Promise<TokenAnswer> {
  const result = await site.store.transaction(exchange);
  if (result instanceof TokenRefusal) throw result;
  return result;
}

async function issuePair(site: Site, grant: Grant): Promise<TokenAnswer> {
  const { access_token_s, refresh_token_s } = site.settings.current();
  return {
    token_type: 'Bearer',
    access_token: await addToken(site, 'access', grant, access_token_s),
    expires_in: access_token_s,
    refresh_token: await addToken(site, 'refresh', grant, refresh_token_s),
    scope: grant.scope,
  };
}

async function addToken(site: Site, kind: 'access' | 'refresh', grant: Grant, lifeS: number): Promise<string> {
  const token = randomToken();
  const now = site.now();
  await site.store.run(
    `INSERT INTO oauth_tokens (hash, kind, family, client_id, user_id, scope, created_at, expires_at, started_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    hashToken(token),
    kind,
    grant.family,
    grant.client_id,
    grant.user_id,
    grant.scope,
    now,
    now + lifeS * 1000,
    grant.started_at,
  );
  return token;
}

async function revokeFamily(site: Site, family: string): Promise<void> {
  await site.store.run('DELETE FROM oauth_tokens WHERE family = ?', family);
}

/**
 * Deletes expired tokens, codes and sessions. Used refresh tokens are kept until they expire, and codes for an hour longer, so
 * that their reuse is detected.
 */
export async function deleteExpiredTokens(site: Site): Promise<void> {
  const now = site.now();
  await site.store.run('DELETE FROM oauth_tokens WHERE expires_at <= ?', now);
  await site.store.run('DELETE FROM oauth_codes WHERE expires_at <= ?', now - 3_600_000);
  await site.store.run('DELETE FROM sessions WHERE expires_at <= ?', now);
}
