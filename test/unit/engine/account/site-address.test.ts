import { describe, expect, it } from 'vitest';
import { parseSiteAddress, siteDisplayName } from '../../../../electron/engine/account/site-address.ts';

describe('the address of a site', () => {
  it.each([
    ['media.example.org', 'https://media.example.org'],
    ['  https://media.example.org/  ', 'https://media.example.org'],
    ['HTTPS://Media.Example.ORG', 'https://media.example.org'],
    ['https://media.example.org:443/', 'https://media.example.org'],
    ['media.example.org:8443', 'https://media.example.org:8443'],
    ['https://example.org/library//', 'https://example.org/library'],
    ['intranet', 'https://intranet'],
    ['https://münchen.example', 'https://xn--mnchen-3ya.example'],
    ['http://localhost:8080', 'http://localhost:8080'],
    ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080'],
    ['http://127.3.2.1', 'http://127.3.2.1'],
    ['http://[::1]:8080', 'http://[::1]:8080'],
  ])('that the user types as %s becomes %s', (typed, expected) => {
    expect(parseSiteAddress(typed)).toBe(expected);
  });

  it('is read however many addresses were read before: Node 20 refuses letters in hosts after some thousand calls', () => {
    for (let count = 0; count < 20_000; count += 1) parseSiteAddress('https://media.example.org');
    expect(parseSiteAddress('https://münchen.example')).toBe('https://xn--mnchen-3ya.example');
  });

  it.each([
    '',
    '   ',
    'not a web address',
    'https://',
    'https:media.example.org',
    'https:/media.example.org',
    'https://exa mple.org',
    'https://media.exa\nmple.org',
    'https://media.example.org\\@evil.example',
    'https://user@media.example.org',
    'https://user:secret@media.example.org',
    'https://media.example.org?x=1',
    'https://media.example.org/#top',
    'https://media.example.org:99999',
    'ftp://media.example.org',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'mailto:someone@example.org',
    'https://[::1',
    `https://${'a'.repeat(3000)}.example`,
  ])('is rejected when it is “%s”', (typed) => {
    expect(() => parseSiteAddress(typed)).toThrowError(expect.objectContaining({ code: 'site.address-invalid' }));
  });

  it.each([
    'http://media.example.org',
    'http://192.168.1.5',
    'http://127.0.0.1.evil.example',
    'http://localhost.evil.example',
    'http://0.0.0.0',
    'http://[::2]',
  ])('is rejected as not encrypted when it is %s', (typed) => {
    expect(() => parseSiteAddress(typed)).toThrowError(expect.objectContaining({ code: 'site.address-insecure' }));
  });

  it('is shown with its host, and with its path when it has one', () => {
    expect(siteDisplayName('https://media.example.org:8443')).toBe('media.example.org:8443');
    expect(siteDisplayName('https://example.org/library')).toBe('example.org/library');
  });
});
