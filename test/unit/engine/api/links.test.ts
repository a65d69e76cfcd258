import { describe, expect, it } from 'vitest';
import { apiUrl, idBehind, isOwnSite, resolveLink, segment } from '../../../../electron/engine/api/links.ts';

const base = 'https://media.example.org';
const from = new URL('https://media.example.org/api2/media');

describe('a link of the service', () => {
  it.each([
    ['/api2/media/7', 'https://media.example.org/api2/media/7'],
    ['https://media.example.org/api2/media/7', 'https://media.example.org/api2/media/7'],
    ['?_p=2', 'https://media.example.org/api2/media?_p=2'],
    ['media/7', 'https://media.example.org/api2/media/7'],
    ['//evil.example/api2/media/7', 'https://evil.example/api2/media/7'],
    ['/\\evil.example/api2', 'https://evil.example/api2'],
    ['https://someone:secret@media.example.org/api2/media/7', 'https://media.example.org/api2/media/7'],
  ])('resolves %s to %s', (link, expected) => {
    expect(resolveLink(base, link, from)?.href).toBe(expected);
  });

  it.each(['javascript:alert(1)', 'file:///etc/passwd', 'data:text/html,x', 'http://', 'https://exa mple/'])(
    'is rejected when it is %s',
    (link) => {
      expect(resolveLink(base, link, from)).toBeNull();
    },
  );

  it('keeps the path of the site, whether the service includes it or not', () => {
    const prefixed = 'https://example.org/library';
    const asked = apiUrl(prefixed, '/api2/media');
    expect(asked.href).toBe('https://example.org/library/api2/media');
    expect(resolveLink(prefixed, '/api2/media/7', asked)?.href).toBe('https://example.org/library/api2/media/7');
    expect(resolveLink(prefixed, '/library/api2/media/7', asked)?.href).toBe(
      'https://example.org/library/api2/media/7',
    );
  });
});

describe('the site’s own origin', () => {
  it.each([
    ['https://media.example.org/anything', true],
    ['https://media.example.org:443/', true],
    ['http://media.example.org/', false],
    ['https://media.example.org:8443/', false],
    ['https://media.example.org.evil.example/', false],
    ['https://cdn.media.example.org/', false],
  ])('isOwnSite(%s) is %s', (url, expected) => {
    expect(isOwnSite(base, new URL(url))).toBe(expected);
  });
});

describe('an identifier', () => {
  it('is one segment of a path, whatever it contains', () => {
    for (const id of ['7', 'a/b', 'a?b', 'ü', '%2F', '#']) {
      expect(idBehind(apiUrl(base, `/api2/media/${segment(id)}`), 'media')).toBe(id);
    }
  });

  it.each(['', '.', '..', 'a\ud800'])('is rejected when it is “%s”', (id) => {
    expect(() => segment(id)).toThrowError(expect.objectContaining({ code: 'input.invalid' }));
  });

  it.each([
    'https://media.example.org/',
    'https://media.example.org/api2/media',
    'https://media.example.org/api2/media/7/files',
    'https://media.example.org/api2/collections/7',
    'https://media.example.org/api2/media/%E0%A4%A',
  ])('is not read from %s', (url) => {
    expect(idBehind(new URL(url), 'media')).toBeNull();
  });
});
