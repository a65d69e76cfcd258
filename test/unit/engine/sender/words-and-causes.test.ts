import { describe, expect, it } from 'vitest';
import { destinationRefusalOf, transferError } from '../../../../electron/engine/uploads/delivery/sender/answers.ts';

describe('the text of a destination’s answer', () => {
  const sent = { sentBytes: 7, allSent: false };
  const answer = (text: string) => destinationRefusalOf({ status: 413, headers: {}, text }, sent)?.details?.answer;

  it('is reported without markup and shortened', () => {
    const page = '<!doctype html><head><title>413</title><script>var a = "<b>";</script></head>\n<h1>Too  big</h1>';
    expect(answer(page)).toBe('413 Too big');
    expect(answer('<style>a{}</style >no<STYLE>b{}</STYLE>te')).toBe('no te');
    expect(answer('a'.repeat(2000))).toHaveLength(500);
    expect(answer('1 < 2 and 3 > 2')).toBe('1 < 2 and 3 > 2');
  });
});

describe('a broken transfer', () => {
  const facts = { sentBytes: 7, allSent: false };
  const failed = (code: string, syscall?: string) => Object.assign(new Error(code), { code, syscall });

  it.each([
    ['ECONNREFUSED', 'connect', 'network.unreachable'],
    ['ENOTFOUND', 'getaddrinfo', 'network.unreachable'],
    ['EAI_AGAIN', 'getaddrinfo', 'network.unreachable'],
    ['EHOSTUNREACH', 'connect', 'network.unreachable'],
    ['ENETUNREACH', 'connect', 'network.unreachable'],
    ['ENETDOWN', 'write', 'network.unreachable'],
    ['ETIMEDOUT', 'connect', 'network.unreachable'],
    ['ETIMEDOUT', 'read', 'upload.connection-lost'],
    ['ECONNRESET', 'read', 'upload.connection-lost'],
    ['EPIPE', 'write', 'upload.connection-lost'],
    ['EHOSTDOWN', 'connect', 'network.unreachable'],
    ['EHOSTDOWN', 'write', 'network.unreachable'],
    ['EACCES', 'connect', 'network.unreachable'],
    ['EPERM', 'connect', 'network.unreachable'],
    ['EMFILE', 'connect', 'network.unreachable'],
    ['EAI_FAIL', 'getaddrinfo', 'network.unreachable'],
    ['EPROTO', 'write', 'network.tls'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'TLS', 'network.tls'],
    ['CERT_HAS_EXPIRED', 'TLS', 'network.tls'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'TLS', 'network.tls'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'TLS', 'network.tls'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'TLS', 'network.tls'],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'TLS', 'network.tls'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'TLS', 'network.tls'],
    ['HOSTNAME_MISMATCH', 'TLS', 'network.tls'],
    ['CERT_REVOKED', 'TLS', 'network.tls'],
  ])('caused by %s in %s has the code %s, with the sent bytes and the cause', (code, syscall, expected) => {
    const reason = failed(code, syscall === 'TLS' ? undefined : syscall);
    const error = transferError(reason, facts) as { code: string; details: unknown; cause: unknown };
    expect(error.code).toBe(expected);
    expect(error.details).toEqual({ ...facts, reason: code });
    expect(error.cause).toBe(reason);
  });
});

describe('the answer of Ceph RGW to an idle connection', () => {
  const text = '<Error><Code>UnknownError</Code><BucketName>media</BucketName></Error>';
  const codeOf = (allSent: boolean) =>
    destinationRefusalOf({ status: 500, headers: {}, text }, { sentBytes: 1, allSent })?.code;

  it('counts as a lost connection when a part of the form was not sent yet', () => {
    expect(codeOf(false)).toBe('upload.connection-lost');
  });

  it('counts as a server error when the complete form was sent', () => {
    expect(codeOf(true)).toBe('api.server-error');
  });
});
