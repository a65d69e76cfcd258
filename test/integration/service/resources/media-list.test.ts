import { describe, expect, test } from 'vitest';
import { expressionOf } from '../../../../service/database/full-text.ts';
import { searchQuery } from '../../../../service/resources/media/media-filter.ts';
import { type Answer, clientFor, type ServiceClient } from '../../../helpers/service/service-client.ts';
import { serviceOfFile } from '../../../helpers/service/service-of-file.ts';

const service = await serviceOfFile({ seed: 'demo' });
const admin = await clientFor(service);
const viewer = await clientFor(service, 'viewer');
/** All items of the demo library, from an unfiltered list of the administrator. */
const all = await everything(admin, '/api2/media?per_page=200');

async function everything(client: ServiceClient, path: string): Promise<Answer['body'][]> {
  const items: Answer['body'][] = [];
  for (let next: string | null = path; next; ) {
    const { status, body }: Answer = await client.get(next);
    expect(status).toBe(200);
    items.push(...body.items);
    next = body.links.next;
  }
  return items;
}

const ids = (items: Answer['body'][]): string[] => items.map((item) => item.id).sort();

/** Checks that list and count with a filter find exactly the items for which `fits` is true. */
async function expectFilter(query: string, fits: (item: Answer['body']) => boolean): Promise<void> {
  const expected = all.filter(fits);
  expect(expected.length, 'a filter that finds nothing proves nothing').toBeGreaterThan(0);
  expect(expected.length).toBeLessThan(all.length);
  expect(ids(await everything(admin, `/api2/media?per_page=200&${query}`))).toEqual(ids(expected));
  expect((await admin.get(`/api2/media/count?${query}`)).body).toEqual({ count: expected.length });
}

test('the demo library has about three hundred items of every type and status', () => {
  expect(all.length).toBeGreaterThan(250);
  expect(new Set(all.map((item) => item.type))).toEqual(new Set(['video', 'audio', 'doc', 'image']));
  expect(new Set(all.map((item) => item.status))).toEqual(new Set(['published', 'scheduled', 'draft']));
});

describe('the list and the count of items', () => {
  test('filter by created_before and created_after, without the instant itself', async () => {
    const middle = all.map((item) => item.created_on).sort()[Math.floor(all.length / 2)];
    await expectFilter(`created_before=${middle}`, (item) => item.created_on < middle);
    await expectFilter(`created_after=${middle}`, (item) => item.created_on > middle);
  });

  test('filter by publish_before and publish_after, and never find an item without a date', async () => {
    const middle = all.flatMap((item) => item.publish_on ?? []).sort()[100];
    await expectFilter(`publish_before=${middle}`, (item) => item.publish_on !== null && item.publish_on < middle);
    await expectFilter(`publish_after=${middle}`, (item) => item.publish_on !== null && item.publish_on > middle);
  });

  test('accept an instant in another time zone', async () => {
    const item = all[100];
    const shifted = new Date(Date.parse(item.created_on) + 2 * 3_600_000).toISOString().slice(0, 19);
    await expectFilter(
      `created_after=${encodeURIComponent(`${shifted}+02:00`)}`,
      (each) => each.created_on > item.created_on,
    );
  });

  test('find a tag in any letter case', () => expectFilter('tag=OPTICS', (item) => item.tags.includes('optics')));

  test('search in title, byline, description and tags, for all words, by their prefixes', async () => {
    const text = (item: Answer['body']) =>
      [item.title, item.byline ?? '', item.description_plain, item.tags.join(' ')].join(' ').toLowerCase();
    await expectFilter('search=laser', (item) => /\blaser/.test(text(item)));
    await expectFilter('search=LIGHT%20wav', (item) => /\blight/.test(text(item)) && /\bwav/.test(text(item)));
    await expectFilter('search=solberg', (item) => /\bsolberg/.test(text(item)));
    await expectFilter('search=schrodinger', (item) => text(item).includes('schrödinger'));
  });

  test.each(['collection_id=99999', 'collection_id=x', 'tag=none', 'search=zzzz', 'search=%22%2A', 'related_to=99999'])(
    'find nothing for a value without matches: %s',
    async (query) => {
      expect((await admin.get(`/api2/media?${query}`)).body.items).toEqual([]);
      expect((await admin.get(`/api2/media/count?${query}`)).body).toEqual({ count: 0 });
    },
  );
});

describe('sorting', () => {
  const keys: Record<string, (item: Answer['body']) => string | number> = {
    created_on: (item) => item.created_on,
    modified_on: (item) => item.modified_on,
    publish_on: (item) => item.publish_on ?? '',
    popularity: (item) => item.views_count,
    title: (item) => item.title.toLowerCase().replace(/[^\x20-\x7e]/g, '~'),
  };

  test.each(Object.keys(keys))('by %s is ascending by default', async (sort) => {
    const key = keys[sort] ?? (() => 0);
    const up = (await everything(admin, `/api2/media?per_page=100&sort=${sort}`)).map(key);
    expect(up).toEqual([...up].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)));
    const down = await everything(admin, `/api2/media?per_page=100&sort=${sort}&order=desc`);
    const same = await everything(admin, `/api2/media?per_page=100&sort=${sort}&order=asc`);
    expect(down.map((item) => item.id)).toEqual(same.map((item) => item.id).reverse());
  });

  test('is by publish_on by default', () => {
    const dates = all.map((item) => item.publish_on ?? '');
    expect(dates).toEqual([...dates].sort());
  });

  test('by relevance has the best match first', async () => {
    const { items } = (await admin.get('/api2/media?search=lasers&sort=relevance')).body;
    expect(items[0].title).toContain('Lasers');
  });
});

describe('pages', () => {
  test('have 50 items by default, and at most 200', async () => {
    expect((await admin.get('/api2/media')).body.items).toHaveLength(50);
    const { body } = await admin.get('/api2/media?per_page=100000');
    expect(body.items).toHaveLength(200);
    expect(body.links.next).toContain('per_page=200');
  });

  test('after the last one are empty and have a link back', async () => {
    const { body } = await admin.get('/api2/media?_p=999');
    expect(body.items).toEqual([]);
    expect(body.links.next).toBeNull();
    expect(body.links.prev).toContain('_p=998');
  });
});

test('a viewer finds no drafts and nothing from closed collections, in list, search and count alike', async () => {
  const closed = (await admin.get('/api2/collections?display_name=Staff%20Training')).body.items[0].id;
  const expected = all.filter((item) => item.status === 'published' && item.collection_id !== closed);
  expect(ids(await everything(viewer, '/api2/media?per_page=200'))).toEqual(ids(expected));
  expect((await viewer.get('/api2/media/count')).body.count).toBe(expected.length);
  expect((await viewer.get('/api2/media?search=captions')).body.items).toEqual([]);
});

test('a picture of the demo library has a complete file, and a thumbnail that can be fetched', async () => {
  const item = all.find((each) => each.type === 'image' && each.title.startsWith('Graduation'));
  const joined = (await admin.get(`/api2/media/${item.id}?joins=files,thumbs`)).body;
  expect(joined.files[0].status).toBe('complete');
  const response = await fetch(joined.thumbs[0].content_url);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
});

test('an operator in a search is treated as text', () => {
  const query = searchQuery('a" OR NEAR(b) -c*');
  expect(query && expressionOf(query)).toBe('"a"* AND "or"* AND "near"* AND "b"* AND "c"*');
  expect(searchQuery('"" ** ()')).toBeUndefined();
});
