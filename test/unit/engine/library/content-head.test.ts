import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readContentHead } from '../../../../electron/engine/library/files/content-head.ts';

const bytes = createHash('sha256').update('content').digest();
const base64 = bytes.toString('base64');

describe('the SHA-256 of an answer', () => {
  it.each([
    ['Repr-Digest', { 'repr-digest': `sha-256=:${base64}:` }],
    ['Repr-Digest with several algorithms', { 'repr-digest': `sha-512=:AAAA:, sha-256=:${base64}:` }],
    ['the older Digest', { digest: `SHA-256=${base64}` }],
    ['the older Digest with several algorithms', { digest: `MD5=AAAA,SHA-256=${base64},unixsum=1` }],
  ])('is read from %s', (_, headers) => {
    expect(readContentHead(200, headers)?.sha256).toBe(bytes.toString('hex'));
  });

  it.each([{}, { digest: 'SHA-256=AAAA' }, { digest: `x-sha-256=${base64}` }, { 'repr-digest': '' }])(
    'is unknown when the headers are %j',
    (headers) => {
      expect(readContentHead(200, headers)?.sha256).toBeNull();
    },
  );
});
