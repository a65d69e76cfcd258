import type { Behavior } from '../server/behavior.ts';
import { html, json, type Reply, reply } from '../server/wire.ts';
import { casesOf } from '../suite/case.ts';
import { API, insteadOfFirst, on, onJson, READS } from './parts.ts';

// biome-ignore lint/suspicious/noExplicitAny: a case changes JSON of every shape
const response = (change: (tokens: any) => unknown): Behavior => onJson('token', change);

/** Revokes the access token at the first creation, and answers the first refresh with the result of `first`. */
function refreshMeets(first: (own: () => Reply | undefined) => Reply | undefined): Behavior {
  return {
    instead(request, world) {
      if (request.route === 'create-item' && world.times('create') === 1) world.library.access.clear();
      if (request.route !== 'token' || !request.body.includes('refresh_token')) return undefined;
      return world.times('refresh') === 1 ? first(() => undefined) : undefined;
    },
  };
}

export const TOKENS = casesOf('tokens', (it) => {
  it(
    'expires-text',
    'writes expires_in as text',
    response((tokens) => ({ ...tokens, expires_in: '3600' })),
  );
  it(
    'expires-missing',
    'leaves out expires_in',
    response(({ expires_in: _, ...tokens }) => tokens),
  );
  it(
    'expires-null',
    'has null as expires_in',
    response((tokens) => ({ ...tokens, expires_in: null })),
  );
  it(
    'expires-zero',
    'has 0 as expires_in for tokens that stay valid',
    response((tokens) => ({ ...tokens, expires_in: 0 })),
  );
  it(
    'expires-words',
    'has words as expires_in',
    response((tokens) => ({ ...tokens, expires_in: 'never' })),
  );
  it(
    'expires-fraction',
    'has a fraction as expires_in',
    response((tokens) => ({ ...tokens, expires_in: 3599.7 })),
  );
  it(
    'expires-huge',
    'has ten years as expires_in',
    response((tokens) => ({ ...tokens, expires_in: 315_360_000 })),
  );
  it('expires-soon', 'gives tokens valid for 10 s', { library: { tokenLifeS: 10 } }, { expect: { requests: 120 } });
  it(
    'type-lower-case',
    'writes the token type in lower case',
    response((tokens) => ({ ...tokens, token_type: 'bearer' })),
  );
  it(
    'type-missing',
    'leaves out the token type and the scope',
    response(({ token_type: _, scope: __, ...tokens }) => tokens),
  );
  it(
    'scope-list',
    'has the scope as a list',
    response((tokens) => ({ ...tokens, scope: ['media', 'files'] })),
  );
  it(
    'extra-fields',
    'adds an id token and other fields',
    response((tokens) => ({ ...tokens, id_token: 'e30.e30.', created_at: 1, user: { id: 3 } })),
  );
  it(
    'status-201',
    'answers the token request with 201',
    on('token', (own) => ({ ...own, status: 201 })),
  );
  it('no-rotation', 'keeps the refresh token', { ...refreshMeets(() => undefined), library: { rotatesTokens: false } });
  it(
    'rotation',
    'returns a new refresh token at each refresh',
    refreshMeets(() => undefined),
  );
  it('refresh-null', 'has null as the refresh token of a refresh', {
    ...refreshMeets(() => undefined),
    ...response((tokens) => ({ ...tokens, refresh_token: tokens.refresh_token ?? null })),
    library: { rotatesTokens: false },
  });
  it(
    '401-everywhere-once',
    'answers 401 with a page to the first request of each kind',
    insteadOfFirst(API, () =>
      html(401, 'Unauthorized', { 'WWW-Authenticate': 'Bearer realm="library", error="invalid_token"' }),
    ),
    { expect: { requests: 130 } },
  );
  it(
    '401-empty',
    'refuses the token once, with an empty body',
    insteadOfFirst('create-file', () => reply(401)),
    { expect: { requests: 60 } },
  );
  for (const [status, name] of [
    [500, 'Internal Server Error'],
    [502, 'Bad Gateway'],
    [503, 'Service Unavailable'],
    [504, 'Gateway Timeout'],
  ] as const) {
    it(
      `refresh-${status}`,
      `answers ${status} (${name}) to the first refresh`,
      refreshMeets(() => html(status, 'Error')),
      { expect: { requests: 60 } },
    );
  }
  it(
    'refresh-429',
    'answers 429 to the first refresh',
    refreshMeets(() => reply(429, '', { 'Retry-After': '1' })),
    { expect: { requests: 60 } },
  );
  it(
    'refresh-404',
    'answers 404 to the first refresh',
    refreshMeets(() => html(404, 'Not Found')),
    { expect: { requests: 60 } },
  );
  it(
    'refresh-slow',
    'takes 20 s to answer a token request',
    refreshMeets(() => undefined).instead
      ? {
          ...refreshMeets(() => undefined),
          ...on('token', (own) => ({ ...own, delayMs: 20_000 })),
        }
      : {},
    { expect: { requests: 60 } },
  );
  it(
    'refresh-html-type',
    'sends tokens with the type text/html',
    on('token', (own) => ({ ...own, headers: [['Content-Type', 'text/html']] })),
  );
  it(
    'tokeninfo-number',
    'has a number as user id',
    onJson('tokeninfo', (info) => ({ ...info, user_id: 3 })),
  );
  it(
    'tokeninfo-missing',
    'answers 404 to tokeninfo for signed-in users',
    on('tokeninfo', (own) => (own.status === 200 ? json(404, { message: 'Gone.' }) : own)),
  );
  it(
    'tokeninfo-500',
    'answers 500 to tokeninfo for signed-in users',
    on('tokeninfo', (own) => (own.status === 200 ? html(500, 'Oops') : own)),
  );
  it(
    'tokeninfo-sparse',
    'shows only user_id and audience in tokeninfo',
    onJson('tokeninfo', ({ user_id, audience, message }) => (message ? { message } : { user_id, audience })),
  );
  it(
    'user-forbidden',
    'answers 403 to requests for the own user',
    on('user', () => html(403, 'Forbidden')),
  );
  it(
    'cookies',
    'sets cookies with each answer',
    on([...READS, 'token', 'create-item'], (own) => ({
      ...own,
      headers: [...own.headers, ['Set-Cookie', 'a=1'], ['Set-Cookie', 'b=2; Secure']],
    })),
  );
});
