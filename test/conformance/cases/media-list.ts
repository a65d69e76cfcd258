import type { Json } from '../http/answer.ts';
import type { Query } from '../http/site.ts';
import { type AddCase, type Case, casesOf } from '../suite/case.ts';
import { check, equal, has, hasNot, hasStatus, sameSet } from '../suite/expect.ts';
import { eventually } from '../world/eventually.ts';
import { audioItem, fiveItems, pictureItem } from '../world/fixtures.ts';
import { inSeconds, type Made, publish, unpublish } from '../world/makers.ts';
import type { World } from '../world/world.ts';

const MEDIA = '/api2/media';
const DAY_S = 86_400;

interface Mixed {
  collection: Made;
  draft: Made;
  /** To be published in two days. */
  scheduled: Made;
  published: Made;
  tag: string;
  word: string;
}

/** Three items in one collection, one in each status; the published one has its own tag and a unique word. */
const mixed = (w: World): Promise<Mixed> =>
  w.once('mixed items', async () => {
    const [collection, tag, word] = [await w.collection(), w.tagName(), w.word()];
    const inIt = { collection_id: collection.id };
    const draft = await w.media({ ...inIt, title: `b ${w.name('draft')}` });
    await unpublish(w.api, draft);
    const scheduled = await w.media({ ...inIt, title: `c ${w.name('scheduled')}` });
    await publish(w.api, scheduled, inSeconds(2 * DAY_S));
    const title = `a ${word} ${w.name('published')}`;
    const published = await w.media({ ...inIt, title, tags: [tag], description: `<p>On ${word}s</p>` });
    await publish(w.api, published);
    return { collection, draft, scheduled, published, tag, word };
  });

interface Filter {
  name: string;
  query(w: World, items: Mixed): Promise<Query> | Query;
  /** Returns which of the three items a filter finds. */
  found(items: Mixed): Made[];
}

const all = ({ draft, scheduled, published }: Mixed) => [draft, scheduled, published];

const FILTERS: Readonly<Record<string, Filter>> = {
  'status-published': {
    name: 'status=published keeps published items',
    query: () => ({ status: 'published' }),
    found: ({ published }) => [published],
  },
  'status-scheduled': {
    name: 'status=scheduled keeps scheduled items',
    query: () => ({ status: 'scheduled' }),
    found: ({ scheduled }) => [scheduled],
  },
  'status-draft': {
    name: 'status=draft keeps drafts',
    query: () => ({ status: 'draft' }),
    found: ({ draft }) => [draft],
  },
  'created-before': {
    name: 'created_before keeps items that were created before a time',
    query: () => ({ created_before: inSeconds(DAY_S) }),
    found: all,
  },
  'created-before-none': {
    name: 'created_before drops items that were created after that time',
    query: () => ({ created_before: inSeconds(-DAY_S) }),
    found: () => [],
  },
  'created-after': {
    name: 'created_after keeps items that were created after a time',
    query: () => ({ created_after: inSeconds(-DAY_S) }),
    found: all,
  },
  'created-after-none': {
    name: 'created_after drops items that were created before that time',
    query: () => ({ created_after: inSeconds(DAY_S) }),
    found: () => [],
  },
  'publish-before': {
    name: 'publish_before keeps items with an earlier publish_on',
    query: () => ({ publish_before: inSeconds(DAY_S), status: 'published' }),
    found: ({ published }) => [published],
  },
  'publish-before-none': {
    name: 'publish_before drops items with a later publish_on',
    query: () => ({ publish_before: inSeconds(DAY_S), status: 'scheduled' }),
    found: () => [],
  },
  'publish-after': {
    name: 'publish_after keeps items with a later publish_on',
    query: () => ({ publish_after: inSeconds(DAY_S), status: 'scheduled' }),
    found: ({ scheduled }) => [scheduled],
  },
  'publish-after-none': {
    name: 'publish_after drops items with an earlier publish_on',
    query: () => ({ publish_after: inSeconds(DAY_S), status: 'published' }),
    found: () => [],
  },
  tag: {
    name: 'tag keeps items that have a tag of this name',
    query: (_w, { tag }) => ({ tag }),
    found: ({ published }) => [published],
  },
  search: {
    name: 'search finds items by the words in them',
    query: (_w, { word }) => ({ search: word }),
    found: ({ published }) => [published],
  },
  'search-none': {
    name: 'search finds nothing for a word that no item contains',
    query: (w) => ({ search: w.word() }),
    found: () => [],
  },
  'exclude-ids': {
    name: 'exclude_ids drops the items that it names, separated by commas',
    query: (_w, { draft, scheduled }) => ({ exclude_ids: `${draft.id},${scheduled.id}` }),
    found: ({ published }) => [published],
  },
  'exclude-one': {
    name: 'exclude_ids can name a single item',
    query: (_w, { draft }) => ({ exclude_ids: draft.id }),
    found: ({ scheduled, published }) => [scheduled, published],
  },
  together: {
    name: 'several filters apply together',
    query: (_w, { tag, draft }) => ({ tag, status: 'published', exclude_ids: draft.id }),
    found: ({ published }) => [published],
  },
};

/**
 * Tests each filter once in the list and once in the count. Search indexes may lag behind, so the case polls for a
 * while.
 */
function filterCases(it: AddCase): void {
  for (const [id, { name, query, found }] of Object.entries(FILTERS)) {
    it(`filter-${id}`, name, async (w) => {
      const items = await mixed(w);
      const asked = { ...(await query(w, items)), collection_id: items.collection.id };
      const expected = found(items).map((item) => item.id);
      if (id === 'search') await eventually('the item to be found', async () => (await w.api.ids(MEDIA, asked))[0]);
      sameSet(await w.api.ids(MEDIA, asked), expected, 'The list');
    });
    it(`count-${id}`, `The count has the same filter: ${name}`, async (w) => {
      const items = await mixed(w);
      const asked = { ...(await query(w, items)), collection_id: items.collection.id };
      if (id === 'search') await eventually('the item to be found', async () => (await w.api.ids(MEDIA, asked))[0]);
      equal((await w.api.read(`${MEDIA}/count`, asked)).count, found(items).length, 'count');
    });
  }
}

export const mediaListCases: Case[] = casesOf('media-list', (it) => {
  filterCases(it);

  it('filter-type-audio', 'type=audio keeps audio items', async (w) => {
    const [{ media: audio }, { media: picture }] = [await audioItem(w), await pictureItem(w)];
    const ids = await w.api.ids(MEDIA, { type: 'audio', collection_id: await shelf(w) });
    has(ids, audio.id, 'The list');
    hasNot(ids, picture.id, 'The list');
  });
  it('filter-type-image', 'type=image keeps image items', async (w) => {
    const [{ media: audio }, { media: picture }] = [await audioItem(w), await pictureItem(w)];
    const ids = await w.api.ids(MEDIA, { type: 'image', collection_id: await shelf(w) });
    has(ids, picture.id, 'The list');
    hasNot(ids, audio.id, 'The list');
  });
  for (const type of ['video', 'doc']) {
    it(`filter-type-${type}`, `type=${type} keeps items of this type`, async (w) => {
      const items = await w.api.list(MEDIA, { type, collection_id: await shelf(w) });
      check(
        items.every((item) => item.type === type),
        'An item of another type is in the list.',
      );
    });
  }
  it('filter-collection', 'collection_id keeps the items of a collection', async (w) => {
    const { collection, items } = await fiveItems(w);
    sameSet(
      await w.api.ids(MEDIA, { collection_id: collection.id }),
      items.map(({ id }) => id),
      'The list',
    );
  });
  it('filter-collections', 'collection_id can be a list of ids separated by commas', async (w) => {
    const [five, three] = [await fiveItems(w), await mixed(w)];
    const ids = await w.api.ids(MEDIA, { collection_id: `${five.collection.id},${three.collection.id}` });
    sameSet(
      ids,
      [...five.items, ...all(three)].map(({ id }) => id),
      'The list',
    );
  });
  const COUNTED: Readonly<Record<string, (w: World) => Promise<Query>>> = {
    'type-audio': async (w) => ({ type: 'audio', collection_id: await shelf(w) }),
    'type-image': async (w) => ({ type: 'image', collection_id: await shelf(w) }),
    collection: async (w) => ({ collection_id: (await fiveItems(w)).collection.id }),
    collections: async (w) => ({
      collection_id: `${(await fiveItems(w)).collection.id},${(await mixed(w)).collection.id}`,
    }),
    related: async (w) => ({
      related_to: (await mixed(w)).published.id,
      collection_id: (await mixed(w)).collection.id,
    }),
  };
  for (const [id, queryOf] of Object.entries(COUNTED)) {
    it(`count-${id}`, `The count has the same filter as the list: ${id}`, async (w) => {
      await pictureItem(w);
      const query = await queryOf(w);
      equal((await w.api.read(`${MEDIA}/count`, query)).count, (await w.api.ids(MEDIA, query)).length, 'count');
    });
  }
  it('related-not-itself', 'An item is not related to itself', async (w) => {
    const { published } = await mixed(w);
    hasNot(await w.api.ids(MEDIA, { related_to: published.id }), published.id, 'The list');
  });
  it('related', 'related_to accepts the id of an item and answers with a list of items', async (w) => {
    const { published } = await mixed(w);
    await w.api.list(MEDIA, { related_to: published.id, collection_id: (await mixed(w)).collection.id });
  });
  it('count', 'GET /media/count answers {count}, an integer', async (w) => {
    check(Number.isInteger((await w.api.read(`${MEDIA}/count`)).count), 'count is no integer.');
  });
  it('read-permission', 'The list needs media-read: without it items are not in the list', async (w) => {
    const { api, collection } = await w.holding(['collection-read']);
    const media = await w.media({ collection_id: collection.id });
    await publish(w.api, media);
    hasNot(await api.ids(MEDIA, { collection_id: collection.id }), media.id, 'The list');
  });
  it('count-permission', 'The count needs media-read: without it items are not counted', async (w) => {
    const { api, collection } = await w.holding(['collection-read']);
    await publish(w.api, await w.media({ collection_id: collection.id }));
    const answer = await api.get(`${MEDIA}/count`, { collection_id: collection.id });
    if (answer.ok) equal(answer.object().count, 0, 'count');
  });

  const sorted = async (w: World, query: Query) => {
    const { collection } = await fiveItems(w);
    return w.api.list(MEDIA, { ...query, collection_id: collection.id });
  };
  it('sort-title', 'sort=title orders by title', async (w) => {
    const titles = (await sorted(w, { sort: 'title' })).map(({ title }) => String(title));
    equal(titles, [...(await fiveItems(w)).titles].sort(), 'The titles');
  });
  it('order-desc', 'order=desc reverses the order', async (w) => {
    const titles = (await sorted(w, { sort: 'title', order: 'desc' })).map(({ title }) => String(title));
    equal(titles, [...(await fiveItems(w)).titles].sort().reverse(), 'The titles');
  });
  it('order-asc', 'order=asc is the default', async (w) => {
    const ids = (items: readonly { id?: Json | undefined }[]) => items.map(({ id }) => id ?? null);
    const [given, left] = [await sorted(w, { sort: 'title', order: 'asc' }), await sorted(w, { sort: 'title' })];
    equal(ids(given), ids(left), 'The list with order=asc');
  });
  for (const field of ['created_on', 'modified_on'] as const) {
    it(`sort-${field.replace('_', '-')}`, `sort=${field} orders by ${field}`, async (w) => {
      const values = (await sorted(w, { sort: field })).map((item) => String(item[field]));
      equal(values, [...values].sort(), `The values of ${field}`);
    });
    it(`sort-${field.replace('_', '-')}-desc`, `sort=${field} with order=desc is descending`, async (w) => {
      const values = (await sorted(w, { sort: field, order: 'desc' })).map((item) => String(item[field]));
      equal(values, [...values].sort().reverse(), `The values of ${field}`);
    });
  }
  const dated = (w: World) =>
    w.once('dated items', async () => {
      const collection = await w.collection();
      const items: Made[] = [];
      for (const days of [5, 3, 4]) {
        const media = await w.media({ collection_id: collection.id });
        await publish(w.api, media, inSeconds(days * DAY_S));
        items.push(media);
      }
      const [five, three, four] = items.map(({ id }) => id);
      return { collection, byDate: [three ?? '', four ?? '', five ?? ''] };
    });
  it('sort-publish-on', 'sort=publish_on orders by publish_on', async (w) => {
    const { collection, byDate } = await dated(w);
    equal(await w.api.ids(MEDIA, { sort: 'publish_on', collection_id: collection.id }), byDate, 'The list');
  });
  it('sort-default', 'Without sort the order is that of publish_on, ascending', async (w) => {
    const { collection, byDate } = await dated(w);
    equal(await w.api.ids(MEDIA, { collection_id: collection.id }), byDate, 'The list');
  });
  it('sort-popularity', 'sort=popularity is accepted and lists the same items', async (w) => {
    const items = await sorted(w, { sort: 'popularity' });
    sameSet(
      items.map(({ id }) => id),
      (await fiveItems(w)).items.map(({ id }) => id),
      'The list',
    );
  });
  it('sort-relevance-search', 'sort=relevance works with search', async (w) => {
    const { word, collection } = await mixed(w);
    hasStatus(await w.api.get(MEDIA, { search: word, sort: 'relevance', collection_id: collection.id }), 200);
  });
  it('sort-relevance-related', 'sort=relevance works with related_to', async (w) => {
    hasStatus(await w.api.get(MEDIA, { related_to: (await mixed(w)).published.id, sort: 'relevance' }), 200);
  });
  for (const join of ['files', 'thumbs', 'embedcode']) {
    it(`joins-${join}`, `The list accepts joins=${join}`, async (w) => {
      const { collection, published } = await mixed(w);
      has(await w.api.ids(MEDIA, { joins: join, collection_id: collection.id }), published.id, 'The list');
    });
  }
});

async function shelf(w: World): Promise<string> {
  return String((await w.api.read((await audioItem(w)).media.path)).collection_id);
}
