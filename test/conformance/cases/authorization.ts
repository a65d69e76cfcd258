import {
  type AuthorizationRequest,
  authorizationUrl,
  authorize,
  OOB,
  type Outcome,
  PKCE,
  randomState,
} from '../http/authorization.ts';
import { Browser } from '../http/browser.ts';
import { formsOf, textOf } from '../http/html.ts';
import { type AddCase, type Case, casesOf } from '../suite/case.ts';
import { check, equal, hasStatus } from '../suite/expect.ts';
import { Skip } from '../suite/failure.ts';
import { codeFor, codeRequest, redeem, tokensOf } from '../world/people.ts';
import type { World } from '../world/world.ts';

/** A browser in which the administrator has logged in; visits after the first need no password. */
const browserOf = (w: World) => w.once('browser', async () => new Browser(w.site));

async function visit(
  w: World,
  request: AuthorizationRequest,
  decision: 'approve' | 'deny' = 'approve',
): Promise<Outcome> {
  return authorize(w.site, request, w.credentials(), decision, await browserOf(w));
}

/** Checks that an outcome gave the application neither a code nor a token. */
function nothingGiven({ query, fragment, title, location }: Outcome): void {
  for (const [name, params] of Object.entries({ query, fragment })) {
    for (const param of ['code', 'access_token']) {
      check(!params.has(param), `The ${name} has ${param}, with ${location.split('?')[0]?.split('#')[0]}.`);
    }
  }
  check(!/^Success /.test(title), `The title is “${title.replace(/code=[^&]*/, 'code=…')}”.`);
}

function required(it: AddCase, name: keyof AuthorizationRequest): void {
  it(`no-${name.replace('_', '-')}`, `${name} is required`, async (w) => {
    nothingGiven(await visit(w, { ...codeRequest(w.clientId), [name]: undefined }));
  });
}

export const authorizationCases: Case[] = casesOf('authorization', (it) => {
  it('login', 'GET /oauth/authorize shows a login form to a user who has not logged in', async (w) => {
    const page = await new Browser(w.site).open(authorizationUrl(w.site, codeRequest(w.clientId)));
    let current = page;
    for (let hop = 0; current.location !== null && hop < 5; hop += 1) {
      current = await new Browser(w.site).open(new URL(current.location, current.url).href);
    }
    const names = formsOf(current.html).flatMap((form) => [...form.names]);
    for (const name of ['email_address', 'password']) check(names.includes(name), `No form has the field ${name}.`);
  });
  it('wrong-password', 'With a wrong password no code or token is issued', async (w) => {
    const { email } = w.credentials();
    const outcome = await authorize(w.site, codeRequest(w.clientId), { email, password: `not ${w.word()}` });
    nothingGiven(outcome);
    equal(outcome.sawConsent, false, 'Whether the consent form was shown');
  });
  it('consent', 'The user sees a consent form and decides', async (w) => {
    const outcome = await visit(w, codeRequest(w.clientId), 'deny');
    equal(outcome.sawConsent, true, 'Whether a form with a decision was shown');
  });
  for (const name of ['response_type', 'client_id', 'redirect_uri', 'state'] as const) required(it, name);
  it('response-type-unknown', 'response_type is code or token and nothing else', async (w) => {
    nothingGiven(await visit(w, { ...codeRequest(w.clientId), response_type: 'password' }));
  });
  it('client-unknown', 'client_id must be registered', async (w) => {
    const outcome = await visit(w, { ...codeRequest(w.clientId), client_id: `no-${w.word()}` });
    nothingGiven(outcome);
    equal(outcome.sawConsent, false, 'Whether the consent form was shown');
  });

  const STRANGE = {
    'other-host': 'http://evil.example/',
    'other-scheme': 'https://localhost:8765/',
    path: 'http://localhost:8765/callback',
    query: 'http://localhost:8765/?x=1',
    'no-slash': 'http://localhost:8765',
    'user-info': 'http://localhost:8765@evil.example/',
    subdomain: 'http://localhost.evil.example/',
    'loopback-ip': 'http://127.0.0.1:8765/',
    case: 'http://LOCALHOST:8765/',
    'port-0': 'http://localhost:0/',
    'port-above': 'http://localhost:65536/',
    'oob-more': `${OOB}:auto`,
  } as const;
  for (const [id, redirect_uri] of Object.entries(STRANGE)) {
    it(`redirect-${id}`, `redirect_uri must equal a registered one exactly: ${redirect_uri} is refused`, async (w) => {
      const outcome = await visit(w, { ...codeRequest(w.clientId), redirect_uri });
      nothingGiven(outcome);
      equal(outcome.kind, 'page', 'The answer instead of a redirect to it');
    });
  }
  for (const port of ['', ':1024', ':8765', ':65535']) {
    const redirect_uri = `http://localhost${port}/`;
    it(
      `port${port.replace(':', '-') || '-none'}`,
      `http://localhost/ may have any port: ${redirect_uri}`,
      async (w) => {
        const outcome = await visit(w, { ...codeRequest(w.clientId), redirect_uri });
        equal(outcome.location.split('?')[0], redirect_uri, 'Where the redirect leads');
        check(outcome.query.has('code'), 'No code is given.');
      },
    );
  }
  it('redirect-status', 'The user is sent back with a 302', async (w) => {
    equal((await visit(w, codeRequest(w.clientId))).status, 302, 'The status');
  });
  it('scope-absent', 'scope is optional', async (w) => {
    check((await visit(w, codeRequest(w.clientId))).query.has('code'), 'No code is given.');
  });
  it(
    'scope-unknown',
    'A request with an unknown scope is answered with a redirect that has a code or an error',
    async (w) => {
      const outcome = await visit(w, { ...codeRequest(w.clientId), scope: `of-${w.word()}` });
      const { code, error } = Object.fromEntries(outcome.query);
      check(code !== undefined || error !== undefined, 'There is neither a code nor an error.');
    },
  );
  const STATES = { short: 'x', long: 'a'.repeat(200), signs: 'a b&c=d+e%20f/?#ü€😀"<>', short10: '0123456789' };
  for (const [id, state] of Object.entries(STATES)) {
    it(`state-${id}`, `state is returned as it was sent (${id})`, async (w) => {
      const outcome = await visit(w, { ...codeRequest(w.clientId), state });
      equal(outcome.query.get('state'), state, 'state');
    });
  }
  it('code-granted', 'Granted, code flow: the query has code and state, the fragment nothing', async (w) => {
    const request = codeRequest(w.clientId);
    const { query, fragment } = await visit(w, request);
    check((query.get('code') ?? '') !== '', 'There is no code.');
    equal(query.get('state'), request.state, 'state');
    equal([...fragment].length, 0, 'The number of parameters in the fragment');
  });
  it('code-denied', 'Denied, code flow: the query has error, error_description and state, and no code', async (w) => {
    const request = codeRequest(w.clientId);
    const outcome = await visit(w, request, 'deny');
    nothingGiven(outcome);
    equal(outcome.query.get('state'), request.state, 'state');
    check((outcome.query.get('error') ?? '') !== '', 'There is no error.');
    check(outcome.query.has('error_description'), 'There is no error_description.');
  });
  it('denied-code', 'The error of a denial is access_denied, as in OAuth 2.0', async (w) => {
    const { query } = await visit(w, codeRequest(w.clientId), 'deny');
    equal(query.get('error'), 'access_denied', 'error');
  });
});

const oobRequest = (w: World, state = randomState()) => ({
  response_type: 'code',
  client_id: w.clientId,
  redirect_uri: OOB,
  state,
  ...PKCE,
});

export const nativeFlowCases: Case[] = casesOf('native-flow', (it) => {
  it('oob-granted', 'oob, approved: the title is “Success code=<code>&state=<state>”', async (w) => {
    const request = oobRequest(w);
    const { title } = await visit(w, request);
    const [, code, state] = /^Success code=([^&]+)&state=(.*)$/.exec(title) ?? [];
    check(code !== undefined, `The title is “${title.replace(/code=[^&]*/, 'code=…')}”.`);
    equal(state, request.state, 'state');
  });
  it('oob-printed', 'oob, approved: the code is also printed on the page', async (w) => {
    const { title, html } = await visit(w, oobRequest(w));
    const code = decodeURIComponent(/code=([^&]+)/.exec(title)?.[1] ?? '');
    const body = html.replace(/<head[\s\S]*?<\/head>|<title[\s\S]*?<\/title>/gi, '');
    check(code !== '' && textOf(body).includes(code), 'The code is not on the page.');
  });
  it(
    'oob-denied',
    'oob, denied: the title is “Denied error=<error>&error_description=<text>&state=<state>”',
    async (w) => {
      const request = oobRequest(w);
      const { title } = await visit(w, request, 'deny');
      const [, error, state] = /^Denied error=([^&]+)&error_description=[^&]*&state=(.*)$/.exec(title) ?? [];
      check((error ?? '') !== '', `The title is “${title}”.`);
      equal(state, request.state, 'state');
    },
  );
  it('oob-state', 'oob: a state of ten characters is not truncated', async (w) => {
    const { title } = await visit(w, oobRequest(w, '0123456789'));
    check(title.endsWith('state=0123456789'), 'The title does not end with the state.');
  });
  it('oob-redeem', 'oob: the code is exchanged for tokens with the same redirect_uri', async (w) => {
    const { title } = await visit(w, oobRequest(w));
    const code = decodeURIComponent(/code=([^&]+)/.exec(title)?.[1] ?? '');
    tokensOf(await redeem(w.site, w.clientId, code, OOB));
  });
  it('localhost', 'http://localhost/: the code arrives in the query of the redirect to the given port', async (w) => {
    const redirect_uri = 'http://localhost:49152/';
    const code = await codeFor(
      w.site,
      { ...codeRequest(w.clientId), redirect_uri },
      w.credentials(),
      await browserOf(w),
    );
    tokensOf(await redeem(w.site, w.clientId, code, redirect_uri));
  });
  it(
    'code-used-with-other-redirect',
    'redirect_uri of the token request must be the one of the authorization',
    async (w) => {
      const code = await codeFor(w.site, codeRequest(w.clientId), w.credentials(), await browserOf(w));
      const answer = await redeem(w.site, w.clientId, code, 'http://localhost:8766/');
      check(!answer.ok, `A token was given: ${answer}`);
    },
  );
  it('code-used-with-oob', 'A code of a localhost redirect gives no token for the oob redirect', async (w) => {
    const code = await codeFor(w.site, codeRequest(w.clientId), w.credentials(), await browserOf(w));
    check(!(await redeem(w.site, w.clientId, code, OOB)).ok, 'A token was given.');
  });
});

/** The authorization request of the token flow, for the client that is registered for it. */
const tokenRequest = (w: World) => ({
  response_type: 'token',
  client_id: w.options.tokenClientId ?? w.clientId,
  redirect_uri: w.options.tokenRedirectUri ?? 'http://localhost/',
  state: randomState(),
});

async function tokenVisit(w: World, request: AuthorizationRequest, decision: 'approve' | 'deny' = 'approve') {
  const outcome = await visit(w, request, decision);
  const error = outcome.fragment.get('error') ?? outcome.query.get('error');
  if (error === 'unauthorized_client' || error === 'unsupported_response_type') {
    throw new Skip('the client is not registered for this flow; give --token-client-id and --token-redirect-uri');
  }
  return outcome;
}

export const browserFlowCases: Case[] = casesOf('browser-flow', (it) => {
  it('granted', 'Granted: the fragment has access_token and state', async (w) => {
    const request = tokenRequest(w);
    const { fragment } = await tokenVisit(w, request);
    check((fragment.get('access_token') ?? '') !== '', 'There is no access_token.');
    equal(fragment.get('state'), request.state, 'state');
  });
  it('not-in-query', 'Granted: the query has no token, code or state', async (w) => {
    const { query } = await tokenVisit(w, tokenRequest(w));
    for (const name of ['access_token', 'code', 'state']) check(!query.has(name), `The query has ${name}.`);
  });
  it('denied', 'Denied: the fragment has error, error_description and state, and no token', async (w) => {
    const request = tokenRequest(w);
    const outcome = await tokenVisit(w, request, 'deny');
    nothingGiven(outcome);
    check((outcome.fragment.get('error') ?? '') !== '', 'There is no error.');
    check(outcome.fragment.has('error_description'), 'There is no error_description.');
    equal(outcome.fragment.get('state'), request.state, 'state');
  });
  it('redirect-status', 'The user is sent back with a 302', async (w) => {
    equal((await tokenVisit(w, tokenRequest(w))).status, 302, 'The status');
  });
  const ELSEWHERE = {
    port: ['http://localhost:8765/', 'only the native flow accepts any port'],
    oob: [OOB, 'only the native flow has the out-of-band page'],
    path: ['http://localhost/callback', 'its path is not the registered one'],
  } as const;
  for (const [id, [redirect_uri, words]] of Object.entries(ELSEWHERE)) {
    it(`redirect-${id}`, `No token goes to ${redirect_uri}, which is not registered: ${words}`, async (w) => {
      const request = tokenRequest(w);
      if (request.redirect_uri === redirect_uri) throw new Skip('this is the registered redirect');
      const outcome = await tokenVisit(w, { ...request, redirect_uri });
      nothingGiven(outcome);
      equal(outcome.kind, 'page', 'The answer instead of a redirect to it');
      check(!outcome.title.includes('access_token='), 'The page shows a token.');
    });
  }
  it('usable', 'The token of the fragment is accepted as a bearer token', async (w) => {
    const token = (await tokenVisit(w, tokenRequest(w))).fragment.get('access_token');
    hasStatus(await w.site.send('GET', '/api2/collections', { token }), 200);
  });
  it('audience', 'tokeninfo names the client that the token is for as audience', async (w) => {
    const request = tokenRequest(w);
    const token = (await tokenVisit(w, request)).fragment.get('access_token');
    const answer = hasStatus(await w.site.send('GET', '/api2/oauth/tokeninfo', { token }), 200);
    equal(answer.object().audience, request.client_id, 'audience');
  });
});
