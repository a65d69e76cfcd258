// Attacks on the sign-in with a provider: by other browsers, other pages, and a provider that lies.
import { createHmac, generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type HostileOidc,
  signedToken,
  startHostileOidc,
  unsignedToken,
} from '../../../helpers/service/hostile-oidc.ts';
import { authorizeUrl, OidcBrowser, type Page, providerLink } from '../../../helpers/service/oidc-browser.ts';
import {
  accountOn,
  type OidcLibrary,
  problemOn,
  providerSettings,
  startOidcLibrary,
} from '../../../helpers/service/oidc-library.ts';
import { clientFor } from '../../../helpers/service/service-client.ts';
import { make } from '../../../helpers/service/service-people.ts';

const SECRET = 'the secret of the library';

let honest: HostileOidc;
let liar: HostileOidc;
let library: OidcLibrary;

beforeAll(async () => {
  honest = await startHostileOidc();
  liar = await startHostileOidc();
  library = await startOidcLibrary(
    [providerSettings('honest', honest.issuer), providerSettings('liar', liar.issuer)],
    SECRET,
  );
  const admin = await clientFor(library.service);
  for (const name of ['honest', 'liar']) {
    await make(admin, 'users', { unique_id: `oidc:${name}:one`, email_address: `one@${name}.example` });
  }
});
afterAll(async () => {
  await library?.stop();
  await honest?.close();
  await liar?.close();
});

/** A new client id makes the library read the metadata again. */
let changes = 0;
const readMetadataAgain = async () => {
  changes += 1;
  for (const peer of [honest, liar]) peer.claims = { ...peer.claims, aud: `library-${changes}` };
  await library.change({ client_id: `library-${changes}` });
};

beforeEach(async () => {
  for (const peer of [honest, liar]) {
    Object.assign(peer, {
      metadata: {},
      claims: {},
      answer: {},
      idToken: (claims: Record<string, unknown>) => peer.sign(claims),
    });
    peer.paths.clear();
    peer.redeemed.length = 0;
    peer.seen.length = 0;
  }
  await readMetadataAgain();
  // Refused answers of earlier tests slow this network down; an hour later they are forgotten.
  const { clock_offset_ms } = await library.service.control<{ clock_offset_ms: number }>('GET', '/settings');
  await library.service.control('PATCH', '/settings', { clock_offset_ms: clock_offset_ms + 3_600_000 });
});

const outcome = (page: Page) => ({ status: page.status, problem: problemOn(page), account: accountOn(page) });
const isSignedIn = async (browser: OidcBrowser) =>
  accountOn(await browser.open(authorizeUrl(library.service))) !== null;

test('the hostile provider signs in when it does not lie', async () => {
  expect(outcome(await library.signIn('liar'))).toEqual({
    status: 200,
    problem: null,
    account: 'Pat Doe (one@liar.example)',
  });
});

describe('another browser', () => {
  test('gets nothing for a stolen answer, with or without a sign-in of its own, and its owner can still use it', async () => {
    const owner = new OidcBrowser();
    const stolen = await library.untilCallback('honest', owner);
    const thief = new OidcBrowser();
    expect((await thief.open(stolen)).status).toBe(400);
    await library.untilCallback('honest', thief);
    expect((await thief.open(stolen)).status).toBe(400);
    expect(await isSignedIn(thief)).toBe(false);
    expect(honest.redeemed).toEqual([]);
    expect(accountOn(await owner.open(stolen))).toBe('Pat Doe (one@honest.example)');
  });

  test('is not signed in to the account of an attacker who sends it an answer (login CSRF)', async () => {
    const attacker = new OidcBrowser();
    const answer = await library.untilCallback('honest', attacker);
    const victim = new OidcBrowser();
    await library.untilCallback('honest', victim);
    expect((await victim.open(answer)).status).toBe(400);
    expect(await isSignedIn(victim)).toBe(false);
  });
});

describe('an answer', () => {
  test('is used once: a replay signs nobody in', async () => {
    const browser = new OidcBrowser();
    const answer = await library.untilCallback('honest', browser);
    expect(accountOn(await browser.open(answer))).not.toBe(null);
    browser.cookies.delete([...browser.cookies.keys()].find((name) => name.includes('session')) ?? '');
    expect((await browser.open(answer)).status).toBe(400);
    expect(honest.redeemed).toHaveLength(1);
    expect(await isSignedIn(browser)).toBe(false);
  });

  test('with the state of another sign-in of the same browser is refused by the nonce', async () => {
    const browser = new OidcBrowser();
    const [first, second] = [
      new URL(await library.untilCallback('honest', browser)),
      new URL(await library.untilCallback('honest', browser)),
    ];
    first.searchParams.set('state', second.searchParams.get('state') ?? '');
    const page = await browser.open(first.href);
    expect(outcome(page)).toMatchObject({ status: 502, account: null });
    expect(await isSignedIn(browser)).toBe(false);
  });

  test.each([
    ['another state', { state: 'x'.repeat(43) }],
    ['no state', { state: null }],
    ['an empty state', { state: '' }],
  ])('with %s is refused before the provider is asked', async (_name, answer) => {
    honest.answer = answer;
    expect((await library.signIn('honest')).status).toBe(400);
    expect(honest.redeemed).toEqual([]);
  });

  test('expires after 10 minutes', async () => {
    const browser = new OidcBrowser();
    const answer = await library.untilCallback('honest', browser);
    const { clock_offset_ms } = await library.service.control<{ clock_offset_ms: number }>('GET', '/settings');
    await library.service.control('PATCH', '/settings', { clock_offset_ms: clock_offset_ms + 601_000 });
    expect((await browser.open(answer)).status).toBe(400);
    expect(await isSignedIn(browser)).toBe(false);
  });

  test('with a repeated code, state or issuer is refused', async () => {
    for (const name of ['code', 'state', 'iss']) {
      const browser = new OidcBrowser();
      const answer = new URL(await library.untilCallback('honest', browser));
      answer.searchParams.append(name, answer.searchParams.get(name) ?? '');
      expect((await browser.open(answer.href)).status).toBeGreaterThanOrEqual(400);
      expect(await isSignedIn(browser)).toBe(false);
    }
  });
});

describe('two providers', () => {
  test.each([true, false])(
    'can’t be mixed up: an answer at the address of the other one is refused, and its code goes to neither (answers name their issuer: %s)',
    async (namesIssuer) => {
      if (!namesIssuer) {
        for (const peer of [honest, liar]) {
          Object.assign(peer, {
            metadata: { authorization_response_iss_parameter_supported: false },
            answer: { iss: null },
          });
        }
        await readMetadataAgain();
        expect(accountOn(await library.signIn('honest'))).not.toBe(null);
        honest.redeemed.length = 0;
      }
      const browser = new OidcBrowser();
      const answer = new URL(await library.untilCallback('liar', browser));
      const atOther = answer.href.replace(library.callback('liar'), library.callback('honest'));
      expect((await browser.open(atOther)).status).toBe(400);
      expect((await browser.open(answer.href)).status).toBe(400);
      expect([honest.redeemed, liar.redeemed]).toEqual([[], []]);
    },
  );

  test('can’t be mixed up by a provider that sends the browser to the other one: the code of that one is not sent to it', async () => {
    // The classic attack: the user chooses the liar, whose page leads to the honest provider, which returns to the liar's address.
    liar.paths.set('/authorize', (request, response) => {
      const url = new URL(request.url ?? '', honest.issuer);
      response.writeHead(302, { location: `${honest.issuer}${url.pathname}${url.search}` }).end();
    });
    expect((await library.signIn('liar')).status).toBe(400);
    expect(liar.redeemed).toEqual([]);
  });

  test.each([
    ['the other provider', () => honest.issuer],
    ['no issuer', () => null],
    ['an empty text', () => ''],
    ['the same with a slash', () => `${liar.issuer}/`],
  ])('are told apart by the issuer of the answer: %s is refused', async (_name, iss) => {
    liar.answer = { iss: iss() };
    expect((await library.signIn('liar')).status).toBe(400);
    expect(liar.redeemed).toEqual([]);
  });
});

describe('an ID token', () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const nowS = Math.floor(Date.now() / 1000);

  test.each<[string, (claims: Record<string, unknown>) => string]>([
    ['no signature (alg none)', unsignedToken],
    ['the signature of another key', (claims) => signedToken(claims, privateKey, 'k')],
    ['an unknown key', (claims) => signedToken(claims, privateKey, 'unknown')],
    ['a symmetric signature by the secret of the client', (claims) => symmetric(claims, SECRET)],
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
    await readMetadataAgain();
    liar.idToken = idToken;
    const browser = new OidcBrowser();
    expect(outcome(await library.signIn('liar', browser))).toMatchObject({ status: 502, account: null });
    expect(liar.redeemed).toHaveLength(1);
    expect(await isSignedIn(browser)).toBe(false);
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
    await library.change({ create_users: true, client_id: `library-${changes}` });
    liar.claims = { ...liar.claims, sub, email: 'x@liar.example' };
    expect((await library.signIn('liar')).status).toBe(502);
  });

  test('gives its user hostile names and an address only as text', async () => {
    await library.change({ create_users: true, client_id: `library-${changes}` });
    const bad = '<img src=x onerror=alert(1)>';
    liar.claims = {
      ...{ ...liar.claims, sub: bad, given_name: bad, family_name: '\u001b[31mred', name: { a: 1 } },
      ...{ email: '"<b>"@liar.example', is_admin: true, admin: true, groups: ['Administrators'] },
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
      expect(outcome(page)).toMatchObject({ status: 502, account: null });
      expect(library.service.log()).toContain('too-large');
    },
  );

  test('and never answers costs a page within its limit, while others sign in', async () => {
    liar.paths.set('/.well-known/openid-configuration', hang);
    const waiting = library.signIn('liar');
    await expect.poll(() => liar.seen).toContain('/.well-known/openid-configuration');
    expect(accountOn(await library.signIn('honest'))).not.toBe(null);
    const page = await waiting;
    expect(problemOn(page)).toContain('can’t be used at the moment');
    expect(page.html).toContain('Back to the sign-in page');
  }, 30_000);

  test.each<[string, Record<string, unknown>]>([
    ['another issuer', { issuer: 'https://other.example' }],
    ['no endpoint for tokens', { token_endpoint: undefined }],
    ['a page that is no web page', { authorization_endpoint: 'javascript:alert(1)' }],
    ['a page without TLS on another computer', { authorization_endpoint: 'http://other.example/authorize' }],
    ['keys in a local file', { jwks_uri: 'file:///etc/passwd' }],
    ['numbers for addresses', { token_endpoint: 7, jwks_uri: 8, authorization_endpoint: 9 }],
  ])('and names %s in its metadata signs nobody in', async (_name, metadata) => {
    liar.metadata = metadata;
    await readMetadataAgain();
    const browser = new OidcBrowser();
    const page = await library.signIn('liar', browser);
    expect(outcome(page)).toMatchObject({ status: 502, account: null });
    expect(
      browser.trail.filter((url) => !url.startsWith(liar.issuer) && !url.startsWith(library.service.baseUrl)),
    ).toEqual([]);
  });

  test('and has an endpoint without TLS on another computer gets no secret there', async () => {
    liar.metadata = { token_endpoint: 'http://192.0.2.1/token' };
    await readMetadataAgain();
    const reference = /Reference<\/dt><dd>([\w-]+)</.exec((await library.signIn('liar')).html)?.[1] ?? 'none';
    const line =
      library.service
        .log()
        .split('\n')
        .find((each) => each.includes(reference)) ?? '{}';
    expect(JSON.parse(line)).toMatchObject({ reason: 'unreachable', detail: 'not-private' });
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
      expect(outcome(await library.signIn('liar'))).toMatchObject({ status: 502, account: null });
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
});

describe('the way back', () => {
  test('leads only to the request for which the sign-in page was made', async () => {
    const browser = new OidcBrowser();
    const link = new URL(providerLink(await browser.open(authorizeUrl(library.service)), 'honest'));
    for (const to of [
      '',
      '//evil.example/',
      'x&redirect_uri=https://evil.example/',
      '\r\nlocation: https://evil.example',
    ]) {
      link.searchParams.set('to', to);
      expect((await browser.open(link.href)).status).toBe(400);
    }
    expect(browser.trail).toEqual([]);
  });

  test('keeps a hostile request of an application inside of the library', async () => {
    const page = await new OidcBrowser().open(authorizeUrl(library.service, { redirect_uri: 'https://evil.example/' }));
    expect(page.status).toBe(400);
    expect(page.html).not.toContain('/oidc/');
    const browser = new OidcBrowser();
    const state = '"><script>\r\nx: y//evil.example\\';
    const start = await browser.open(authorizeUrl(library.service, { state }));
    const end = await browser.open(providerLink(start, 'honest'));
    expect(accountOn(end)).not.toBe(null);
    expect(new URL(end.url).searchParams.get('state')).toBe(state);
    expect(end.html).not.toContain('<script>');
  });

  test('is refused on a page when the request is too long', async () => {
    const browser = new OidcBrowser();
    const start = await browser.open(authorizeUrl(library.service, { state: 'x'.repeat(5000) }));
    expect(problemOn(await browser.open(providerLink(start, 'honest')))).toContain('too long');
  });
});

test('many refused answers from one network have to wait, and sign-ins by password do not', async () => {
  const statuses = new Set<number>();
  for (let index = 0; index < 63; index += 1) {
    statuses.add((await new OidcBrowser().open(`${library.callback('honest')}?code=x&state=${index}`)).status);
  }
  expect([...statuses]).toEqual([400, 429]);
  expect((await clientFor(library.service)).tokens.access_token).toBeTruthy();
});

test('an unknown provider is 404', async () => {
  for (const path of ['/oidc/none/start', '/oidc/none/callback', '/oidc/__proto__/callback', '/oidc//callback']) {
    expect((await fetch(`${library.service.baseUrl}${path}`)).status).toBe(404);
  }
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
