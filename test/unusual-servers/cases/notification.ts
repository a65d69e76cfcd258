import type { Behavior } from '../server/behavior.ts';
import { html, json, type Reply, type Request, reply } from '../server/wire.ts';
import { casesOf } from '../suite/case.ts';
import { instead, insteadOfFirst, lost, on, onFirst, onJson } from './parts.ts';

const isForm = ({ headers }: Request) =>
  headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true;
const isJson = ({ headers }: Request) => headers['content-type']?.startsWith('application/json') === true;
/** Changes the address of the notification; `own` is the usual address. */
const at = (change: (own: string, origins: Record<'site' | 'store' | 'foreign', string>) => string): Behavior => ({
  change: (own, { route }, { origins }) => {
    if (route !== 'create-file' || own.status !== 201) return undefined;
    const value = JSON.parse(own.body.toString());
    const form = value.upload.protocols.form_data;
    form.postprocess_url = change(form.postprocess_url, origins);
    return { ...own, body: JSON.stringify(value) };
  },
});
const then = (answer: Reply): Behavior => on('notify', (own) => (own.status === 204 ? answer : own));
const AGAIN = { retries: 1, requests: 80 };
/** Every notification takes effect, and gets this answer. */
const always = (answer: Reply): Behavior => on('notify', () => answer);

export const NOTIFICATION = casesOf('notification', (it) => {
  it('absent', 'requires no notification', { library: { notify: 'absent' } });
  it('null', 'has null as the address of the notification', { library: { notify: 'null' } });
  it('empty', 'has an empty text as the address of the notification', { library: { notify: 'empty' } });
  it(
    'json-only',
    'accepts only JSON, and answers 415 to a form',
    instead('notify', (request) => (isJson(request) ? undefined : json(415, { message: 'JSON, please.' }))),
    { expect: { requests: 50 } },
  );
  it(
    'json-only-400',
    'accepts only JSON, and answers 400 to a form',
    instead('notify', (request) => (isJson(request) ? undefined : json(400, { message: 'Not JSON.' }))),
    { expect: { requests: 50 } },
  );
  it(
    'form-only',
    'accepts only forms, and answers 415 to JSON',
    instead('notify', (request) => (isForm(request) ? undefined : reply(415))),
  );
  it(
    'get-only',
    'accepts only GET, and answers 405 to POST',
    {
      instead: (request, { library }) => {
        if (request.route !== 'notify') return undefined;
        if (request.method !== 'GET') return json(405, { message: 'GET only.' }, { Allow: 'GET, HEAD' });
        return library.notified(request.ids[0] ?? '') ? json(200, { ok: true }) : reply(409);
      },
    },
    { expect: { requests: 50 } },
  );
  for (const status of [200, 201, 202])
    it(`${status}`, `answers ${status} with a page`, then(html(status, 'Thank you')));
  it('205', 'answers 205', then(reply(205)));
  it('303', 'answers 303 with the address of a page', then(reply(303, '', { Location: '/done' })));
  it('302-foreign', 'answers 302 to a foreign page', then(reply(302, '', { Location: 'http://www.example.org/' })));
  it(
    '307',
    'redirects the notification with 307',
    {
      instead: ({ route, url, ids }, { origins }) =>
        route === 'notify' && !url.pathname.startsWith('/moved')
          ? reply(307, '', { Location: `${origins.store}/moved/notify/${ids[0]}` })
          : undefined,
    },
    { expect: { requests: 50 } },
  );
  it(
    '500-once',
    'answers 500 once',
    insteadOfFirst('notify', () => html(500, 'Oops')),
    { expect: AGAIN },
  );
  it(
    '503-once',
    'answers 503 once',
    insteadOfFirst('notify', () => html(503, 'Down', { 'Retry-After': '1' })),
    { expect: AGAIN },
  );
  it(
    '429-once',
    'answers 429 to the first notification',
    insteadOfFirst('notify', () => reply(429)),
    { expect: AGAIN },
  );
  it('reply-lost', 'loses the first reply by a reset', onFirst('notify', lost('reset')), { expect: AGAIN });
  it('reply-lost-close', 'loses the first reply by a close', onFirst('notify', lost('close')), { expect: AGAIN });
  it(
    'request-lost',
    'resets the connection once before the notification has an effect',
    insteadOfFirst('notify', () => ({ ...reply(200), isLost: true, ending: 'reset' })),
    { expect: AGAIN },
  );
  it('500-always', 'acts on every notification and answers 500', always(html(500, 'Oops')), { expect: AGAIN });
  it('400-always', 'acts on every notification and answers 400', always(json(400, { message: 'Unknown.' })), {
    expect: { requests: 60 },
  });
  it(
    '404-when-processed',
    'answers 404 to every notification, after it took effect',
    on('notify', () => html(404, 'Not Found')),
    { expect: { requests: 60 } },
  );
  it(
    '410-when-processed',
    'answers 410 to every notification, after it took effect',
    on('notify', () => reply(410)),
    { expect: { requests: 60 } },
  );
  it(
    '409-at-first',
    'answers 409 to the first notification, as if no bytes had arrived',
    insteadOfFirst('notify', () => json(409, { message: 'No bytes have arrived.' })),
    { expect: { ...AGAIN, retries: 2 } },
  );
  it(
    '404-at-first',
    'answers 404 to the first notification',
    insteadOfFirst('notify', () => html(404, 'Not Found')),
    { expect: { ...AGAIN, retries: 2 } },
  );
  it(
    'refused-and-late',
    'answers 404 to the first notification, and for 15 s to reads of a new file',
    { ...insteadOfFirst('notify', () => json(404, { message: 'No such file.' })), library: { fileLagMs: 15_000 } },
    { expect: { retries: 2, requests: 90 } },
  );
  it(
    'slow',
    'takes 30 s to answer',
    on('notify', (own) => ({ ...own, delayMs: 30_000 })),
  );
  it(
    'path',
    'gives the address of the notification as a path',
    at((own, { site }) => `${new URL(own).pathname}?at=${new URL(site).port}`),
  );
  it(
    'own-origin',
    'gives an address of the notification on its own origin',
    at((own, { site }) => `${site}${new URL(own).pathname}`),
  );
  it(
    'foreign',
    'gives an address of the notification on a third host',
    at((own, { foreign }) => `${foreign}${new URL(own).pathname}`),
  );
  it(
    'user',
    'has a user name in the address of the notification',
    at((own) => own.replace('//', '//name:word@')),
  );
  it(
    'query',
    'has a signature in the address of the notification',
    at((own) => `${own}?sig=a%2Fb%3D&expires=1999999999`),
  );
  it(
    'in-thumbs',
    'gives no address, and detects the bytes after 20 s',
    { library: { notify: 'absent', noticeMs: 20_000 } },
    { expect: { requests: 120 } },
  );
  it(
    'in-form',
    'leaves the address out of the descriptor, and detects the bytes without a notification',
    {
      ...onJson('create-file', (file) => {
        delete file.upload.protocols.form_data.postprocess_url;
        return file;
      }),
      library: { notify: 'null', noticeMs: 2_000 },
    },
    { expect: { requests: 60 } },
  );
});
