import { createHash, randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { repeatedParams } from '../../../../service/oauth/authorization-request.ts';
import { hasRepeatedKey } from '../../../../service/wire/json-keys.ts';
import { answerOf } from '../../../helpers/service/service-client.ts';
import { serviceOfFile } from '../../../helpers/service/service-of-file.ts';
import { authorize, FormBrowser, PKCE, PKCE_VERIFIER, signIn } from '../../../helpers/service/service-sign-in.ts';

const LOOPBACK = 'http://localhost:41234/';
const TOKEN = '/api2/oauth/access_token';
const FORM = 'application/x-www-form-urlencoded';

const service = await serviceOfFile();
beforeAll(async () => {
  await service.control('POST', '/clients', {
    id: 'other',
    display_name: 'Other',
    redirect_uris: ['http://localhost/', 'https://other.example/back'],
  });
});

const required = () => [
  ['response_type', 'code'],
  ['client_id', service.clientId],
  ['redirect_uri', LOOPBACK],
  ['state', 'abc'],
  ...Object.entries(PKCE),
];
const open = (params: string[][]) =>
  fetch(`${service.baseUrl}/api2/oauth/authorize?${new URLSearchParams(params)}`, { redirect: 'manual' });
const post = async (path: string, body: string, type: string) =>
  answerOf(
    await fetch(service.baseUrl + path, {
      method: 'POST',
      body,
      headers: { 'content-type': type },
      redirect: 'manual',
    }),
    service.baseUrl,
  );
const redeemJson = (fields: Record<string, unknown>) => post(TOKEN, JSON.stringify(fields), 'application/json');

async function freshCode(options: Parameters<typeof authorize>[1] = {}) {
  const { params, verifier } = await authorize(service, { redirectUri: LOOPBACK, ...options });
  const code = params.get('code') ?? '';
  expect(code).not.toBe('');
  return { code, verifier };
}

async function freshGrant() {
  const { code, verifier } = await freshCode();
  return {
    grant_type: 'authorization_code',
    code,
    redirect_uri: LOOPBACK,
    client_id: service.clientId,
    code_verifier: verifier ?? '',
  };
}

describe('a repeated parameter is rejected', () => {
  test.each(['response_type', 'state', 'scope', 'code_challenge', 'code_challenge_method', 'unknown'])(
    'when it is %s in an authorization request, with a redirect that reports the error to the application',
    async (name) => {
      const given = new Map([...required(), ['scope', 'library'], ['unknown', 'x']] as [string, string][]);
      for (const value of [given.get(name) ?? '', 'another']) {
        const response = await open([...given, [name, value]]);
        expect(response.status).toBe(302);
        const location = new URL(response.headers.get('location') ?? '');
        expect(location.origin).toBe('http://localhost:41234');
        expect(location.searchParams.get('error')).toBe('invalid_request');
        expect(location.searchParams.getAll('state')).toEqual(name === 'state' ? [] : ['abc']);
      }
    },
  );

  test.each(['client_id', 'redirect_uri'])('when it is %s in an authorization request, with 400', async (name) => {
    const given = required();
    const value = given.find(([each]) => each === name)?.[1] ?? '';
    for (const twice of [
      [...given, [name, value]],
      [...given, [name, 'https://evil.example/']],
      [[name, 'https://evil.example/'], ...given],
    ]) {
      const response = await open(twice);
      expect([response.status, response.headers.get('location')]).toEqual([400, null]);
    }
  });

  test('and the search for it among 13,000 names takes less than 200 ms, so that a small form cannot block the service', async () => {
    const names = Array.from({ length: 13_000 }, (_, index) => index.toString(36)).join('&');
    const query = new URLSearchParams(names);
    const startedAt = performance.now();
    expect(repeatedParams(query).size).toBe(0);
    expect(performance.now() - startedAt).toBeLessThan(200);
    expect([...repeatedParams(new URLSearchParams('a&b&a&c&b&a'))]).toEqual(['a', 'b']);
  });

  test('when its name is percent-encoded the second time', async () => {
    const query = `${new URLSearchParams(required())}&%73tate=abc`;
    const response = await fetch(`${service.baseUrl}/api2/oauth/authorize?${query}`, { redirect: 'manual' });
    expect(new URL(response.headers.get('location') ?? '').searchParams.get('error')).toBe('invalid_request');
  });

  test.each(['grant_type', 'code', 'redirect_uri', 'client_id', 'code_verifier', 'unknown'] as const)(
    'when it is %s in a token request, as a form and as JSON, and the code stays valid',
    async (name) => {
      const grant = { ...(await freshGrant()), unknown: 'x' };
      for (const value of [grant[name], 'another']) {
        const form = `${new URLSearchParams(grant)}&${new URLSearchParams({ [name]: value })}`;
        const json = `${JSON.stringify(grant).slice(0, -1)},${JSON.stringify(name)}:${JSON.stringify(value)}}`;
        const escaped = json.replace(/,"(.)([^"]*)":"[^"]*"\}$/, (_, first: string, rest: string) => {
          const code = first.charCodeAt(0).toString(16).padStart(4, '0');
          return `,"\\u${code}${rest}":"x"}`;
        });
        expect(escaped).toContain('\\u00');
        for (const answer of [await post(TOKEN, form, FORM), await redeemRaw(json), await redeemRaw(escaped)]) {
          expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
        }
      }
      expect((await redeemJson(grant)).status).toBe(200);
    },
  );
  const redeemRaw = (json: string) => post(TOKEN, json, 'application/json');

  test('in a refresh request, and the refresh token stays valid', async () => {
    const { refresh_token } = await signIn(service);
    const params = { grant_type: 'refresh_token', refresh_token, client_id: service.clientId };
    const twice = `${new URLSearchParams(params)}&refresh_token=${refresh_token}`;
    expect((await post(TOKEN, twice, FORM)).body.error).toBe('invalid_request');
    expect((await redeemJson(params)).status).toBe(200);
  });

  test('in the login form', async () => {
    const browser = new FormBrowser();
    const page = await browser.open(`${service.baseUrl}/api2/oauth/authorize?${new URLSearchParams(required())}`);
    const hidden = [...page.html.matchAll(/name="(request|csrf)" value="([^"]*)"/g)].map(
      ([, name = '', value = '']) => [
        name,
        value.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code))),
      ],
    );
    const body = new URLSearchParams([...hidden, ['email_address', 'a'], ['email_address', 'b'], ['password', 'c']]);
    expect((await browser.open(`${service.baseUrl}/api2/oauth/login`, body)).response.status).toBe(400);
  });

  test.each([
    ['{}', false],
    ['{"a":1,"b":{"a":1,"a":2},"c":[{"c":1,"c":2}]}', false],
    ['{"a":"x","b":"a","c":"\\"a\\":1"}', false],
    ['[{"a":1,"a":2}]', false],
    ['{"a":1,"a":1}', true],
    ['{"a":{"x":[1,"}"]},"b":2 , "a" : 3}', true],
    ['{"\\u0061":1,"a":2}', true],
    ['{"__proto__":1,"__proto__":2}', true],
    ['{"":1,"":2}', true],
    ['{"a\\\\":1,"a\\\\":2}', true],
    ['"a"', false],
  ])('in JSON only if a key is repeated at the top level; %s: %s', (json, expected) => {
    expect(() => JSON.parse(json)).not.toThrow();
    expect(hasRepeatedKey(json)).toBe(expected);
  });

  test('and the search for it takes time linear in the length of the JSON', () => {
    const long = `{"a":"${'\\"'.repeat(30_000)}${'{[":'.repeat(1000).replaceAll('"', '\\"')}","b":1}`;
    const begun = performance.now();
    for (let round = 0; round < 20; round += 1) expect(hasRepeatedKey(long)).toBe(false);
    expect(performance.now() - begun).toBeLessThan(2000);
  });
});

test('parameters in the URL of a token request are refused', async () => {
  const grant = await freshGrant();
  expect((await post(`${TOKEN}?${new URLSearchParams(grant)}`, '', FORM)).body.error).toBe('invalid_request');
  expect((await post(`${TOKEN}?client_id=x`, JSON.stringify(grant), 'application/json')).status).toBe(400);
  expect((await redeemJson(grant)).status).toBe(200);
});

describe('PKCE', () => {
  const withoutPkce = () => required().filter(([name]) => !name?.startsWith('code_'));
  const errorOf = async (params: string[][]) => {
    const location = (await open(params)).headers.get('location');
    return location === null ? null : new URL(location).searchParams.get('error_description');
  };

  test('is required in the code flow, but not in the token flow, when the setting require_pkce is true', async () => {
    await service.control('PATCH', '/settings', { require_pkce: true });
    expect(await errorOf(withoutPkce())).toBe('code_challenge is required (PKCE, S256).');
    const { params } = await authorize(service, { responseType: 'token', pkce: false });
    expect(params.get('access_token')).toBeTruthy();
    await service.control('PATCH', '/settings', { require_pkce: null });
  });

  test.each(['reference', 'lean'])(
    'is not required in the dialect %s, and is checked there when it is sent',
    async (dialect) => {
      await service.control('PATCH', '/settings', { dialect });
      const without = await authorize(service, { redirectUri: LOOPBACK, pkce: false });
      const { code } = await freshCode();
      await service.control('PATCH', '/settings', { dialect: 'reference' });
      expect(without.params.get('code')).toBeTruthy();
      const grant = { grant_type: 'authorization_code', code, redirect_uri: LOOPBACK, client_id: service.clientId };
      expect((await redeemJson(grant)).body.error).toBe('invalid_grant');
    },
  );

  test('is required in the dialect strict, and the setting require_pkce overrides the dialect', async () => {
    await service.control('PATCH', '/settings', { dialect: 'strict' });
    expect(await errorOf(withoutPkce())).toBe('code_challenge is required (PKCE, S256).');
    await service.control('PATCH', '/settings', { require_pkce: false });
    expect(await errorOf(withoutPkce())).toBeNull();
    await service.control('PATCH', '/settings', { require_pkce: true, dialect: 'reference' });
    expect(await errorOf(withoutPkce())).toBe('code_challenge is required (PKCE, S256).');
    await service.control('PATCH', '/settings', { require_pkce: null, dialect: 'reference' });
  });

  test('rejects the verifier of another request, and a challenge sent as verifier', async () => {
    const grant = await freshGrant();
    const challenge = createHash('sha256').update(grant.code_verifier).digest('base64url');
    for (const code_verifier of [
      PKCE_VERIFIER,
      challenge,
      `${grant.code_verifier}A`,
      grant.code_verifier.slice(0, -1),
    ]) {
      expect((await redeemJson({ ...grant, code_verifier })).body.error).toBe('invalid_grant');
    }
    expect((await redeemJson(grant)).status).toBe(200);
  });
});

describe('a code or a token of one client', () => {
  test('gives no token to another client', async () => {
    const grant = await freshGrant();
    expect((await redeemJson({ ...grant, client_id: 'other' })).body.error).toBe('invalid_grant');
    const first = await redeemJson(grant);
    const refresh = { grant_type: 'refresh_token', refresh_token: first.body.refresh_token };
    expect((await redeemJson({ ...refresh, client_id: 'other' })).body.error).toBe('invalid_grant');
    // The attempts of the other client used up neither the owner's code nor the refresh token.
    expect((await redeemJson({ ...refresh, client_id: service.clientId })).status).toBe(200);
  });

  test('is redeemed once when it is sent many times concurrently', async () => {
    const grant = await freshGrant();
    const answers = await Promise.all(Array.from({ length: 10 }, () => redeemJson(grant)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});

describe('a client', () => {
  test.each([
    'https://app.example/back#part',
    '/relative',
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'app.example',
  ])('cannot be registered with the redirect %s', async (redirect) => {
    const client = { id: 'odd', display_name: 'Odd', redirect_uris: [redirect] };
    await expect(service.control('POST', '/clients', client)).rejects.toThrow('422');
  });

  test.each([
    'https://other.example/back/',
    'https://other.example/back?x',
    'https://other.example/back/../back',
    'https://other.example/BACK',
    'https://OTHER.example/back',
    'https://other.example:443/back',
    'https://user@other.example/back',
    'https://other.example\\@evil.example/back',
    'https://other.example%2eevil.example/back',
    'https://other.example/back%0d%0aX-Header: 1',
    ' https://other.example/back',
    'https://other.example/back\n',
    'http://other.example/back',
    '//other.example/back',
    'http://localhost:80:80/',
    'http://localhost:8080/\u0000',
    'http://localhost:0x50/',
    'http://localhost:８０/',
  ])('is never redirected to %j when another URI is registered', async (redirect_uri) => {
    const params = required().map(([name = '', value = '']) => {
      if (name === 'client_id') return [name, 'other'];
      return [name, name === 'redirect_uri' ? redirect_uri : value];
    });
    const response = await open(params);
    expect([response.status, response.headers.get('location')]).toEqual([400, null]);
  });
});

describe('the sign-in pages', () => {
  const query = () => new URLSearchParams(required()).toString();

  /** The hidden fields of the first form that has a field of this name. */
  function fieldsOf(html: string, name: string): Record<string, string> {
    const form = (html.match(/<form[\s\S]*?<\/form>/g) ?? []).find((part) => part.includes(`name="${name}"`)) ?? '';
    return Object.fromEntries(
      [...form.matchAll(/name="(request|csrf)" value="([^"]*)"/g)].map(([, key = '', value = '']) => [
        key,
        value.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code))),
      ]),
    );
  }

  test('refuse a consent form after another user has signed in in the same browser', async () => {
    const browser = new FormBrowser();
    const login = await browser.open(`${service.baseUrl}/api2/oauth/authorize?${query()}`);
    const consent = await browser.submit(login, 'email_address', service.admin);
    const prepared = new URLSearchParams({ ...fieldsOf(consent.html, 'decision'), decision: 'approve' });
    await browser.submit(login, 'email_address', { ...service.admin, email_address: 'viewer@library.example' });
    const sent = await browser.open(`${service.baseUrl}/api2/oauth/consent`, prepared);
    expect([sent.response.status, sent.response.headers.get('location')]).toEqual([403, null]);
  });

  test('refuse the CSRF token of the login form in the consent form', async () => {
    const browser = new FormBrowser();
    const login = await browser.open(`${service.baseUrl}/api2/oauth/authorize?${query()}`);
    await browser.submit(login, 'email_address', service.admin);
    const body = new URLSearchParams({ ...fieldsOf(login.html, 'email_address'), decision: 'approve' });
    expect((await browser.open(`${service.baseUrl}/api2/oauth/consent`, body)).response.status).toBe(403);
  });

  test('refuse a consent for a request that differs from the shown one', async () => {
    const browser = new FormBrowser();
    const login = await browser.open(`${service.baseUrl}/api2/oauth/authorize?${query()}`);
    const consent = await browser.submit(login, 'email_address', service.admin);
    const fields = { ...fieldsOf(consent.html, 'decision'), decision: 'approve' };
    const request = query().replace('41234', '41235');
    const body = new URLSearchParams({ ...fields, request });
    expect((await browser.open(`${service.baseUrl}/api2/oauth/consent`, body)).response.status).toBe(403);
  });

  test('start a new session at each sign-in, whatever cookie the browser sent, and end the old one', async () => {
    const cookieOf = (cookies: string[], kind: string) => cookies.find((each) => each.includes(`_${kind}_`)) ?? '';
    const first = await fetch(`${service.baseUrl}/api2/oauth/authorize?${query()}`);
    const form = cookieOf(first.headers.getSetCookie(), 'form').split(';')[0] ?? '';
    const fields = fieldsOf(await first.text(), 'email_address');
    const name = form.split('=')[0]?.replace('_form_', '_session_') ?? '';
    const signInWith = async (session: string) => {
      const response = await fetch(`${service.baseUrl}/api2/oauth/login`, {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie: `${form}; ${name}=${session}` },
        body: new URLSearchParams({ ...fields, ...service.admin }),
      });
      return cookieOf(response.headers.getSetCookie(), 'session');
    };
    const isIn = async (session: string) => {
      const response = await fetch(`${service.baseUrl}/api2/oauth/authorize?${query()}`, {
        headers: { cookie: `${form}; ${name}=${session}` },
      });
      return (await response.text()).includes('name="decision"');
    };
    const planted = randomBytes(16).toString('base64url');
    const cookie = await signInWith(planted);
    const session = /=([^;]+)/.exec(cookie)?.[1] ?? '';
    expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Lax$/);
    expect([await isIn(planted), await isIn(session)]).toEqual([false, true]);
    const next = /=([^;]+)/.exec(await signInWith(session))?.[1] ?? '';
    expect([await isIn(session), await isIn(next)]).toEqual([false, true]);
  });

  test('cannot be framed or cached', async () => {
    const { headers } = await open(required());
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect([headers.get('x-frame-options'), headers.get('cache-control')]).toEqual(['DENY', 'no-store']);
  });
});
