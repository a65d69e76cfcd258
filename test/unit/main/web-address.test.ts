import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { externalAddress, isWebPage, readableOrigin } from '../../../electron/main/web-address.ts';

describe('an address for the browser of the system', () => {
  it.each([
    ['https://media.example.org/item/1?a=b#c', 'https://media.example.org/item/1?a=b#c'],
    ['HTTPS://Media.Example.ORG', 'https://media.example.org/'],
    ['http://localhost:8080/x', 'http://localhost:8080/x'],
    ['http://127.0.0.1/', 'http://127.0.0.1/'],
    ['http://[::1]:3000/', 'http://[::1]:3000/'],
    // Browsers parse “path” as the host of this address, so this function must do so as well.
    ['https:///path', 'https://path/'],
    // A host with letters outside of ASCII is returned in its ASCII form (punycode).
    ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
  ])('is allowed when it is %s', (address, normal) => {
    expect(externalAddress(address)).toBe(normal);
  });

  it.each([
    'http://media.example.org/',
    'http://localhost.evil.example/',
    'http://127.0.0.1.evil.example/',
    'http://127.0.0.2/',
    'http://0.0.0.0/',
    'file:///etc/passwd',
    'file://server/share/x.exe',
    'smb://server/share',
    'ms-msdt:/id PCWDiagnostic',
    'search-ms:query=x&crumb=location:\\\\evil\\share',
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'blob:https://media.example.org/1',
    'view-source:https://media.example.org',
    'about:blank',
    'app://mediadesk/index.html',
    'ftp://media.example.org/',
    'mailto:someone@example.org',
    'tel:1',
    'https://good.example@evil.example/',
    'https://user:word@media.example.org/',
    'https://',
    '//media.example.org',
    'media.example.org',
    'https://media.example.org/ two',
    'https://media.example.org/\ttab',
    'https://media.example.org/\u0000',
    'https://media.example.org/\u0085',
    'https://media.example.org/\u00a0',
    '',
  ])('is refused when it is %j', (address) => {
    expect(externalAddress(address)).toBeNull();
  });

  it('is refused when it is too long', () => {
    expect(externalAddress(`https://media.example.org/${'x'.repeat(5000)}`)).toBeNull();
  });

  it('is allowed only when it is https, or http on this machine', () => {
    const scheme = fc.constantFrom(
      'https:',
      'http:',
      'file:',
      'javascript:',
      'data:',
      'smb:',
      'HTTPS:',
      'ht\ttps:',
      '',
    );
    const rest = fc.oneof(
      fc.string(),
      fc.webUrl().map((url) => url.replace(/^https?:/, '')),
    );
    fc.assert(
      fc.property(scheme, rest, (start, end) => {
        const result = externalAddress(start + end);
        if (result === null) return;
        const url = new URL(result);
        const loopback = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
        expect(url.protocol === 'https:' || (url.protocol === 'http:' && loopback)).toBe(true);
        expect(url.username + url.password).toBe('');
      }),
      { numRuns: 10_000 },
    );
  });
});

describe('sign-in pages', () => {
  it('are allowed only when they are web pages', () => {
    expect(['https://a.example/x', 'http://localhost:1/'].every(isWebPage)).toBe(true);
    expect(['file:///x', 'javascript:1', 'data:text/html,x', 'app://mediadesk/', 'x', ''].some(isWebPage)).toBe(false);
  });

  it('are shown by their origin, with look-alike hosts as punycode', () => {
    expect(readableOrigin('https://media.example.org:8443/login?next=https://good.example')).toBe(
      'https://media.example.org:8443',
    );
    expect(readableOrigin('https://mediа.example/')).toBe('https://xn--medi-83d.example');
    expect(readableOrigin('data:text/html,x')).toBe('');
  });
});
