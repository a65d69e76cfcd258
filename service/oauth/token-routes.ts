import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Site } from '../site/site.ts';
import { bearerChallenge, Problem } from '../wire/problem.ts';
import { queryOf } from '../wire/query.ts';
import { callerOf } from './bearer.ts';
import { findClient } from './clients.ts';
import { createTokenLimit } from './token-limit.ts';
import { redeemCode, refresh, type TokenAnswer, TokenRefusal } from './tokens.ts';

const NO_STORE = { 'cache-control': 'no-store', pragma: 'no-cache' };

/** Refusals of something that can be guessed. */
const GUESSES: ReadonlySet<string> = new Set(['invalid_grant', 'invalid_client']);

/** The token endpoint (JSON or form) and tokeninfo. Both work in read-only mode. */
export function tokenRoutes(app: FastifyInstance, site: Site): void {
  const limit = createTokenLimit();
  app.post('/api2/oauth/access_token', async (request, reply) => {
    const waitMs = limit.waitMs(request.ip, site.now());
    if (waitMs > 0) {
      const headers = { ...NO_STORE, 'retry-after': String(Math.ceil(waitMs / 1000)) };
      throw new Problem(429, 'Too many refused requests for tokens. Wait before you try again.', [], headers);
    }
    try {
      // Parameters in a URL would be recorded in logs and histories (RFC 6749, 3.2).
      if (Object.keys(request.query as object).length > 0) {
        throw new TokenRefusal('invalid_request', 'The parameters belong in the body, not in the URL.');
      }
      return reply.headers(NO_STORE).send(await exchange(site, request.body));
    } catch (error) {
      if (!(error instanceof TokenRefusal)) throw error;
      if (GUESSES.has(error.code)) limit.refused(request.ip, site.now());
      return refuseToken(reply, site, error);
    }
  });

  app.get('/api2/oauth/tokeninfo', async (request, reply) => {
    const { clientId, userId, scope, expiresAt } = await callerOf(site, request.headers.authorization);
    const expires_in = Math.max(0, Math.floor((expiresAt - site.now()) / 1000));
    return reply.headers(NO_STORE).send({ audience: clientId, user_id: String(userId), scope, expires_in });
  });
}

async function exchange(site: Site, body: unknown): Promise<TokenAnswer> {
  const params = stringsOf(body);
  const need = (name: string): string => {
    const value = params[name];
    if (!value) throw new TokenRefusal('invalid_request', `${name} is required.`);
    return value;
  };
  const grantType = need('grant_type');
  if (grantType !== 'authorization_code' && grantType !== 'refresh_token') {
    throw new TokenRefusal('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token.');
  }
  const clientId = need('client_id');
  if (!(await findClient(site.store, clientId)))
    throw new TokenRefusal('invalid_client', 'The client is not registered.');
  if (grantType === 'refresh_token') return await refresh(site, need('refresh_token'), clientId);
  const redirectUri = need('redirect_uri');
  return await redeemCode(site, { code: need('code'), redirectUri, clientId, verifier: params.code_verifier || null });
}

function stringsOf(body: unknown): Readonly<Record<string, string | undefined>> {
  const given = body ?? {};
  const odd =
    typeof given !== 'object' ||
    Array.isArray(given) ||
    Object.values(given).some((value) => typeof value !== 'string');
  if (odd) throw new TokenRefusal('invalid_request', 'Every parameter must be a single text.');
  return queryOf(given);
}

export function refuseToken(reply: FastifyReply, site: Site, refusal: TokenRefusal): FastifyReply {
  reply.headers(NO_STORE);
  if (site.dialect().tokenErrors === 'message-401') {
    return reply.code(401).header('www-authenticate', bearerChallenge('no-token')).send({ message: refusal.message });
  }
  return reply.code(400).send({ error: refusal.code, error_description: refusal.message });
}
