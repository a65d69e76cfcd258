import type { Behavior } from '../server/behavior.ts';
import { html, json, type Reply, reply } from '../server/wire.ts';
import { casesOf } from '../suite/case.ts';
import { instead, insteadOfFirst, lost, on, onFirst } from './parts.ts';

const NOW = { publish: { kind: 'now' } } as const;
const PUBLISHED = { itemStatus: 'published', requests: 60 };
const then = (answer: Reply): Behavior => on('publish', (own) => (own.status === 200 ? answer : own));
const AT = '2099-05-01T08:00:00Z';

export const PUBLICATION = casesOf('publication', (it) => {
  it('now', 'publishes an item', {}, { batch: NOW, expect: PUBLISHED });
  it('204', 'answers 204 to a publication', then(reply(204)), { batch: NOW, expect: PUBLISHED });
  it('202-text', 'answers 202 with text to a publication', then(reply(202, 'soon')), { batch: NOW, expect: PUBLISHED });
  it(
    '303',
    'answers 303 with the address of the item',
    on('publish', (own, { ids }) => ({ ...own, status: 303, headers: [['Location', `/api2/media/${ids[0]}`]] })),
    { batch: NOW, expect: PUBLISHED },
  );
  it(
    '500-once',
    'answers 500 once',
    insteadOfFirst('publish', () => html(500, 'Oops')),
    { batch: NOW, expect: { ...PUBLISHED, retries: 1 } },
  );
  it(
    '429-once',
    'answers 429 to the first publication',
    insteadOfFirst('publish', () => reply(429, '', { 'Retry-After': '1' })),
    { batch: NOW, expect: { ...PUBLISHED, retries: 1 } },
  );
  it('reply-lost', 'publishes an item and loses the reply', onFirst('publish', lost('reset')), {
    batch: NOW,
    expect: { ...PUBLISHED, retries: 1 },
  });
  it(
    'at',
    'schedules items',
    {},
    {
      batch: { publish: { kind: 'at', at: AT } },
      expect: {
        itemStatus: 'scheduled',
        also: ({ library }) =>
          library.items.every(({ publishOn }) => publishOn !== null && Date.parse(publishOn) === Date.parse(AT))
            ? undefined
            : 'The time of publication differs.',
      },
    },
  );
  it(
    'at-ignored',
    'publishes an item at once, whatever the requested time is',
    {
      instead: (request, { library }) => {
        if (request.route !== 'publish') return undefined;
        const item = library.item(request.ids[0]);
        if (item !== undefined) item.status = 'published';
        return json(200, {});
      },
    },
    { batch: { publish: { kind: 'at', at: AT } }, expect: PUBLISHED },
  );
  it(
    'published-already',
    'publishes and answers 500, then 409 because the item is published already',
    {
      instead: ({ route, ids }, { library }) => {
        if (route !== 'publish') return undefined;
        const item = library.item(ids[0]);
        if (item?.status === 'published') return json(409, { message: 'It is published already.' });
        if (item !== undefined) item.status = 'published';
        return reply(500);
      },
    },
    { batch: NOW, expect: { ...PUBLISHED, retries: 1 } },
  );
  it(
    'draft-wanted',
    'shows drafts as published',
    on(['item', 'create-item', 'list-items'], (own) => ({
      ...own,
      body: own.body.toString().replaceAll('"draft"', '"published"'),
    })),
  );
  for (const [id, name, answer] of [
    ['403', 'answers 403 to a publication', json(403, { message: 'You may not publish.' })],
    ['404', 'answers 404 to a publication', html(404, 'Not Found')],
    ['405', 'answers 405 to a publication', reply(405)],
    ['422', 'answers 422 to a publication', json(422, { message: 'Invalid.', errors: ['The byline is missing.'] })],
  ] as [string, string, Reply][]) {
    it(
      `refused-${id}`,
      name,
      instead('publish', () => answer),
      { batch: NOW, expect: { publicationRefused: true, requests: 60 } },
    );
  }
});
