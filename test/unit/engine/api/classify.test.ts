import { describe, expect, it } from 'vitest';
import { classify, outcomeOf } from '../../../../electron/engine/api/classify.ts';
import type { ExchangeFailure } from '../../../../electron/engine/api/failure.ts';
import { plainWords } from '../../../../electron/engine/api/plain-words.ts';
import { appError } from '../../../../shared/contract/app-error.ts';

const url = new URL('https://media.example.org/api2/media/7?signature=secret');

function status(code: number, body = '', over: Partial<Extract<ExchangeFailure, { kind: 'status' }>> = {}) {
  return classify({
    kind: 'status',
    method: 'POST',
    url,
    ownSite: true,
    status: code,
    contentType: '',
    body,
    retryAfter: null,
    ...over,
  });
}

function network(code: string, sent = true) {
  return classify({ kind: 'network', method: 'POST', url, ownSite: true, code, phase: null, sent });
}

describe('the classification of an answer', () => {
  it.each([
    [400, 'api.bad-request'],
    [401, 'sign-in.required'],
    [403, 'api.forbidden'],
    [404, 'api.not-found'],
    [408, 'api.server-error'],
    [409, 'api.conflict'],
    [410, 'api.not-found'],
    [418, 'api.unexpected'],
    [422, 'api.invalid'],
    [425, 'api.server-error'],
    [429, 'api.too-many-requests'],
    [302, 'api.unexpected'],
    [500, 'api.server-error'],
    [501, 'api.unexpected'],
    [502, 'api.server-error'],
    [503, 'api.server-error'],
    [504, 'api.server-error'],
    [505, 'api.unexpected'],
    [507, 'api.no-space'],
    [520, 'api.server-error'],
    [599, 'api.server-error'],
  ])('gives status %i the code %s', (code, expected) => {
    expect(status(code).code).toBe(expected);
  });

  it('treats a 503 as maintenance only when the library itself answers a write with a message in JSON', () => {
    const body = '{"message":"Writes are disabled."}';
    expect(status(503, body).code).toBe('api.read-only');
    expect(status(503, body, { method: 'GET' }).code).toBe('api.server-error');
    expect(status(503, '<h1>Down</h1>').code).toBe('api.server-error');
    expect(status(503, '{}').code).toBe('api.server-error');
    expect(status(503, body, { ownSite: false }).code).toBe('api.server-error');
  });

  it('treats a 422 as a quota only when the library itself says so in an object', () => {
    const body = (quota: unknown) => JSON.stringify({ message: 'Full', errors: [], quota });
    expect(status(422, body({ scope: 'site', limit_bytes: 1 })).code).toBe('api.quota-exceeded');
    expect(outcomeOf(status(422, body({})))).toBe('refused');
    for (const quota of [undefined, null, true, 'full', 7]) expect(status(422, body(quota)).code).toBe('api.invalid');
    expect(status(422, body({}), { ownSite: false }).code).toBe('api.invalid');
    expect(status(400, body({})).code).toBe('api.bad-request');
  });

  it('does not treat a 401 of another host as a missing sign-in', () => {
    expect(status(401, '', { ownSite: false }).code).toBe('api.forbidden');
  });

  it.each([
    ['strings', ['title: is too long']],
    ['objects', [{ field: 'title', message: 'is too long' }]],
    ['lists by field', { title: ['is too long'] }],
    ['lists in lists', [[[{ title: [['is too long']] }]]]],
  ])('reads the errors of a 422 when they are %s', (_, errors) => {
    const error = status(422, JSON.stringify({ message: 'Invalid', errors }));
    expect(error.details).toMatchObject({ message: 'Invalid', errors: [{ field: 'title', message: 'is too long' }] });
  });

  it('reads no errors of a 422 that are nested thousands of levels deep', () => {
    const body = `{"message":"Invalid","errors":${'['.repeat(5000)}"x"${']'.repeat(5000)}}`;
    expect(status(422, body).details).not.toHaveProperty('errors');
  });
});

describe('a missing answer is classified by the system error:', () => {
  it.each([
    ['ECONNREFUSED', 'network.unreachable'],
    ['ENOTFOUND', 'network.unreachable'],
    ['EAI_AGAIN', 'network.unreachable'],
    ['ECONNRESET', 'network.unreachable'],
    ['EPIPE', 'network.unreachable'],
    ['ENETUNREACH', 'network.unreachable'],
    ['ETIMEDOUT', 'network.timed-out'],
    ['CERT_HAS_EXPIRED', 'network.tls'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'network.tls'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'network.tls'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'network.tls'],
    ['EPROTO', 'network.tls'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'network.tls'],
    ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'network.tls'],
    ['ERR_TLS_PROTOCOL_VERSION_CONFLICT', 'network.tls'],
    ['ERROR_IN_CERT_NOT_AFTER_FIELD', 'network.tls'],
    ['CERT_NOT_YET_VALID', 'network.tls'],
    ['IP_ADDRESS_MISMATCH', 'network.tls'],
    ['ERR_TLS_HANDSHAKE_TIMEOUT', 'network.timed-out'],
    ['EHOSTDOWN', 'network.unreachable'],
    ['ENETDOWN', 'network.unreachable'],
    ['ENONET', 'network.unreachable'],
    ['ENOBUFS', 'network.unreachable'],
    ['EMFILE', 'network.unreachable'],
    ['EPERM', 'network.unreachable'],
    ['EACCES', 'network.unreachable'],
    ['EAI_SYSTEM', 'network.unreachable'],
    ['ESHUTDOWN', 'network.unreachable'],
    ['ERR_SOCKET_CLOSED', 'network.unreachable'],
    ['ERR_INVALID_ARG_TYPE', 'internal'],
    ['HPE_INVALID_CONSTANT', 'api.malformed'],
    ['ERR_SOMETHING_OF_OURS', 'internal'],
  ])('%s is %s', (code, expected) => {
    expect(network(code).code).toBe(expected);
  });
});

describe('a certificate that is not trusted', () => {
  it.each([
    ['SELF_SIGNED_CERT_IN_CHAIN', 'from an authority that Mediadesk doesn’t know'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'from an authority that Mediadesk doesn’t know'],
    ['CERT_HAS_EXPIRED', 'has expired'],
    ['CERT_NOT_YET_VALID', 'isn’t valid yet'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'is for another address'],
    ['EPROTO', 'couldn’t make an encrypted connection'],
    ['CRL_HAS_EXPIRED', 'isn’t trusted'],
  ])('is reported with its reason: %s', (code, words) => {
    expect(network(code).message).toContain(words);
  });
});

describe('the outcome of a write that failed', () => {
  it('is known when the service refused it, or when nothing was sent', () => {
    expect(outcomeOf(status(422))).toBe('refused');
    expect(outcomeOf(status(404))).toBe('refused');
    expect(outcomeOf(network('ECONNREFUSED', false))).toBe('not-sent');
    expect(outcomeOf(appError('input.invalid'))).toBe('not-sent');
    expect(outcomeOf(appError('sign-in.required'))).toBe('not-sent');
  });

  it('is unknown after a server error, a lost connection or a damaged answer', () => {
    expect(outcomeOf(status(502))).toBe('unknown');
    expect(outcomeOf(network('ECONNRESET'))).toBe('unknown');
    expect(outcomeOf(network('ETIMEDOUT'))).toBe('unknown');
    expect(
      outcomeOf(classify({ kind: 'answer', method: 'POST', url, ownSite: true, status: 201, reason: 'no Location' })),
    ).toBe('unknown');
    expect(outcomeOf(appError('internal'))).toBe('unknown');
  });
});

describe('the error of a failed request', () => {
  it('contains method, path and status, and never the query', () => {
    const error = status(404, '{"message":"No such item"}');
    expect(error.details).toMatchObject({
      method: 'POST',
      path: '/api2/media/7',
      status: 404,
      message: 'No such item',
    });
    expect(JSON.stringify(error.toData())).not.toContain('secret');
  });

  it('contains the host and no path when the request went to another host', () => {
    expect(status(403, '', { ownSite: false }).details).toMatchObject({ host: 'media.example.org' });
    expect(status(403, '', { ownSite: false }).details).not.toHaveProperty('path');
  });

  it('contains at most 500 characters of the server’s text', () => {
    expect(String(status(500, 'x'.repeat(10_000)).details?.message)).toHaveLength(500);
    expect(String(status(422, JSON.stringify({ message: 'y'.repeat(10_000) })).details?.message)).toHaveLength(500);
  });

  it('contains the text of an HTML page without markup', () => {
    const page =
      '<!doctype html><html><head><title>502</title><style>b{}</style></head><body><script>alert(1)</script><h1>Bad &amp; gone</h1><!-- x --><p>nginx</p></body></html>';
    expect(plainWords(page)).toBe('502 Bad & gone nginx');
    expect(status(502, page).details?.message).toBe('502 Bad & gone nginx');
  });

  it('contains the time of Retry-After in ms', () => {
    expect(status(429, '', { retryAfter: '7' }).details?.retryAfterMs).toBe(7000);
    expect(status(429, '', { retryAfter: 'Wed, 21 Oct 2015 07:28:00 GMT' }).details).not.toHaveProperty('retryAfterMs');
    const retryAfter = 'Wed, 21 Oct 2015 07:28:00 GMT';
    const date = 'Wed, 21 Oct 2015 07:27:30 GMT';
    expect(status(500, '', { retryAfter, date }).details?.retryAfterMs).toBe(30_000);
  });

  it('concerns the whole site after a 429 of the library, and only the request after one of another host', () => {
    expect(status(429, '', { ownSite: true }).code).toBe('api.too-many-requests');
    expect(status(429, '', { ownSite: false }).code).toBe('api.server-error');
  });

  it.each(['null', '[]', '"text"', '{"message":7}', '{', ''])('has a code also when the body is %s', (body) => {
    expect(status(500, body).code).toBe('api.server-error');
  });
});
