import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { answerOf, clientFor, clientWith } from '../../../helpers/service/service-client.ts';
import { serviceOfFile } from '../../../helpers/service/service-of-file.ts';
import { authorize, FormBrowser, PKCE, PKCE_VERIFIER, signIn } from '../../../helpers/service/service-sign-in.ts';
import { databaseContent } from '../../../helpers/service/test-database.ts';

const LOOPBACK = 'http://localhost:41234/';

const service = await serviceOfFile();

async function token(params: Record<string, unknown>) {
  const body = JSON.stringify(params);
  const headers = { 'content-type': 'application/json' };
  const url = `${service.baseUrl}/api2/oauth/access_token`;
  return answerOf(await fetch(url, { method: 'POST', body, headers }), service.baseUrl);
}

function authorizationUrl(params: Record<string, string>): string {
  const query = {
    response_type: 'code',
    client_id: service.clientId,
    redirect_uri: LOOPBACK,
    state: 'abc',
    ...PKCE,
    ...params,
  };
  const given = Object.entries(query).filter(([, value]) => value !== '');
  return `${service.baseUrl}/api2/oauth/authorize?${new URLSearchParams(given)}`;
}

const open = (params: Record<string, string>) => fetch(authorizationUrl(params), { redirect: 'manual' });

async function freshCode(options: Parameters<typeof authorize>[1] = {}) {
  const { params, verifier } = await authorize(service, { redirectUri: LOOPBACK, ...options });
  return { code: params.get('code') ?? '', verifier };
}

describe('the authorization endpoint', () => {
  test.each([
    [{ state: '' }, 'invalid_request'],
    [{ response_type: '' }, 'invalid_request'],
    [{ response_type: 'password' }, 'unsupported_response_type'],
    [{ code_challenge_method: '' }, 'invalid_request'],
    [{ code_challenge: 'x'.repeat(43), code_challenge_method: 'plain' }, 'invalid_request'],
    [{ code_challenge: 'short', code_challenge_method: 'S256' }, 'invalid_request'],
  ])('returns the error of %j to the client', async (params, error) => {
    const response = await open(params);
    expect(response.status).toBe(302);
    const query = new URL(response.headers.get('location') ?? '').searchParams;
    expect(query.get('error')).toBe(error);
    if (!('state' in params)) expect(query.get('state')).toBe('abc');
  });

  test('accepts an https redirect only when it equals the registered one in every character, and only in a registered flow', async () => {
    const redirect = 'https://app.example/callback?x=1';
    await service.control('POST', '/clients', {
      id: 'web',
      display_name: 'Web',
      redirect_uris: [redirect],
      flows: ['token'],
    });
    expect((await open({ client_id: 'web', redirect_uri: redirect, response_type: 'token' })).status).toBe(200);
    expect((await open({ client_id: 'web', redirect_uri: `${redirect}&y=2`, response_type: 'token' })).status).toBe(
      400,
    );
    expect((await open({ client_id: 'web', redirect_uri: LOOPBACK, response_type: 'token' })).status).toBe(400);
    const location = (await open({ client_id: 'web', redirect_uri: redirect })).headers.get('location');
    expect(new URL(location ?? '').searchParams.get('error')).toBe('unauthorized_client');
  });
});

describe('the pages', () => {
  test('work without scripts, allow none, and cannot be framed', async () => {
    const response = await open({});
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain(`default-src 'none'`);
    expect(policy).toContain(`frame-ancestors 'none'`);
    expect(policy).not.toContain('unsafe');
    expect(await response.text()).not.toContain('<script');
  });

  test('set cookies that scripts cannot read and that forms of other sites do not send', async () => {
    for (const cookie of (await open({})).headers.getSetCookie()) {
      expect(cookie).toContain('HttpOnly');
      expect(cookie).toContain('SameSite=Lax');
    }
  });

  test('show text from the URL as text, never as markup', async () => {
    const html = await (await open({ state: '"><script>alert(1)</script>' })).text();
    expect(html).not.toContain('<script>alert');
  });

  test.each(['login', 'consent', 'sign-out'])('refuse a form that another site sends to %s', async (name) => {
    const query = authorizationUrl({}).split('?')[1] ?? '';
    const body = new URLSearchParams({ request: query, csrf: 'x', decision: 'approve', ...service.admin });
    const response = await fetch(`${service.baseUrl}/api2/oauth/${name}`, { method: 'POST', body, redirect: 'manual' });
    expect(response.status).toBe(403);
  });

  test('show the same message for a wrong password whether the account exists or not', async () => {
    const browser = new FormBrowser();
    const page = await browser.open(authorizationUrl({}));
    const wrong = await browser.submit(page, 'email_address', {
      email_address: service.admin.email_address,
      password: 'no',
    });
    const nobody = await browser.submit(page, 'email_address', {
      email_address: 'nobody@library.example',
      password: 'no',
    });
    expect(wrong.response.status).toBe(401);
    const problem = (html: string) => /class="problem"[^>]*>([^<]*)/.exec(html)?.[1];
    expect(problem(wrong.html)).toBe(problem(nobody.html));
  });

  test('refuse even the right password with 429 after ten failures, and accept it after the delay', async () => {
    const browser = new FormBrowser();
    const page = await browser.open(authorizationUrl({}));
    const email_address = 'viewer@library.example';
    for (let count = 0; count < 10; count += 1)
      await browser.submit(page, 'email_address', { email_address, password: 'no' });
    const last = await browser.submit(page, 'email_address', { email_address, password: service.admin.password });
    expect(last.response.status).toBe(429);
    await service.control('PATCH', '/settings', { clock_offset_ms: 2000 });
    const later = await browser.submit(page, 'email_address', { email_address, password: service.admin.password });
    expect(later.html).toContain('name="decision"');
    await service.control('PATCH', '/settings', { clock_offset_ms: 0 });
  });
});

describe('the token endpoint', () => {
  test('gives an access token an hour, and an app both scopes', async () => {
    const { expires_in, scope } = await signIn(service);
    expect([expires_in, scope]).toEqual([3600, 'library offline']);
  });

  test.each([null, '', 'x'.repeat(50)])('refuses a code with a challenge when the verifier is %j', async (wrong) => {
    const { code } = await freshCode();
    const answer = await token({
      grant_type: 'authorization_code',
      code,
      redirect_uri: LOOPBACK,
      client_id: service.clientId,
      ...(wrong === null ? {} : { code_verifier: wrong }),
    });
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  test('accepts a code once; using it again revokes the tokens of its first use', async () => {
    const { code, verifier } = await freshCode();
    const params = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: LOOPBACK,
      client_id: service.clientId,
      code_verifier: verifier,
    };
    const first = await token(params);
    expect((await token(params)).body.error).toBe('invalid_grant');
    expect((await clientWith(service, first.body).get('/api2/collections')).status).toBe(401);
  });

  test('refuses an expired code', async () => {
    const { code, verifier } = await freshCode();
    await service.control('PATCH', '/settings', { clock_offset_ms: 301_000 });
    const params = { grant_type: 'authorization_code', code, redirect_uri: LOOPBACK, client_id: service.clientId };
    expect((await token({ ...params, code_verifier: verifier })).body.error).toBe('invalid_grant');
    await service.control('PATCH', '/settings', { clock_offset_ms: 0 });
  });

  test('revokes all tokens of a sign-in, and no others, when a used refresh token is sent again', async () => {
    const stolen = await signIn(service);
    const other = await signIn(service);
    const params = { grant_type: 'refresh_token', client_id: service.clientId };
    const second = await token({ ...params, refresh_token: stolen.refresh_token });
    expect((await token({ ...params, refresh_token: stolen.refresh_token })).body.error).toBe('invalid_grant');
    expect((await token({ ...params, refresh_token: second.body.refresh_token })).body.error).toBe('invalid_grant');
    for (const tokens of [stolen, second.body]) {
      expect((await clientWith(service, tokens).get('/api2/collections')).status).toBe(401);
    }
    expect((await clientWith(service, other).get('/api2/collections')).status).toBe(200);
  });

  test.each([
    [{}, 'invalid_request'],
    [{ grant_type: 'password' }, 'unsupported_grant_type'],
    [{ grant_type: 'refresh_token', refresh_token: 'x' }, 'invalid_request'],
    [{ grant_type: 'refresh_token', refresh_token: 'x', client_id: 'stranger' }, 'invalid_client'],
    [{ grant_type: 'refresh_token', refresh_token: 'x', client_id: 'mediadesk' }, 'invalid_grant'],
    [{ grant_type: 'refresh_token', refresh_token: ['x'], client_id: 'mediadesk' }, 'invalid_request'],
    [[], 'invalid_request'],
    ['text', 'invalid_request'],
  ])('refuses %j with %s', async (params, error) => {
    const answer = await token(params as Record<string, unknown>);
    expect(answer).toMatchObject({ status: 400, body: { error } });
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  test('refuses invalid JSON as invalid_request', async () => {
    const url = `${service.baseUrl}/api2/oauth/access_token`;
    const response = await fetch(url, { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } });
    expect([response.status, (await response.json()).error]).toEqual([400, 'invalid_request']);
  });

  test('accepts a refresh token in read-only mode', async () => {
    const tokens = await signIn(service);
    await service.control('PATCH', '/settings', { read_only: true });
    const answer = await token({
      grant_type: 'refresh_token',
      refresh_token: tokens.refresh_token,
      client_id: service.clientId,
    });
    await service.control('PATCH', '/settings', { read_only: false });
    expect(answer.status).toBe(200);
  });
});

describe('access tokens', () => {
  test.each(['', 'Bearer', 'Bearer nonsense', 'Basic YTpi', 'bearer  x y'])(
    'are refused with 401 and a message when the header is %j',
    async (header) => {
      const response = await fetch(`${service.baseUrl}/api2/collections`, { headers: { authorization: header } });
      expect([response.status, await response.json()]).toEqual([401, { message: 'Bad credentials' }]);
    },
  );

  test('expire after the time that expires_in gave', async () => {
    await service.control('PATCH', '/settings', { access_token_s: 100 });
    const client = await clientFor(service);
    await service.control('PATCH', '/settings', { access_token_s: 3600 });
    expect(client.tokens.expires_in).toBe(100);
    expect((await client.get('/api2/oauth/tokeninfo')).body.expires_in).toBeLessThanOrEqual(100);
    await service.control('PATCH', '/settings', { clock_offset_ms: 101_000 });
    expect((await client.get('/api2/collections')).status).toBe(401);
    await service.control('PATCH', '/settings', { clock_offset_ms: 0 });
  });

  test('are, like refresh tokens and passwords, neither in the log and the journal nor in the database and keys.json', async () => {
    const tokens = await signIn(service);
    const client = clientWith(service, tokens);
    await client.get('/api2/collections');
    const secrets = [tokens.access_token, tokens.refresh_token, service.admin.password];
    const stored = [await databaseContent(service.dataDir), readFileSync(join(service.dataDir, 'keys.json'))];
    for (const secret of secrets) {
      for (const content of stored) expect(content.includes(secret)).toBe(false);
      expect(service.log()).not.toContain(secret);
      expect(JSON.stringify(await service.control('GET', '/journal'))).not.toContain(secret);
    }
  });

  test('survive a restart', async () => {
    const client = await clientFor(service);
    await service.kill9();
    await service.restart();
    expect((await client.get('/api2/collections')).status).toBe(200);
  });
});

test('the token endpoint exchanges a code that was requested without a challenge only without a verifier', async () => {
  await service.control('PATCH', '/settings', { require_pkce: false });
  const { code } = await freshCode({ pkce: false });
  const { code: other } = await freshCode({ pkce: false });
  await service.control('PATCH', '/settings', { require_pkce: null });
  const params = { grant_type: 'authorization_code', redirect_uri: LOOPBACK, client_id: service.clientId };
  // A verifier for a code without a challenge means that the challenge was removed on the way.
  const refused = await token({ ...params, code, code_verifier: PKCE_VERIFIER });
  expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  expect(await token({ ...params, code: other })).toMatchObject({ status: 200, body: { token_type: 'Bearer' } });
});
