// Attacks on the sign-in with a provider: by other browsers, other pages and mixed-up providers.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { HostileOidc } from '../../../helpers/service/hostile-oidc.ts';
import { type HostilePair, outcomeOf, passTime, startHostilePair } from '../../../helpers/service/hostile-pair.ts';
import { authorizeUrl, OidcBrowser, providerLink } from '../../../helpers/service/oidc-browser.ts';
import { accountOn, type OidcLibrary, problemOn } from '../../../helpers/service/oidc-library.ts';
import { clientFor } from '../../../helpers/service/service-client.ts';

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

describe('another browser', () => {
  test('gets nothing for a stolen answer, with or without a sign-in of its own, and its owner can still use it', async () => {
    const owner = new OidcBrowser();
    const stolen = await library.untilCallback('honest', owner);
    const thief = new OidcBrowser();
    expect((await thief.open(stolen)).status).toBe(400);
    await library.untilCallback('honest', thief);
    expect((await thief.open(stolen)).status).toBe(400);
    expect(await pair.isSignedIn(thief)).toBe(false);
    expect(honest.redeemed).toEqual([]);
    expect(accountOn(await owner.open(stolen))).toBe('Pat Doe (one@honest.example)');
  });

  test('is not signed in to the account of an attacker who sends it an answer (login CSRF)', async () => {
    const attacker = new OidcBrowser();
    const answer = await library.untilCallback('honest', attacker);
    const victim = new OidcBrowser();
    await library.untilCallback('honest', victim);
    expect((await victim.open(answer)).status).toBe(400);
    expect(await pair.isSignedIn(victim)).toBe(false);
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
    expect(await pair.isSignedIn(browser)).toBe(false);
  });

  test('with the state of another sign-in of the same browser is refused by the nonce', async () => {
    const browser = new OidcBrowser();
    const [first, second] = [
      new URL(await library.untilCallback('honest', browser)),
      new URL(await library.untilCallback('honest', browser)),
    ];
    first.searchParams.set('state', second.searchParams.get('state') ?? '');
    const page = await browser.open(first.href);
    expect(outcomeOf(page)).toMatchObject({ status: 502, account: null });
    expect(await pair.isSignedIn(browser)).toBe(false);
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
    await passTime(library, 601_000);
    expect((await browser.open(answer)).status).toBe(400);
    expect(await pair.isSignedIn(browser)).toBe(false);
  });

  test('with a repeated code, state or issuer is refused', async () => {
    for (const name of ['code', 'state', 'iss']) {
      const browser = new OidcBrowser();
      const answer = new URL(await library.untilCallback('honest', browser));
      answer.searchParams.append(name, answer.searchParams.get(name) ?? '');
      expect((await browser.open(answer.href)).status).toBeGreaterThanOrEqual(400);
      expect(await pair.isSignedIn(browser)).toBe(false);
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
        await pair.readMetadataAgain();
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
  ])('are distinguished by the issuer of the answer: %s is refused', async (_name, iss) => {
    liar.answer = { iss: iss() };
    expect((await library.signIn('liar')).status).toBe(400);
    expect(liar.redeemed).toEqual([]);
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

test('many refused answers from one network have to wait, and other sign-ins from it do not', async () => {
  const browser = new OidcBrowser();
  const answer = await library.untilCallback('honest', browser);
  const statuses = new Set<number>();
  for (let index = 0; index < 63; index += 1) {
    statuses.add((await new OidcBrowser().open(`${library.callback('honest')}?code=x&state=${index}`)).status);
  }
  expect([...statuses]).toEqual([400, 429]);
  expect(accountOn(await browser.open(answer))).not.toBe(null);
  expect((await clientFor(library.service)).tokens.access_token).toBeTruthy();
});

test('an unknown provider is 404', async () => {
  for (const path of ['/oidc/none/start', '/oidc/none/callback', '/oidc/__proto__/callback', '/oidc//callback']) {
    expect((await fetch(`${library.service.baseUrl}${path}`)).status).toBe(404);
  }
});
