import { expect, test } from 'vitest';
import { clientFor } from '../../../helpers/service/service-client.ts';
import { serviceOfFile } from '../../../helpers/service/service-of-file.ts';
import { exchange } from '../../../helpers/service/service-raw.ts';
import { watcherOf } from '../../../helpers/service/watched-refusals.ts';

const service = await serviceOfFile({ seed: 'demo' });
const admin = await clientFor(service);

const deep = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

/** Values of wrong types, sizes and characters; each field refuses most of them. */
const VALUES: unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  '',
  ' ',
  'x'.repeat(900_000),
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\r\nSet-Cookie: a=b',
  'https://a.example/\r\nSet-Cookie: a=b',
  'https://a.example/€',
  '<'.repeat(190_000),
  '../../../etc/passwd',
  "'; DROP TABLE media; --",
  '<script>alert(1)</script>',
  '%00%ff%',
  '9999-99-99T99:99:99Z',
  [],
  [null],
  [[[]]],
  {},
  { $gt: '' },
  { toString: 1 },
];

/** The paths of the writes, with their fields and the requests that show a change. */
const FIELDS: [path: string, fields: string[], watched: string[]][] = [
  ['/api2/media', ['title', 'collection_id', 'byline', 'description', 'tags'], ['/api2/media/count', '/api2/tags']],
  [
    '/api2/media/1',
    ['title', 'collection_id', 'byline', 'description', 'tags'],
    ['/api2/media/1', '/api2/media/count', '/api2/tags'],
  ],
  ['/api2/media/1/publish', ['publish_on'], ['/api2/media/1']],
  ['/api2/media/1/add-tags', ['tags'], ['/api2/media/1', '/api2/tags']],
  ['/api2/media/1/remove-tags', ['tags'], ['/api2/media/1', '/api2/tags']],
  [
    '/api2/media/1/files',
    ['upload_name', 'upload_size', 'upload_type', 'embed_url', 'encoded_from_id'],
    ['/api2/media/1/files', '/api2/media/1'],
  ],
  ['/api2/media/1/thumbs', ['upload_name', 'upload_size'], ['/api2/media/1/thumbs']],
  [
    '/api2/collections',
    [
      'display_name',
      'parent_id',
      'slug',
      'is_podcast',
      'description',
      'inherit_memberships',
      'autotranscribe_enabled',
      'autotranscribe_subcollections',
      'autotranscribe_profile_id',
    ],
    ['/api2/collections/tree'],
  ],
  [
    '/api2/collections/2',
    [
      'display_name',
      'parent_id',
      'slug',
      'is_podcast',
      'description',
      'inherit_memberships',
      'autotranscribe_profile_id',
    ],
    ['/api2/collections/2', '/api2/collections/tree'],
  ],
  ['/api2/collections/2/move', ['new_parent_id'], ['/api2/collections/2', '/api2/collections/tree']],
  [
    '/api2/collections/PODCAST/podcast-details',
    [
      'directory_author_name',
      'directory_author_email',
      'directory_subtitle',
      'directory_explicit',
      'directory_category',
      'copyright',
      'directory_url',
      'directory_edu_category',
      'feed_proxy_url',
    ],
    ['/api2/collections/PODCAST/podcast-details'],
  ],
];
const GOOD: Record<string, unknown> = {
  title: 'T',
  collection_id: '1',
  display_name: 'N',
  parent_id: '1',
  upload_name: 'a.wav',
  upload_size: 10,
  tags: ['t'],
};

test('no field of media and collections makes the service fail, and refused values change nothing', async () => {
  const podcasts = await admin.get('/api2/collections?is_podcast=1');
  const watcher = watcherOf(admin);
  const seen = new Map<number, number>();
  const named = (path: string) => path.replace('PODCAST', podcasts.body.items[0].id);
  for (const [path, fields, watched] of FIELDS) {
    for (const field of fields) {
      for (const value of VALUES) {
        const what = `${path} ${field}=${JSON.stringify(value).slice(0, 80)}`;
        const status = await watcher.post(named(path), { ...GOOD, [field]: value }, watched.map(named), what);
        seen.set(status, (seen.get(status) ?? 0) + 1);
      }
    }
  }
  expect(seen.get(422)).toBeGreaterThan(500);
  expect((seen.get(200) ?? 0) + (seen.get(201) ?? 0)).toBeGreaterThan(100);
  expect(service.log()).not.toContain(admin.tokens.access_token);
}, 600_000);

test('no query parameter makes the service fail', async () => {
  const names =
    'type status created_before publish_after collection_id tag search related_to sort order joins exclude_ids per_page _p permission is_podcast parent_id display_name root_id media_count additive_counts omit_empty ttl json width'.split(
      ' ',
    );
  const values = [
    '',
    '%00',
    '%',
    '%zz',
    '-1',
    '9'.repeat(400),
    "'%22*)(",
    '%F0%9F%98%80',
    'a%0d%0ab',
    '1&x=2',
    '__proto__',
    '[]',
    'NEAR(a%20b)',
    '-%22',
  ];
  const paths = [
    '/api2/media',
    '/api2/media/count',
    '/api2/collections',
    '/api2/collections/tree',
    '/api2/media/1',
    '/api2/media/1/files',
    '/api2/media/1/embedcode',
  ];
  for (const path of paths) {
    for (const name of names) {
      const value = values[(path.length + name.length) % values.length];
      for (const text of new Set([value, values[name.length % values.length]])) {
        const answer = await exchange(
          service.baseUrl,
          `GET ${path}?${name}=${text}&${name}[]=x&${name}=${text} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${admin.tokens.access_token}\r\nConnection: close\r\n\r\n`,
        );
        expect(answer, `${path}?${name}=${text}`).toMatch(/^HTTP\/1\.1 (200|302|4\d\d) /);
      }
    }
  }
});

test.each([
  ['deeply nested objects', deep(150_000)],
  ['deeply nested arrays', '['.repeat(500_000)],
  ['a repeated key', '{"title":"a","title":{},"collection_id":"1"}'],
  ['the key __proto__', '{"__proto__":{"is_admin":true},"constructor":1,"title":"x","collection_id":"1"}'],
  ['a number of 100,000 digits', `{"title":${'9'.repeat(100_000)}}`],
  ['50,000 keys', `{${Array.from({ length: 50_000 }, (_, index) => `"k${index}":1`).join(',')}}`],
])('a body with %s does not make the service fail', async (_what, body) => {
  for (const path of ['/api2/media', '/api2/collections', '/api2/media/1/publish', '/api2/oauth/access_token']) {
    expect((await admin.request('POST', path, body)).status).toBeLessThan(500);
  }
});

test('invalid or incomplete HTTP is refused or dropped', async () => {
  const requests = [
    'nonsense\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    `GET /${'x'.repeat(40_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'y'.repeat(40_000)}\r\n\r\n`,
    'POST /api2/media HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n',
    'POST /api2/media HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello',
    'POST /api2/media HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'POST /api2/media HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    'GET /%c0%ae%c0%ae/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    'GET /api2/media/%zz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    'GET /cdn/..%2f..%2fetc%2fpasswd/x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    'GET /cdn/a.b.c/../../x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    'OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    'BREW /api2/media HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    'PUT /api2/media/1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}',
  ];
  for (const request of requests) {
    const answer = await exchange(service.baseUrl, request);
    expect(answer === '' || /^HTTP\/1\.1 4\d\d /.test(answer), `${request.slice(0, 60)}: ${answer.slice(0, 100)}`).toBe(
      true,
    );
  }
  expect((await admin.get('/api2/collections')).status).toBe(200);
});

test('invalid forms of the sign-in pages do not make the service fail', async () => {
  const values = ['', 'x'.repeat(60_000), '\u0000', '%00', '<script>', 'a&b=c'];
  for (const path of ['login', 'consent', 'sign-out', 'access_token']) {
    for (const value of values) {
      const body = new URLSearchParams({
        request: value,
        csrf: value,
        email_address: value,
        password: value,
        decision: value,
        grant_type: value,
      });
      body.append('csrf', 'again');
      const response = await fetch(`${service.baseUrl}/api2/oauth/${path}`, {
        method: 'POST',
        body,
        redirect: 'manual',
      });
      expect(response.status).toBeLessThan(500);
      expect(await response.text()).not.toContain('<script>');
    }
  }
  for (const value of [...values, 'urn:ietf:wg:oauth:2.0:oob', 'javascript:alert(1)', 'http://localhost:1/\r\nX: y']) {
    const query = new URLSearchParams({
      client_id: 'mediadesk',
      redirect_uri: value,
      state: value,
      response_type: value,
      scope: value,
    });
    const response = await fetch(`${service.baseUrl}/api2/oauth/authorize?${query}`, { redirect: 'manual' }).catch(
      () => undefined,
    );
    expect(response?.status ?? 400).toBeLessThan(500);
  }
});

test('none of these requests logged an internal error', () => {
  expect(service.log()).not.toContain('request failed');
});
