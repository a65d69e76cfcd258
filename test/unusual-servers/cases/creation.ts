import { headerOf, html, type Reply, withHeaders, withJson } from '../server/wire.ts';
import { casesOf } from '../suite/case.ts';
import { insteadOfFirst, lost, on, onFirst, onJson } from './parts.ts';

const location = (change: (path: string) => string) =>
  on('create-item', (reply) => withHeaders(reply, { Location: change(headerOf(reply, 'Location') ?? '') }));
const answered = (changes: Partial<Reply>) => on('create-item', (reply) => ({ ...reply, ...changes }));
const ONE_RETRY = { retries: 1, requests: 60 };

export const CREATION = casesOf('creation', (it) => {
  it('usual', 'answers as the API describes', {});
  it('status-200', 'answers 200 with the item', answered({ status: 200 }));
  it('status-202', 'answers 202 with the item', answered({ status: 202 }));
  it('status-303', 'answers 303 with the address of the item', answered({ status: 303, body: '' }));
  it('no-body', 'answers 201 with a Location and no body', answered({ body: '' }));
  it('status-200-no-body', 'answers 200 with a Location and no body', answered({ status: 200, body: '' }));
  it(
    'html-body',
    'answers 201 with a page',
    on('create-item', (reply) => ({ ...html(201, 'Created'), headers: reply.headers })),
  );
  it(
    'wrapped-body',
    'returns the item inside another object',
    onJson('create-item', (item) => ({ media: item, status: 'ok' })),
  );
  it(
    'location-absolute',
    'gives the Location with its own origin',
    on('create-item', (reply, { headers }) =>
      withHeaders(reply, { Location: `http://${headers.host}${headerOf(reply, 'Location')}` }),
    ),
  );
  it(
    'location-relative',
    'gives the Location relative to the request',
    location((path) => path.slice('/api2/'.length)),
  );
  it(
    'location-slash',
    'ends the Location with a slash',
    location((path) => `${path}/`),
  );
  it(
    'location-query',
    'adds a query and a fragment to the Location',
    location((path) => `${path}?format=json#top`),
  );
  it(
    'location-inner-host',
    'gives the Location with the internal host name behind its proxy',
    location((path) => `http://library-3.internal:8080${path}`),
  );
  it(
    'location-foreign',
    'gives a Location on another host that answers',
    on('create-item', (reply, _, { origins }) =>
      withHeaders(reply, { Location: `${origins.foreign}${headerOf(reply, 'Location')}` }),
    ),
  );
  it(
    'location-missing',
    'gives no Location, only the item',
    on('create-item', (reply) => withHeaders(reply, { Location: null })),
  );
  it(
    'location-empty',
    'gives an empty Location',
    location(() => ''),
  );
  it(
    'location-list',
    'gives the address of the list as Location',
    location(() => '/api2/media'),
  );
  it(
    'location-view',
    'gives the address of the item’s view page as Location',
    location((path) => path.replace('/api2/media', '/view')),
  );
  it(
    'nothing-at-all',
    'answers 201 with neither Location nor body',
    on('create-item', (reply) => withHeaders({ ...reply, body: '' }, { Location: null })),
    { expect: { retries: 1, requests: 70 } },
  );
  it('id-number', 'has numbers as ids', { library: { id: (count) => 4000 + count } });
  it('id-odd', 'has ids with slashes, blanks and per cent signs', { library: { id: (count) => `a/b c%${count}?&#é` } });
  it('id-uuid', 'has UUIDs in braces as ids', {
    library: { id: (count) => `{0b7c1e3a-8f4e-4f6e-9d54-${String(count).padStart(12, '0')}}` },
  });
  it('id-long', 'has ids of 400 characters', { library: { id: (count) => `${'x'.repeat(400)}${count}` } });
  it('id-dotted', 'has ids like file names', { library: { id: (count) => `..${count}.json` } });
  it(
    'id-differs',
    'has the id as a number in the body, and as text in the Location',
    on('create-item', (reply) => withJson(reply, (item) => ({ ...item, id: Number(item.id) }))),
  );
  it('reply-lost-reset', 'loses the reply by a reset', onFirst('create-item', lost('reset')), { expect: ONE_RETRY });
  it('reply-lost-close', 'loses the reply by a close', onFirst('create-item', lost('close')), { expect: ONE_RETRY });
  it(
    'request-lost',
    'resets the connection before the request has an effect',
    insteadOfFirst('create-item', () => ({ ...html(200, ''), isLost: true, ending: 'reset' })),
    { expect: { retries: 1, requests: 80 } },
  );
  it(
    'made-and-500',
    'creates the item and answers 500',
    onFirst('create-item', () => html(500, 'Oops')),
    { expect: ONE_RETRY },
  );
  it(
    'made-and-504',
    'creates the item, and its gateway answers 504',
    onFirst('create-item', () => html(504, 'Gateway Time-out')),
    { expect: ONE_RETRY },
  );
  it(
    'cut-reply',
    'cuts the reply off in the middle of its body',
    onFirst('create-item', (reply) => ({
      ...reply,
      raw: `HTTP/1.1 201 Created\r\nLocation: ${headerOf(reply, 'Location')}\r\nContent-Length: 5000\r\n\r\n{"id":`,
      ending: 'close',
    })),
    { expect: ONE_RETRY },
  );
  it(
    'slow',
    'takes 30 s to answer',
    on('create-item', (reply) => ({ ...reply, delayMs: 30_000 })),
  );
  it(
    'late-to-read',
    'answers 404 for a new item for some seconds',
    { library: { readLagMs: 6_000 } },
    { expect: { retries: 2, requests: 60 } },
  );
});
