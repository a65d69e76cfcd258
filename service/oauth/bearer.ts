import { hashToken } from '../secrets/random-token.ts';
import type { Caller, Site } from '../site/site.ts';
import { unauthorized } from '../wire/problem.ts';

interface TokenRow {
  client_id: string;
  user_id: number;
  is_admin: number;
  scope: string;
  expires_at: number;
}

export interface BearerToken extends Caller {
  /** Epoch ms. */
  expiresAt: number;
}

/** Returns the caller that an `Authorization: Bearer` header identifies. Throws 401 without a valid access token. */
export async function callerOf(site: Site, header: string | undefined): Promise<BearerToken> {
  const sent = /^Bearer(?: |$)/i.test(header ?? '') ? 'bad-token' : 'no-token';
  const token = /^Bearer +([A-Za-z0-9._~+/=-]{1,512})$/i.exec(header ?? '')?.[1];
  const row =
    token &&
    (await site.store.get<TokenRow>(
      `SELECT t.client_id, t.user_id, t.scope, t.expires_at, u.is_admin FROM oauth_tokens t JOIN users u ON u.id = t.user_id
       WHERE t.hash = ? AND t.kind = 'access' AND u.deactivated_on IS NULL`,
      hashToken(token),
    ));
  if (!row || row.expires_at <= site.now()) throw unauthorized(sent);
  return {
    userId: row.user_id,
    isAdmin: row.is_admin === 1,
    clientId: row.client_id,
    scope: row.scope,
    expiresAt: row.expires_at,
  };
}
