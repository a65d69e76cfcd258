import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import type { Behavior } from '../server/behavior.ts';
import { headerOf, type Reply, reply, withHeaders } from '../server/wire.ts';
import { casesOf } from '../suite/case.ts';
import { API, instead, on, READS } from './parts.ts';

const TALK = [...API, 'token', 'notify'] as const;
/** Compresses the reply if the client accepts that. */
const encoded = (name: string, encode: (body: Buffer) => Buffer): Behavior =>
  on(TALK, (own, { headers }) => {
    const accepted = headers['accept-encoding'] ?? '';
    if (own.status === 204 || !accepted.includes(name.replace('x-', '').toLowerCase())) return own;
    return { ...withHeaders(own, { 'Content-Encoding': name }), body: encode(Buffer.from(own.body)) };
  });
const typed = (type: string | null): Behavior => on(TALK, (own) => withHeaders(own, { 'Content-Type': type }));
const body = (change: (text: string) => string | Buffer): Behavior =>
  on(TALK, (own) => (own.body.length === 0 ? own : { ...own, body: change(own.body.toString()) }));
const headers = (own: Reply) => own.headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
/** Composes the bytes of the reply; `head` returns its usual header lines. */
const raw = (make: (own: Reply, text: string) => string, ending: Reply['ending'] = 'keep'): Behavior =>
  on(TALK, (own) => (own.status === 204 ? own : { ...own, raw: make(own, own.body.toString()), ending }));
const length = (text: string) => `Content-Length: ${Buffer.byteLength(text)}\r\n`;
const chunked = (text: string, size: number) => {
  const bytes = Buffer.from(text).toString('latin1');
  let out = '';
  for (let at = 0; at < bytes.length; at += size) {
    const piece = bytes.slice(at, at + size);
    out += `${piece.length.toString(16)};note="x"\r\n${piece}\r\n`;
  }
  return out;
};
/** Raw replies are written as Latin-1, byte by byte. */
const bytes = (text: string) => Buffer.from(text).toString('latin1');
const latin1 = (behavior: Behavior): Behavior => ({
  change(own, request, world) {
    const changed = behavior.change?.(own, request, world);
    return typeof changed?.raw === 'string' ? { ...changed, raw: Buffer.from(changed.raw, 'latin1') } : changed;
  },
});

export const HTTP = casesOf('http', (it) => {
  it(
    'gzip',
    'compresses with gzip',
    encoded('gzip', (plain) => gzipSync(plain)),
  );
  it(
    'x-gzip',
    'compresses with gzip and names it x-gzip',
    encoded('x-gzip', (plain) => gzipSync(plain)),
  );
  it(
    'br',
    'compresses with Brotli',
    encoded('br', (plain) => brotliCompressSync(plain)),
  );
  it(
    'deflate',
    'compresses with deflate',
    encoded('deflate', (plain) => deflateSync(plain)),
  );
  it(
    'deflate-raw',
    'compresses with deflate without its header',
    encoded('deflate', (plain) => deflateRawSync(plain)),
  );
  it(
    'identity',
    'names “identity” as the encoding',
    encoded('identity', (plain) => plain),
  );
  it(
    'upper-case-gzip',
    'compresses with gzip and names it GZIP',
    encoded('GZIP', (plain) => gzipSync(plain)),
  );
  it(
    'bom',
    'begins bodies with a byte order mark',
    body((text) => `\uFEFF${text}`),
  );
  it('type-missing', 'names no content type', typed(null));
  it('type-html', 'gives JSON the content type text/html', typed('text/html; charset=utf-8'));
  it('type-text', 'gives JSON the content type text/plain', typed('text/plain'));
  it('type-vendor', 'gives JSON a vendor-specific content type', typed('application/vnd.library+json; version=2'));
  it('type-charset', 'names the character set "UTF8", in quotes', typed('application/json; charset="UTF8"'));
  it(
    'latin-1',
    'encodes bodies in Latin-1 and declares that',
    on(TALK, (own) =>
      own.body.length === 0
        ? own
        : {
            ...withHeaders(own, { 'Content-Type': 'application/json; charset=ISO-8859-1' }),
            body: Buffer.from(own.body.toString(), 'latin1'),
          },
    ),
    { files: [{ name: 'Überblick äöü.mp4', bytes: 900 }] },
  );
  it(
    'blank-lines',
    'puts blanks and line breaks around bodies',
    body((text) => `\r\n\r\n  ${text} \n\n`),
  );
  it('closes-always', 'closes the connection after every reply', { closesAlways: true });
  it(
    'closes-silently',
    'closes the connection after every reply without announcing it',
    on(TALK, (own) => ({ ...own, ending: 'close' })),
    // A request can coincide with the close: another try finds out whether it took effect.
    { expect: { retries: 1, requests: 60 } },
  );
  it(
    'http-1.0',
    'answers in HTTP/1.0 and closes the connection',
    latin1(raw((own, text) => `HTTP/1.0 ${own.status} OK\r\n${headers(own)}\r\n${bytes(text)}`, 'close')),
  );
  it(
    'http-1.0-length',
    'answers in HTTP/1.0 with lengths and keeps the connection',
    latin1(
      raw(
        (own, text) =>
          `HTTP/1.0 ${own.status} OK\r\nConnection: keep-alive\r\n${headers(own)}${length(text)}\r\n${bytes(text)}`,
      ),
    ),
  );
  it(
    'no-length',
    'ends bodies by closing the connection',
    latin1(
      raw(
        (own, text) => `HTTP/1.1 ${own.status} OK\r\nConnection: close\r\n${headers(own)}\r\n${bytes(text)}`,
        'close',
      ),
    ),
  );
  it(
    'early-hints',
    'sends 103 before replies',
    latin1(
      raw(
        (own, text) =>
          `HTTP/1.1 103 Early Hints\r\nLink: </x>; rel=preload\r\n\r\nHTTP/1.1 ${own.status} OK\r\n${headers(own)}${length(text)}\r\n${bytes(text)}`,
      ),
    ),
  );
  it(
    'processing',
    'sends 102 twice before replies',
    latin1(
      raw(
        (own, text) =>
          `${'HTTP/1.1 102 Processing\r\n\r\n'.repeat(2)}HTTP/1.1 ${own.status} OK\r\n${headers(own)}${length(text)}\r\n${bytes(text)}`,
      ),
    ),
  );
  it(
    'chunked',
    'sends bodies in chunks of seven bytes with extensions',
    latin1(
      raw(
        (own, text) =>
          `HTTP/1.1 ${own.status} OK\r\n${headers(own)}Transfer-Encoding: chunked\r\n\r\n${chunked(text, 7)}0\r\n\r\n`,
      ),
    ),
  );
  it(
    'trailers',
    'sends a trailer after the chunks of a body',
    latin1(
      raw(
        (own, text) =>
          `HTTP/1.1 ${own.status} OK\r\n${headers(own)}Transfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n${chunked(text, 50)}0\r\nX-Sum: 1\r\n\r\n`,
      ),
    ),
  );
  it(
    'header-case',
    'writes header names in capitals',
    on(TALK, (own) => ({
      ...own,
      headers: own.headers.map(([name, value]) => [name.toUpperCase(), value] as [string, string]),
    })),
  );
  it(
    'header-blanks',
    'puts blanks around header values',
    latin1(
      raw(
        (own, text) =>
          `HTTP/1.1 ${own.status} OK\r\n${own.headers.map(([name, value]) => `${name}:\t ${value} \t\r\n`).join('')}${length(text)}\r\n${bytes(text)}`,
      ),
    ),
  );
  it(
    'duplicate-headers',
    'repeats headers with other values',
    on(TALK, (own) => ({
      ...own,
      headers: [
        ...own.headers,
        ['Content-Type', 'application/json'],
        ['Vary', 'a'],
        ['Vary', 'b'],
        ['Date', 'today'],
        ['Date', 'tomorrow'],
      ],
    })),
  );
  it(
    'duplicate-location',
    'sends the Location twice',
    on(['create-item', 'create-file'], (own) => ({
      ...own,
      headers: [...own.headers, ['Location', headerOf(own, 'Location') ?? '']],
    })),
  );
  it(
    'long-headers',
    'sends 12 KB of headers',
    on(TALK, (own) => withHeaders(own, { 'X-Trace': 'x'.repeat(6_000), 'Content-Security-Policy': 'y'.repeat(6_000) })),
  );
  it(
    'many-headers',
    'sends 150 headers',
    on(TALK, (own) => ({
      ...own,
      headers: [...own.headers, ...Array.from({ length: 150 }, (_, n): [string, string] => [`X-Node-${n}`, '1'])],
    })),
  );
  it(
    'utf8-headers',
    'writes UTF-8 into headers',
    latin1(
      raw(
        (own, text) =>
          `HTTP/1.1 ${own.status} OK\r\nX-Served-By: ${bytes('Zürich – é')}\r\n${headers(own)}${length(text)}\r\n${bytes(text)}`,
      ),
    ),
  );
  it(
    'no-reason',
    'has no reason phrases',
    latin1(raw((own, text) => `HTTP/1.1 ${own.status}\r\n${headers(own)}${length(text)}\r\n${bytes(text)}`)),
  );
  it(
    'date-missing',
    'sends no Date',
    latin1(raw((own, text) => `HTTP/1.1 ${own.status} OK\r\n${headers(own)}${length(text)}\r\n${bytes(text)}`)),
  );
  it(
    '203',
    'answers reads with 203, as through a proxy',
    on(READS, (own) => (own.status === 200 ? { ...own, status: 203 } : own)),
  );
  it(
    'reads-302',
    'redirects reads with 302 to another address at its own origin',
    {
      instead: ({ route, url }) =>
        READS.includes(route) && !url.searchParams.has('node')
          ? reply(302, '', { Location: `${url.pathname}${url.search}${url.search === '' ? '?' : '&'}node=2` })
          : undefined,
    },
    { expect: { requests: 80 } },
  );
  it(
    'reads-301-slash',
    'redirects reads with 301 to another address at its own origin',
    {
      instead: ({ url, method, route }) =>
        method === 'GET' && READS.includes(route) && route !== 'list-items' && !url.searchParams.has('slash')
          ? reply(301, '', { Location: `http://${url.host}${url.pathname}?slash=1` })
          : undefined,
    },
    { expect: { requests: 80 } },
  );
  it(
    'writes-308',
    'redirects writes with 308 to another address at its own origin',
    {
      instead: ({ url, method, route }) =>
        method === 'POST' && API.includes(route) && !url.searchParams.has('node')
          ? reply(308, '', { Location: `${url.pathname}?node=2` })
          : undefined,
    },
    { expect: { requests: 60 } },
  );
  it(
    'writes-307',
    'redirects writes with 307 to another address at its own origin',
    {
      instead: ({ url, method, route }) =>
        method === 'POST' && API.includes(route) && !url.searchParams.has('node')
          ? reply(307, '', { Location: `http://${url.host}${url.pathname}?node=2` })
          : undefined,
    },
    { expect: { requests: 60 } },
  );
  it(
    'writes-307-foreign',
    'redirects writes with 307 to another host',
    {
      instead: ({ url, route }, { origins }) =>
        route === 'create-item' ? reply(307, '', { Location: `${origins.foreign}${url.pathname}` }) : undefined,
    },
    { files: [{ name: 'Lecture.mp4', bytes: 900 }], expect: { fails: 'api.unexpected', forms: 0 } },
  );
  it(
    'reads-foreign',
    'redirects two reads of files to another host',
    instead('file', ({ url }, world) =>
      world.times('look') <= 2 ? reply(302, '', { Location: `${world.origins.foreign}${url.pathname}` }) : undefined,
    ),
    { expect: { retries: 2, requests: 90 } },
  );
});
