import type { Answer, JsonObject } from '../http/answer.ts';
import { CODE_VERIFIER, LOOPBACK } from '../http/authorization.ts';
import { Browser } from '../http/browser.ts';
import { type Case, casesOf } from '../suite/case.ts';
import * as is from '../suite/expect.ts';
import { check, equal, hasMessage, hasStatus, isString } from '../suite/expect.ts';
import { Skip } from '../suite/failure.ts';
import { fieldCases } from '../suite/field-cases.ts';
import { codeFor, codeRequest, redeem, tokensOf } from '../world/people.ts';
import type { World } from '../world/world.ts';

const TOKEN = '/api2/oauth/access_token';

async function newCode(w: World): Promise<string> {
  const browser = await w.once('browser', async () => new Browser(w.site));
  return codeFor(w.site, codeRequest(w.clientId), w.credentials(), browser);
}

async function newGrant(w: World): Promise<Answer> {
  return hasStatus(await redeem(w.site, w.clientId, await newCode(w)), 200);
}

/** Separate tokens, so that refreshing them does not affect other cases. */
async function newTokens(w: World) {
  const { accessToken, refreshToken } = tokensOf(await newGrant(w));
  if (refreshToken === null) throw new Skip('no refresh token was given');
  return { accessToken, refreshToken };
}

function refresh(w: World, refreshToken: string, clientId = w.clientId): Promise<Answer> {
  const body = { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: clientId };
  return w.site.send('POST', TOKEN, { body });
}

/** Checks that no token was issued; the API does not specify how the token endpoint refuses. */
function noToken(answer: Answer): void {
  check(answer.status >= 400 && answer.status < 500, `A 4xx was expected: ${answer}`);
  check(!answer.text.includes('access_token"'), `A token was given: ${answer}`);
}

const FIELDS = {
  token_type: [is.oneOf('Bearer'), 'how it is sent'],
  access_token: is.filled,
  expires_in: [is.integer, 'seconds'],
  refresh_token: [is.filled, 'always delivered to native clients'],
  scope: [is.string, 'granted permissions'],
} as const;

function hasNoStore(answer: Answer): void {
  check(/\bno-store\b/i.test(answer.headers.get('cache-control') ?? ''), 'Cache-Control is not no-store.');
  check(/\bno-cache\b/i.test(answer.headers.get('pragma') ?? ''), 'Pragma is not no-cache.');
}

const granting = casesOf('tokens', (it) => {
  const granted = (w: World): Promise<JsonObject> => w.once('grant', async () => (await newGrant(w)).object());
  fieldCases(it, 'a token response', granted, FIELDS);

  it('json', 'The token request can be JSON', async (w) => {
    tokensOf(await newGrant(w));
  });
  it('form', 'The token request can be application/x-www-form-urlencoded', async (w) => {
    const form = new URLSearchParams({
      grant_type: 'authorization_code',
      code: await newCode(w),
      redirect_uri: LOOPBACK,
      client_id: w.clientId,
      code_verifier: CODE_VERIFIER,
    });
    tokensOf(await w.site.send('POST', TOKEN, { form }));
  });
  it('headers', 'The token response has Cache-Control: no-store and Pragma: no-cache', async (w) => {
    hasNoStore(await newGrant(w));
  });
  it('expires-later', 'expires_in is above 0', async (w) => {
    check(Number((await granted(w)).expires_in) > 0, 'expires_in is not above 0.');
  });
  it('usable', 'The access token is accepted as a bearer token', async (w) => {
    const { accessToken } = await newTokens(w);
    hasStatus(await w.site.send('GET', '/api2/collections', { token: accessToken }), 200);
  });
  it('code-wrong', 'With a wrong code no token is issued', async (w) => {
    noToken(await redeem(w.site, w.clientId, `no-${w.word()}`));
  });
  it('client-wrong', 'With another client_id no token is issued', async (w) => {
    noToken(await redeem(w.site, `no-${w.word()}`, await newCode(w)));
  });
  it('grant-type-wrong', 'With an unknown grant_type no token is issued', async (w) => {
    const body = { grant_type: 'wish', code: await newCode(w), redirect_uri: LOOPBACK, client_id: w.clientId };
    noToken(await w.site.send('POST', TOKEN, { body }));
  });
  for (const name of ['grant_type', 'code', 'redirect_uri', 'client_id'] as const) {
    it(`no-${name.replace('_', '-')}`, `Without ${name} no token is issued`, async (w) => {
      const all = {
        grant_type: 'authorization_code',
        code: await newCode(w),
        redirect_uri: LOOPBACK,
        client_id: w.clientId,
        code_verifier: CODE_VERIFIER,
      };
      const { [name]: _left, ...body } = all;
      noToken(await w.site.send('POST', TOKEN, { body }));
    });
  }
});

const refreshing = casesOf('tokens', (it) => {
  const refreshed = (w: World) =>
    w.once('refreshed', async () => hasStatus(await refresh(w, (await newTokens(w)).refreshToken), 200));
  fieldCases(it, 'a response to a refresh', async (w) => (await refreshed(w)).object(), FIELDS, '-refreshed');

  it('refresh-headers', 'The response to a refresh has Cache-Control: no-store and Pragma: no-cache', async (w) => {
    hasNoStore(await refreshed(w));
  });
  it('refresh-usable', 'The new access token is accepted as a bearer token', async (w) => {
    const token = String((await refreshed(w)).object().access_token);
    hasStatus(await w.site.send('GET', '/api2/collections', { token }), 200);
  });
  it('refresh-chain', 'The new refresh token can be used for another refresh', async (w) => {
    const second = tokensOf(await refresh(w, (await newTokens(w)).refreshToken));
    const third = tokensOf(await refresh(w, second.refreshToken ?? ''));
    hasStatus(await w.site.send('GET', '/api2/collections', { token: third.accessToken }), 200);
  });
  it('refresh-supersedes', 'The new refresh token replaces the used one, which becomes invalid', async (w) => {
    const { refreshToken } = await newTokens(w);
    hasStatus(await refresh(w, refreshToken), 200);
    noToken(await refresh(w, refreshToken));
  });
  it('refresh-wrong', 'With a wrong refresh token no token is issued', async (w) => {
    noToken(await refresh(w, `no-${w.word()}`));
  });
  it('refresh-client-wrong', 'A refresh token is invalid for another client', async (w) => {
    noToken(await refresh(w, (await newTokens(w)).refreshToken, `no-${w.word()}`));
  });
  it('refresh-access-token', 'An access token is invalid as a refresh token', async (w) => {
    noToken(await refresh(w, (await newTokens(w)).accessToken));
  });
  it('refresh-as-access', 'A refresh token is invalid as an access token: 401', async (w) => {
    const token = (await newTokens(w)).refreshToken;
    hasStatus(await w.site.send('GET', '/api2/collections', { token }), 401);
  });
});

const inspecting = casesOf('tokens', (it) => {
  const info = (w: World) => w.once('tokeninfo', async () => w.api.read('/api2/oauth/tokeninfo'));
  fieldCases(
    it,
    'tokeninfo',
    info,
    { audience: is.filled, user_id: is.filled, scope: is.string, expires_in: [is.integer, 'seconds'] },
    '-tokeninfo',
  );
  it('tokeninfo-audience', 'audience is the client for which the token was issued', async (w) => {
    equal((await info(w)).audience, w.clientId, 'audience');
  });
  it('tokeninfo-user', 'user_id is the user who approved', async (w) => {
    const { email } = w.credentials();
    const user = await w.api.read(`/api2/users/${(await info(w)).user_id}`);
    equal(String(user.email_address).toLowerCase(), email.toLowerCase(), 'email_address of the user');
  });
  it('tokeninfo-bad', 'tokeninfo of a bad token: 401', async (w) => {
    hasStatus(await w.site.send('GET', '/api2/oauth/tokeninfo', { token: `no-${w.word()}` }), 401);
  });
  it('bad', 'A bad token: 401 with {message}', async (w) => {
    hasMessage(hasStatus(await w.site.send('GET', '/api2/collections', { token: `no-${w.word()}` }), 401));
  });
  it('bad-write', 'A bad token: 401 for writing requests too, and nothing is written', async (w) => {
    const display_name = w.name('not');
    const body = { display_name, parent_id: await w.homeId() };
    hasStatus(await w.site.send('POST', '/api2/collections', { body, token: 'none' }), 401);
    equal(await w.api.ids('/api2/collections', { display_name }), [], 'The collections of this name');
  });
  it('revoked', 'A token of a deleted user: 401 with {message}, and no refresh', async (w) => {
    const credentials = { email: `${w.name('gone')}@conformance.example`, password: `Pw-${w.name('x')}!9` };
    const user = await w.user({ email_address: credentials.email, password: credentials.password });
    const code = await codeFor(w.site, codeRequest(w.clientId), credentials);
    const { accessToken: token, refreshToken } = tokensOf(await redeem(w.site, w.clientId, code));
    hasStatus(await w.site.send('GET', '/api2/collections', { token }), 200);
    is.deleted(await w.api.delete(user.path));
    hasMessage(hasStatus(await w.site.send('GET', '/api2/collections', { token }), 401));
    noToken(await refresh(w, refreshToken ?? ''));
  });
  it('scheme', 'The token is sent as Bearer; another scheme is refused', async (w) => {
    const headers = { authorization: `Basic ${w.api.session.accessToken}` };
    is.notAllowed(await w.site.send('GET', '/api2/collections', { headers }));
  });
  it('recovery', 'After a refresh a request that was refused can be repeated with the new token', async (w) => {
    const { refreshToken } = await newTokens(w);
    hasStatus(await w.site.send('GET', '/api2/collections', { token: 'none' }), 401);
    const { accessToken } = tokensOf(await refresh(w, refreshToken));
    hasStatus(await w.site.send('GET', '/api2/collections', { token: accessToken }), 200);
    isString(accessToken, 'access_token');
  });
});

export const tokenCases: Case[] = [...granting, ...refreshing, ...inspecting];
