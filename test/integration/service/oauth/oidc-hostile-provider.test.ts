// A provider that lies in its tokens, its claims, its metadata and its answers, or does not answer.
import { createHmac, generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type HostileOidc, signedToken, unsignedToken } from '../../../helpers/service/hostile-oidc.ts';
import { type HostilePair, outcomeOf, startHostilePair } from '../../../helpers/service/hostile-pair.ts';
import { OidcBrowser, type Page } from '../../../helpers/service/oidc-browser.ts';
import { accountOn, type OidcLibrary, problemOn } from '../../../helpers/service/oidc-library.ts';
import { clientFor } from '../../../helpers/service/service-client.ts';
import { make } from '../../../helpers/service/service-people.ts';

/** Longer than the library waits for a provider, on any computer. */
const WITHIN_MS = 60_000;

let pair: HostilePair;
let honest: HostileOidc;
let liar: HostileOidc;
let library: OidcLibrary;
beforeAll(async () => {
  pair = await startHostilePair();
  ({ honest, liar, library } = pair);
});
afterAll(() => pair?.stop());
beforeEach(() => pair.reset());

/** Returns what the library logged about a page, by its reference. The log arrives by a pipe, later than the page. */
async function loggedFor(page: Page): Promise<Record<string, unknown>> {
  const reference = /Reference<\/dt><dd>([\w-]+)</.exec(page.html)?.[1];
  if (reference === undefined) throw new Error(`The page has no reference:\n${page.html.slice(-1500)}`);
  const lines = () => library.service.log().split('\n').slice(0, -1);
  const line = () => lines().find((each) => each.includes(reference)) ?? '';
  await expect.poll(line, { timeout: WITHIN_MS }).not.toBe('');
  return JSON.parse(line());
}

test('the hostile provider signs in when it does not lie', async () => {
  expect(outcomeOf(await library.signIn('liar'))).toEqual({
    status: 200,
    problem: null,
    account: 'Pat Doe (one@liar.example)',
  });
});

describe('an ID token', () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const nowS = Math.floor(Date.now() / 1000);

  test.each<[string, (claims: Record<string, unknown>) => string]>([
    ['no signature (alg none)', unsignedToken],
    ['the signature of another key', (claims) => signedToken(claims, privateKey, 'k')],
    ['an unknown key', (claims) => signedToken(claims, privateKey, 'unknown')],
    ['a symmetric signature by the secret of the client', (claims) => symmetric(claims, pair.secret)],
    ['a cut signature', (claims) => liar.sign(claims).slice(0, -8)],
    ['changed claims', (claims) => withClaims(liar.sign(claims), { ...claims, sub: 'two' })],
    ['an encrypted form', () => 'a.b.c.d.e'],
    ['no token in it', () => 'x'],
    ['the token of another issuer', (claims) => liar.sign({ ...claims, iss: honest.issuer })],
    ['another audience', (claims) => liar.sign({ ...claims, aud: 'other' })],
    ['several audiences and another party', (claims) => liar.sign({ ...claims, aud: [claims.aud, 'x'], azp: 'x' })],
    ['no nonce', (claims) => liar.sign({ ...claims, nonce: undefined })],
    ['another nonce', (claims) => liar.sign({ ...claims, nonce: 'x' })],
    ['no time of expiry', (claims) => liar.sign({ ...claims, exp: undefined })],
    ['no subject', (claims) => liar.sign({ ...claims, sub: undefined })],
    ['a subject of another type', (claims) => liar.sign({ ...claims, sub: { $ne: 1 } })],
  ])('with %s signs nobody in, even if the metadata allow it', async (_name, idToken) => {
    liar.metadata = { id_token_signing_alg_values_supported: ['RS256', 'none', 'HS256'] };
    await pair.readMetadataAgain();
    liar.idToken = idToken;
    const browser = new OidcBrowser();
    expect(outcomeOf(await library.signIn('liar', browser))).toMatchObject({ status: 502, account: null });
    expect(liar.redeemed).toHaveLength(1);
    expect(await pair.isSignedIn(browser)).toBe(false);
  });

  test.each([
    ['has expired', { exp: nowS - 3600 }],
    ['is not valid yet', { nbf: nowS + 3600 }],
  ])('that %s is explained by the clocks', async (_name, claims) => {
    liar.claims = { ...liar.claims, ...claims };
    expect(problemOn(await library.signIn('liar'))).toContain('the clock of University liar differ');
  });

  test.each([
    ['a control character', 'one\u0000'],
    ['a line break', 'one\n'],
    ['10 kB', 'x'.repeat(10_000)],
    ['256 characters', 'x'.repeat(256)],
    ['nothing', ''],
    ['a blank at its end', 'one '],
    ['letters outside of ASCII', 'öne'],
    ['a lone surrogate', '\ud800'],
  ])('whose subject has %s is refused', async (_name, sub) => {
    await pair.readMetadataAgain({ create_users: true });
    liar.claims = { ...liar.claims, sub, email: 'x@liar.example' };
    expect((await library.signIn('liar')).status).toBe(502);
  });

  test('gives its user hostile names and an address only as text', async () => {
    await pair.readMetadataAgain({ create_users: true });
    const bad = '<img src=x onerror=alert(1)>';
    liar.claims = {
      ...liar.claims,
      sub: bad,
      given_name: bad,
      family_name: '\u001b[31mred',
      name: { a: 1 },
      email: '"<b>"@liar.example',
      email_verified: true,
      is_admin: true,
      admin: true,
      groups: ['Administrators'],
    };
    const page = await library.signIn('liar');
    expect(page.status).toBe(200);
    expect(page.html).not.toContain('<img');
    expect(page.html).not.toContain('<b>"');
    expect(page.html).not.toContain('\u001b');
    const client = await clientFor(library.service);
    const unique_id = `oidc:liar:${bad}`;
    const { items } = (await client.get(`/api2/users?${new URLSearchParams({ unique_id })}`)).body;
    expect(items).toMatchObject([{ is_admin: false, unique_id }]);
  });
});

describe('a provider that does not behave', () => {
  const hang = () => {};
  const flood = (_request: unknown, response: import('node:http').ServerResponse) => {
    response.setHeader('content-type', 'application/json');
    const chunk = Buffer.alloc(1024 * 1024, 0x20);
    const more = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', more);
    more();
  };

  test.each(['/.well-known/openid-configuration', '/token', '/jwks'])(
    'and sends without end at %s costs a page, not the memory of the library',
    async (path) => {
      liar.paths.set(path, flood);
      const page = await library.signIn('liar');
      expect(outcomeOf(page)).toMatchObject({ status: 502, account: null });
      expect(await loggedFor(page)).toMatchObject({ detail: 'too-large' });
    },
  );

  test('and never answers costs a page within its limit, while others sign in', async () => {
    liar.paths.set('/.well-known/openid-configuration', hang);
    const waiting = library.signIn('liar');
    await expect.poll(() => liar.seen, { timeout: WITHIN_MS }).toContain('/.well-known/openid-configuration');
    expect(accountOn(await library.signIn('honest'))).not.toBe(null);
    const page = await waiting;
    expect(problemOn(page)).toContain('can’t be used at the moment');
    expect(page.html).toContain('Back to the sign-in page');
  });

  test.each<[string, Record<string, unknown>]>([
    ['another issuer', { issuer: 'https://other.example' }],
    ['no endpoint for tokens', { token_endpoint: undefined }],
    ['a page that is no web page', { authorization_endpoint: 'javascript:alert(1)' }],
    ['a page without TLS on another computer', { authorization_endpoint: 'http://other.example/authorize' }],
    ['keys in a local file', { jwks_uri: 'file:///etc/passwd' }],
    ['numbers for addresses', { token_endpoint: 7, jwks_uri: 8, authorization_endpoint: 9 }],
  ])('and names %s in its metadata signs nobody in', async (_name, metadata) => {
    liar.metadata = metadata;
    await pair.readMetadataAgain();
    const browser = new OidcBrowser();
    const page = await library.signIn('liar', browser);
    expect(outcomeOf(page)).toMatchObject({ status: 502, account: null });
    expect(
      browser.trail.filter((url) => !url.startsWith(liar.issuer) && !url.startsWith(library.service.baseUrl)),
    ).toEqual([]);
  });

  test('and has an endpoint without TLS on another computer gets no secret there', async () => {
    liar.metadata = { token_endpoint: 'http://192.0.2.1/token' };
    await pair.readMetadataAgain();
    const logged = await loggedFor(await library.signIn('liar'));
    expect(logged).toMatchObject({ reason: 'unreachable', detail: 'not-private' });
  });

  test.each<[string, number, string, string]>([
    ['a page', 200, 'text/html', '<h1>hello</h1>'],
    ['no JSON', 200, 'application/json', '{"access_token":"secret-of-the-token'],
    ['an error', 400, 'application/json', '{"error":"invalid_grant","error_description":"secret-of-the-token"}'],
    ['a failure', 500, 'text/plain', 'secret-of-the-token'],
    ['a list', 200, 'application/json', '[]'],
    ['nothing', 200, 'application/json', ''],
  ])(
    'and answers the code with %s signs nobody in, and its words are not in the log',
    async (_name, status, type, body) => {
      liar.paths.set(
        '/token',
        (_request, response) => void response.writeHead(status, { 'content-type': type }).end(body),
      );
      const page = await library.signIn('liar');
      expect(outcomeOf(page)).toMatchObject({ status: 502, account: null });
      await loggedFor(page);
      expect(library.service.log()).not.toContain('secret-of-the-token');
    },
  );

  test('and redirects the code elsewhere is not followed', async () => {
    liar.paths.set(
      '/token',
      (_request, response) => void response.writeHead(307, { location: `${honest.issuer}/token` }).end(),
    );
    expect((await library.signIn('liar')).status).toBe(502);
    expect(honest.redeemed).toEqual([]);
  });

  test('and sends an error of its own making gets none of its words into the log', async () => {
    liar.answer = { code: null, error: 'Leaked-token.1', error_description: 'leaked-description' };
    const page = await library.signIn('liar');
    expect(page.status).toBe(403);
    await loggedFor(page);
    expect(library.service.log()).not.toMatch(/leaked/i);
  });

  test('and verifies another address at its userinfo endpoint than the ID token has links no account', async () => {
    await make(await clientFor(library.service), 'users', { email_address: 'victim@liar.example' });
    liar.metadata = { userinfo_endpoint: `${liar.issuer}/userinfo` };
    liar.claims = { sub: 'thief', email: 'victim@liar.example' };
    await pair.readMetadataAgain({ allow_first_link_by_verified_email: true, groups_claim: 'groups' });
    let email = 'own@liar.example';
    liar.paths.set('/userinfo', (_request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ sub: 'thief', email, email_verified: true }));
    });
    expect((await library.signIn('liar')).status).toBe(409);
    email = 'victim@liar.example';
    expect(outcomeOf(await library.signIn('liar')).account).toBe('Pat Doe (victim@liar.example)');
  });

  test('and describes another user at its userinfo endpoint than in the ID token signs nobody in', async () => {
    liar.metadata = { userinfo_endpoint: `${liar.issuer}/userinfo` };
    await pair.readMetadataAgain();
    let sub = 'one';
    liar.paths.set('/userinfo', (_request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ sub, email: 'one@liar.example', email_verified: true }));
    });
    expect(outcomeOf(await library.signIn('liar')).account).toBe('Pat Doe (one@liar.example)');
    sub = 'two';
    expect(outcomeOf(await library.signIn('liar'))).toMatchObject({ status: 502, account: null });
  });
});

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

function symmetric(claims: Record<string, unknown>, secret: string): string {
  const body = `${part({ alg: 'HS256' })}.${part(claims)}`;
  return `${body}.${createHmac('sha256', secret).update(body).digest('base64url')}`;
}

function withClaims(token: string, claims: Record<string, unknown>): string {
  const [header, , signature] = token.split('.');
  return `${header}.${part(claims)}.${signature}`;
}
