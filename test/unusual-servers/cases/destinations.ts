import type { Behavior } from '../server/behavior.ts';
import { html, isSuccess, json, type Reply, reply } from '../server/wire.ts';
import { casesOf } from '../suite/case.ts';
import { insteadOfFirst, lost, on, onFirst } from './parts.ts';

/** Returns a behavior in which a destination stores the file and then sends this answer. */
const storedThen = (answer: Reply): Behavior => on('destination', (own) => (isSuccess(own) ? answer : own));
/** Returns a behavior in which a destination redirects the form to another address. */
const movedTo = (status: number, host: 'store' | 'foreign'): Behavior => ({
  instead({ route, host: asked, url, ids }, { origins }) {
    if (route !== 'destination' || url.pathname.startsWith('/moved/') || asked === 'foreign') return undefined;
    return reply(status, '', { Location: `${origins[host]}/moved/put/${ids[0]}` });
  },
});
const TWICE = { retries: 1, forms: 2, requests: 70 };
const S3_ERROR = (code: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${code}</Message></Error>`;
const XML = { 'Content-Type': 'application/xml' };

export const DESTINATIONS = casesOf('destinations', (it) => {
  it('200-html', 'answers 200 with a page', storedThen(html(200, 'Thank you')));
  it('200-empty', 'answers 200 with nothing', storedThen(reply(200)));
  it(
    '200-json-error-word',
    'answers 200 with JSON that has the members errors and error',
    storedThen(json(200, { errors: [], error: null, ok: true })),
  );
  it(
    '201-xml',
    'answers 201 with XML as S3 does',
    storedThen(
      reply(201, '<PostResponse><Key>in</Key></PostResponse>', { ...XML, Location: 'http://bucket.example/in' }),
    ),
  );
  it('202', 'answers 202', storedThen(reply(202, 'Queued')));
  it('203', 'answers 203 through a proxy that changed the body', storedThen(reply(203, 'OK')));
  it('205', 'answers 205', storedThen(reply(205)));
  it('206', 'answers 206', storedThen(reply(206, 'part')));
  it('226', 'answers 226', storedThen(reply(226, 'IM used')));
  it('301-after-all', 'answers 301 to a page after all bytes', storedThen(reply(301, '', { Location: '/done' })));
  it(
    '302-after-all',
    'answers 302 to a page after all bytes',
    storedThen(reply(302, '', { Location: 'http://www.example.org/done' })),
  );
  it(
    '303-after-all',
    'answers 303 to a page after all bytes',
    storedThen(reply(303, '', { Location: '/done?bucket=b&key=k' })),
  );
  it('302-without-location', 'answers 302 without a Location after all bytes', storedThen(reply(302)));
  it('307-same-host', 'redirects the form to the same host with 307', movedTo(307, 'store'), {
    expect: { forms: 2, bytes: 2 },
  });
  it('308-same-host', 'redirects the form to the same host with 308', movedTo(308, 'store'), {
    expect: { forms: 2, bytes: 2 },
  });
  it('307-other-host', 'redirects the form to another host with 307', movedTo(307, 'foreign'), {
    expect: { forms: 2, bytes: 2 },
  });
  it(
    '307-early',
    'redirects the form with 307 before it has read it',
    {
      early({ route, url, ids }, { origins }) {
        if (route !== 'destination' || url.pathname.startsWith('/moved/')) return undefined;
        return { ...reply(307, '', { Location: `${origins.foreign}/moved/put/${ids[0]}` }), ending: 'close' };
      },
    },
    { expect: { forms: 2, bytes: 2 } },
  );
  it(
    '307-in-circles',
    'redirects the form in a loop',
    {
      instead: ({ route, ids }, { origins }) =>
        route === 'destination' ? reply(307, '', { Location: `${origins.store}/put/${ids[0]}` }) : undefined,
    },
    { expect: { fails: 'upload.refused', forms: 7, leftovers: 1, requests: 60 } },
  );
  it('continue-twice', 'sends 100 Continue twice', { goAhead: 'twice' });
  it('continue-never', 'never sends 100 Continue, but reads the form', { goAhead: 'never' });
  it(
    '417',
    'does not support Expect: 100-continue and answers 417',
    {
      early: ({ route, headers }) =>
        route === 'destination' && headers.expect !== undefined ? { ...reply(417), ending: 'close' } : undefined,
    },
    { expect: { forms: 2 } },
  );
  it('slow-reader', 'reads the form slowly', { readsSlowly: true });
  it(
    'slow-answer',
    'takes two minutes to answer after the last byte',
    on('destination', (own) => ({ ...own, delayMs: 120_000 })),
  );
  it('closes-without-answer', 'stores the file and closes without an answer', onFirst('destination', lost('close')), {
    expect: TWICE,
  });
  it('resets-without-answer', 'stores the file and resets the connection', onFirst('destination', lost('reset')), {
    expect: TWICE,
  });
  it(
    'stored-and-500',
    'stores the file and answers 500',
    onFirst('destination', () => html(500, 'Error')),
    { expect: TWICE },
  );
  it(
    'stored-and-504',
    'stores the file and its gateway answers 504',
    onFirst('destination', () => html(504, 'Time-out')),
    { expect: TWICE },
  );
  it(
    '503-slow-down',
    'answers 503 SlowDown once',
    insteadOfFirst('destination', () => reply(503, S3_ERROR('SlowDown'), { ...XML, 'Retry-After': '3' })),
    { expect: TWICE },
  );
  it(
    '429',
    'answers 429 once',
    insteadOfFirst('destination', () => reply(429, '', { 'Retry-After': '2' })),
    { expect: TWICE },
  );
  it(
    '400-request-timeout',
    'answers 400 RequestTimeout once, as S3 does',
    insteadOfFirst('destination', () => ({ ...reply(400, S3_ERROR('RequestTimeout'), XML), ending: 'close' })),
    { expect: TWICE },
  );
  it(
    '408',
    'answers 408 once',
    insteadOfFirst('destination', () => ({ ...reply(408), ending: 'close' })),
    { expect: TWICE },
  );
  it(
    '499',
    'answers 499 once, as Swift does',
    insteadOfFirst('destination', () => reply(499, 'Client Disconnect')),
    { expect: TWICE },
  );
  it(
    '403-expired',
    'answers 403 once because its policy expired',
    insteadOfFirst('destination', () =>
      reply(
        403,
        S3_ERROR('AccessDenied').replace(
          '<Message>AccessDenied',
          '<Message>Invalid according to Policy: Policy expired.',
        ),
        XML,
      ),
    ),
    { expect: TWICE },
  );
  it(
    '401-expired',
    'answers 401 once because its form expired',
    insteadOfFirst('destination', () => reply(401, 'FormPost: Form Expired')),
    { expect: TWICE },
  );
  it(
    '403-always',
    'answers 403 to every form',
    { instead: ({ route }) => (route === 'destination' ? reply(403, S3_ERROR('AccessDenied'), XML) : undefined) },
    {
      expect: { fails: 'upload.refused', forms: 2, requests: 60 },
    },
  );
  it(
    '413-early',
    'answers 413 before it reads the form',
    {
      early: ({ route }) =>
        route === 'destination' ? { ...html(413, 'Request Entity Too Large'), ending: 'reset' } : undefined,
    },
    { expect: { fails: 'upload.refused', forms: 1, requests: 60 } },
  );
  it(
    '404-once',
    'answers 404 once',
    insteadOfFirst('destination', () => reply(404)),
    { expect: TWICE },
  );
  it(
    '410-once',
    'answers 410 to the first form',
    insteadOfFirst('destination', () => reply(410)),
    { expect: TWICE },
  );
  it(
    'reset-in-body',
    'resets the first connection in the middle of the body',
    {
      early: (head, world) =>
        head.route === 'destination' && world.times(`form ${head.headers['content-length']}`) === 1
          ? { ...reply(500), isLost: true, ending: 'reset' }
          : undefined,
    },
    { expect: TWICE },
  );
  it('needs-length', 'requires a Content-Length', {
    early: ({ route, headers }) =>
      route === 'destination' && (headers['content-length'] === undefined || headers['transfer-encoding'] !== undefined)
        ? reply(411)
        : undefined,
  });
  it(
    'closes-at-once',
    'answers 200 and closes the connection at once',
    on('destination', (own) => ({
      ...own,
      raw: 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nOK',
      ending: 'close',
    })),
  );
  it(
    'no-reason',
    'answers without a reason phrase',
    on('destination', (own) => ({ ...own, raw: 'HTTP/1.1 204 \r\n\r\n' })),
  );
  it(
    'http-1.0',
    'answers in HTTP/1.0 and closes',
    on('destination', (own) => ({ ...own, raw: 'HTTP/1.0 200 OK\r\n\r\nstored', ending: 'close' })),
  );
  it(
    'early-hints',
    'answers 103 before its 204',
    on('destination', (own) => ({
      ...own,
      raw: 'HTTP/1.1 103 Early Hints\r\nLink: </s.css>\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n',
    })),
  );
  it(
    'processing-102',
    'answers 102 several times before its 201',
    on('destination', (own) => ({
      ...own,
      raw: `${'HTTP/1.1 102 Processing\r\n\r\n'.repeat(5)}HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n`,
    })),
  );
  it(
    'endless-answer',
    'answers 200 and never ends its body',
    on('destination', (own) => ({
      ...own,
      raw: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n',
    })),
  );
  it(
    'cut-answer',
    'cuts its answer off in the body',
    on('destination', (own) => ({
      ...own,
      raw: 'HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n<html>',
      ending: 'close',
    })),
  );
});
