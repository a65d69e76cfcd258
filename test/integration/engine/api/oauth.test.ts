import { describe, expect, it, onTestFinished } from 'vitest';
import { exchangeCode, type OauthContext, refreshTokens, tokenInfo } from '../../../../electron/engine/api/oauth.ts';
import { createTransport } from '../../../../electron/engine/api/transport.ts';
import { directConnections } from '../../../helpers/engine/direct-network.ts';
import { sendJson, startSmallServer } from '../../../helpers/wire/small-server.ts';

const grant = { code: 'c', redirectUri: 'http://localhost:1/', codeVerifier: 'v' };

function contextOf(baseUrl: string): OauthContext {
  const transport = createTransport(directConnections());
  onTestFinished(() => transport.close());
  return { baseUrl, clientId: 'desktop', transport, userAgent: 'Mediadesk/test' };
}

async function answering(status: number, body: string) {
  const server = await startSmallServer((_, response) => response.writeHead(status).end(body));
  return { server, context: contextOf(server.url) };
}

describe('the token endpoint', () => {
  it('receives code, redirect, client and verifier, and no bearer token', async () => {
    const { server, context } = await answering(200, '{"access_token":"a","refresh_token":"r","expires_in":"60"}');
    expect(await exchangeCode(context, grant)).toMatchObject({ access_token: 'a', refresh_token: 'r', expires_in: 60 });
    expect(server.seen[0]).toMatchObject({ method: 'POST', url: '/api2/oauth/access_token' });
    expect(server.seen[0]?.headers.authorization).toBeUndefined();
    expect(JSON.parse(server.seen[0]?.body ?? '')).toEqual({
      grant_type: 'authorization_code',
      code: 'c',
      redirect_uri: 'http://localhost:1/',
      client_id: 'desktop',
      code_verifier: 'v',
    });
  });

  it.each([
    [400, '{"error":"invalid_grant","error_description":"gone"}'],
    [401, '{"message":"Bad credentials"}'],
    [400, '<html>Bad Request</html>'],
    [403, ''],
  ])('ends the sign-in with the answer %i %s', async (status, body) => {
    const { context } = await answering(status, body);
    await expect(exchangeCode(context, grant)).rejects.toMatchObject({ code: 'sign-in.code-refused' });
    await expect(refreshTokens(context, 'r')).rejects.toMatchObject({ code: 'sign-in.required' });
  });

  it.each([
    [500, '', 'api.server-error'],
    [502, '<html>', 'api.server-error'],
    [503, '{"message":"Writes are disabled"}', 'api.read-only'],
    [429, '', 'api.too-many-requests'],
    [404, '<html>', 'api.not-found'],
    [407, '', 'api.unexpected'],
    [302, '', 'api.unexpected'],
    [200, '<html>Please log in</html>', 'api.malformed'],
    [200, '{"access_token":""}', 'api.malformed'],
    [200, '{}', 'api.malformed'],
  ])('does not end the sign-in with the answer %i %s', async (status, body, code) => {
    const { context } = await answering(status, body);
    await expect(refreshTokens(context, 'r')).rejects.toMatchObject({ code });
    await expect(exchangeCode(context, grant)).rejects.toMatchObject({ code });
  });

  it('does not end the sign-in when it is unreachable', async () => {
    const { server, context } = await answering(200, '');
    await server.close();
    await expect(refreshTokens(context, 'r')).rejects.toMatchObject({ code: 'network.unreachable' });
  });
});

describe('tokeninfo', () => {
  it('is requested with the token and returns the user of the token', async () => {
    const server = await startSmallServer((_, response) =>
      sendJson(response, 200, { audience: 'desktop', user_id: 7, scope: '', expires_in: 60 }),
    );
    expect(await tokenInfo(contextOf(server.url), 'a')).toMatchObject({ audience: 'desktop', user_id: '7' });
    expect(server.seen[0]?.headers.authorization).toBe('Bearer a');
  });
});
