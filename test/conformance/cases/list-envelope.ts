import { at, type JsonObject } from '../http/answer.ts';
import { itemsOf } from '../http/api.ts';
import { type Case, casesOf } from '../suite/case.ts';
import { check, equal, isString, sameSet } from '../suite/expect.ts';
import { audioItem, fiveItems } from '../world/fixtures.ts';
import type { World } from '../world/world.ts';

const LISTS: Readonly<Record<string, (w: World) => Promise<string>>> = {
  collections: async () => '/api2/collections',
  media: async () => '/api2/media',
  files: async (w) => `${(await audioItem(w)).media.path}/files`,
  users: async () => '/api2/users',
  groups: async () => '/api2/groups',
  tags: async () => '/api2/tags',
  roles: async () => '/api2/roles',
  memberships: async () => '/api2/memberships',
  'calculated-roles': async (w) => `/api2/memberships/calculate-roles-perms?user_id=${(await w.second()).userId}`,
};

async function paths(
  w: World,
): Promise<Readonly<Record<'collections' | 'media', { path: string; filter: JsonObject }>>> {
  const { collection } = await fiveItems(w);
  const parent = await w.once('five collections', async () => {
    const made = await w.collection();
    for (let index = 0; index < 5; index += 1) await w.collection({ parent_id: made.id });
    return made;
  });
  return {
    collections: { path: '/api2/collections', filter: { parent_id: parent.id } },
    media: { path: '/api2/media', filter: { collection_id: collection.id } },
  };
}

const PAGED = ['collections', 'media'] as const;

async function firstPage(w: World, list: (typeof PAGED)[number]) {
  const { path, filter } = (await paths(w))[list];
  return w.api.get(path, { ...(filter as Record<string, string>), per_page: 2 });
}

export const listEnvelopeCases: Case[] = casesOf('list-envelope', (it) => {
  for (const [name, pathOf] of Object.entries(LISTS)) {
    it(`items-${name}`, `The list of ${name} has items, an array, and links with self`, async (w) => {
      const answer = await w.api.get(await pathOf(w));
      itemsOf(answer);
      isString(at(answer.object(), 'links.self'), 'links.self');
    });
  }

  for (const list of PAGED) {
    it(`prev-next-${list}`, `The ${list} list has links.prev and links.next, each a path or null`, async (w) => {
      const links = at((await firstPage(w, list)).object(), 'links');
      for (const name of ['prev', 'next']) {
        const link = at(links, name);
        check(link === null || typeof link === 'string', `links.${name} is ${JSON.stringify(link)}.`);
      }
    });
    it(`edges-${list}`, `On the ${list} list prev of the first page and next of the last page are null`, async (w) => {
      const { path, filter } = (await paths(w))[list];
      const whole = await w.api.get(path, { ...(filter as Record<string, string>), per_page: 5 });
      equal(at(whole.object(), 'links.next'), null, 'next of a page that just holds all five items');
      let page = (await firstPage(w, list)).object();
      equal(at(page, 'links.prev'), null, 'prev of the first page');
      for (let count = 0; typeof at(page, 'links.next') === 'string'; count += 1) {
        check(count < 10, 'The pages do not end.');
        page = (await w.api.get(w.site.pathOf(String(at(page, 'links.next'))))).object();
      }
      equal(at(page, 'links.next'), null, 'next of the last page');
    });
    it(`parameters-${list}`, `per_page and _p appear in the links of the ${list} list`, async (w) => {
      const next = at((await firstPage(w, list)).object(), 'links.next');
      isString(next, 'links.next');
      const query = new URL(next, w.site.baseUrl).searchParams;
      equal(query.get('per_page'), '2', 'per_page of links.next');
      check(query.has('_p'), `links.next is ${next}, without _p.`);
    });
    it(`follow-${list}`, `Following links.next yields every item of the ${list} list once`, async (w) => {
      const { path, filter } = (await paths(w))[list];
      const ids = await w.api.ids(path, { ...(filter as Record<string, string>), per_page: 2 });
      equal(ids.length, 5, 'The number of items');
      equal(new Set(ids).size, 5, 'The number of different items');
    });
    it(`size-${list}`, `A page of the ${list} list holds no more than per_page items`, async (w) => {
      equal(itemsOf(await firstPage(w, list)).length, 2, 'The number of items');
    });
    it(`back-${list}`, `links.prev of the second page of the ${list} list leads to the first`, async (w) => {
      const first = await firstPage(w, list);
      const second = await w.api.get(w.site.pathOf(String(at(first.object(), 'links.next'))));
      const prev = at(second.object(), 'links.prev');
      isString(prev, 'links.prev');
      const again = await w.api.get(w.site.pathOf(prev));
      sameSet(
        itemsOf(again).map(({ id }) => id),
        itemsOf(first).map(({ id }) => id),
        'The first page, read again',
      );
    });
    it(`self-${list}`, `links.self of the ${list} list leads to the same page`, async (w) => {
      const first = await firstPage(w, list);
      const self = String(at(first.object(), 'links.self'));
      const again = await w.api.get(w.site.pathOf(self));
      sameSet(
        itemsOf(again).map(({ id }) => id),
        itemsOf(first).map(({ id }) => id),
        'The same page',
      );
    });
    it(`filters-${list}`, `links.next of the ${list} list keeps the filters`, async (w) => {
      const { path, filter } = (await paths(w))[list];
      const all = await w.api.ids(path, filter as Record<string, string>);
      const next = String(at((await firstPage(w, list)).object(), 'links.next'));
      for (const { id } of itemsOf(await w.api.get(w.site.pathOf(next)))) {
        check(all.includes(String(id)), `${id} is on the next page, but not what was asked for.`);
      }
    });
  }

  it('count', 'The media list has links.count, the path of the count of the same items', async (w) => {
    const count = at((await firstPage(w, 'media')).object(), 'links.count');
    isString(count, 'links.count');
    equal((await w.api.read(w.site.pathOf(count))).count, 5, 'count');
  });
});
