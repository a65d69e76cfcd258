// What can be imported as a trusted authority. The openssl command makes the certificates.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  describeCertificate,
  readAuthorities,
  withAuthorities,
} from '../../../../electron/engine/network/certificates.ts';
import { type Authority, createAuthority } from '../../../helpers/wire/authority.ts';
import { hasOpenssl } from '../../../helpers/wire/certificate.ts';

const NOW = Date.now();
const DAY_MS = 86_400_000;

describe.skipIf(!hasOpenssl)('a file of certificates', () => {
  let one: Authority;
  let two: Authority;
  beforeAll(() => {
    one = createAuthority('One CA');
    two = createAuthority('Two CA/O=Example University');
  });
  afterAll(() => {
    one?.remove();
    two?.remove();
  });

  const subjects = (text: string | Buffer) =>
    readAuthorities(Buffer.from(text), NOW).map((each) => describeCertificate(each).subject);

  it('may have several authorities, text between them, and one of them twice', () => {
    expect(subjects(`# first\r\n${one.cert}\n${two.cert}${one.cert}`)).toEqual([
      'One CA',
      'Two CA, Example University',
    ]);
  });

  it('is refused when too many would be imported together, and may be imported again', () => {
    const known = Array.from({ length: 100 }, (_, index) => ({ id: String(index), pem: '' }));
    const read = readAuthorities(Buffer.from(one.cert), NOW);
    expect(() => withAuthorities(known, read)).toThrow(
      expect.objectContaining({ code: 'network.certificate-refused', details: { reason: 'too-many' } }),
    );
    expect(withAuthorities(known, known)).toHaveLength(100);
  });

  it('may be in DER', () => {
    const folder = mkdtempSync(join(tmpdir(), 'mediadesk-der-'));
    try {
      execFileSync('openssl', ['x509', '-in', one.file, '-outform', 'DER', '-out', join(folder, 'ca.cer')]);
      expect(subjects(readFileSync(join(folder, 'ca.cer')))).toEqual(['One CA']);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('is imported without a private key that it contains', () => {
    const { key } = one.issue('media.example.org');
    const [imported] = readAuthorities(Buffer.from(`${key}${one.cert}`), NOW);
    expect(imported?.pem).not.toContain('PRIVATE KEY');
  });

  it.each([
    ['text', () => 'nothing', NOW, 'unreadable'],
    ['a certificate that is cut off', () => `${one.cert.slice(0, 200)}\n-----END CERTIFICATE-----`, NOW, 'unreadable'],
    ['the certificate of a server', () => one.issue('media.example.org').cert, NOW, 'not-an-authority'],
    ['an authority beside that of a server', () => one.cert + one.issue('a.example').cert, NOW, 'not-an-authority'],
    ['an authority that has expired', () => one.cert, NOW + 3 * DAY_MS, 'expired'],
    ['more than a megabyte', () => `${one.cert}${' '.repeat(1024 * 1024)}`, NOW, 'too-large'],
    ['more than 100 certificates', () => one.cert.repeat(101), NOW, 'too-many'],
  ])('is refused as a whole when it is %s', (_, contents, now, reason) => {
    expect(() => readAuthorities(Buffer.from(contents()), now)).toThrow(
      expect.objectContaining({ code: 'network.certificate-refused', details: expect.objectContaining({ reason }) }),
    );
  });

  it('is refused when the key of the authority is short', () => {
    const folder = mkdtempSync(join(tmpdir(), 'mediadesk-weak-'));
    try {
      const args = ['req', '-x509', '-newkey', 'rsa:1024', '-nodes', '-days', '2', '-subj', '/CN=Weak CA'];
      execFileSync('openssl', [...args, '-keyout', 'key.pem', '-out', 'ca.pem'], { cwd: folder, stdio: 'pipe' });
      expect(() => readAuthorities(readFileSync(join(folder, 'ca.pem')), NOW)).toThrow('Weak CA is too short');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
