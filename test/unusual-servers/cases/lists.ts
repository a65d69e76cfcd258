import type { Behavior } from '../server/behavior.ts';
import { json, type Reply, type Request, withJson } from '../server/wire.ts';
import { casesOf, type LocalFile } from '../suite/case.ts';
import { instead, isEarly, lost, on, onJson } from './parts.ts';

const LOST = { retries: 1, requests: 120 };
const MANY: readonly LocalFile[] = Array.from({ length: 8 }, (_, n) => ({
  name: `Part ${n + 1}.mp4`,
  bytes: 1_000 + n,
}));

/** Changes lists and loses the replies to creations, so that the client depends on the lists. */
function lostAnd(change: (reply: Reply, request: Request) => Reply, library: Behavior['library'] = {}): Behavior {
  return {
    library: { seed: 25, pageSize: 10, ...library },
    change(reply, request, world) {
      if (request.route === 'create-item' && isEarly(request, world)) return lost()(reply, request, world);
      return request.route === 'list-items' ? change(reply, request) : reply;
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: a case changes JSON of every shape
type List = { items: any[]; links: Record<string, string | null> };
const listed = (change: (list: List, request: Request) => unknown) =>
  lostAnd((reply, request) => withJson(reply, (list: List) => change(list, request)));
const links = (change: (link: string, request: Request) => string | null) =>
  listed((list, request) => ({
    ...list,
    links: Object.fromEntries(
      Object.entries(list.links).map(([name, link]) => [name, link === null ? null : change(link, request)]),
    ),
  }));
const entries = (change: (entry: Record<string, unknown>, index: number) => unknown) =>
  listed((list) => ({ ...list, items: list.items.map(change) }));

export const LISTS = casesOf('lists', (it) => {
  for (const size of [1, 7, 100]) {
    it(
      `page-${size}`,
      `lists items in pages of ${size}`,
      lostAnd((reply) => reply, { pageSize: size }),
      { expect: LOST },
    );
  }
  it(
    'links-absolute',
    'links pages by absolute URLs',
    links((link, { headers }) => `http://${headers.host}${link}`),
    { expect: LOST },
  );
  it(
    'links-relative',
    'links pages with relative addresses',
    links((link) => link.slice(link.indexOf('?'))),
    { expect: LOST },
  );
  it(
    'links-inner-host',
    'links pages by the internal host name behind its proxy',
    links((link) => `http://library-3.internal:8080${link}`),
    { expect: LOST },
  );
  it(
    'next-empty',
    'has an empty text as the next link of the last page',
    listed((list) => ({ ...list, links: { ...list.links, next: list.links.next ?? '' } })),
    { expect: LOST },
  );
  it(
    'next-absent',
    'leaves out the next link of the last page',
    listed((list) => {
      const { next, ...others } = list.links;
      return { ...list, links: next === null ? others : { ...others, next } };
    }),
    { expect: LOST },
  );
  it(
    'next-false',
    'has false as the next link of the last page',
    listed((list) => ({ ...list, links: { ...list.links, next: list.links.next ?? false } })),
    { expect: LOST },
  );
  it(
    'no-links',
    'has one page and no links',
    lostAnd((reply) => withJson(reply, ({ items }: List) => ({ items })), { pageSize: 200 }),
    { expect: LOST },
  );
  it(
    'links-null',
    'has one page and null as links',
    lostAnd((reply) => withJson(reply, ({ items }: List) => ({ items, links: null })), { pageSize: 200 }),
    { expect: LOST },
  );
  it(
    'extra-fields',
    'has fields and links that the API does not know',
    listed((list) => ({
      ...list,
      total: 7,
      links: { ...list.links, first: '/api2/media', templates: { by_id: '/api2/media/{id}' } },
      items: list.items.map((entry) => ({ ...entry, owner: { id: 3 }, '@type': 'Media' })),
    })),
    { expect: LOST },
  );
  it(
    'unknown-words',
    'has types and states that the API does not know',
    entries((entry, index) => ({ ...entry, type: 'hologram', status: index % 3 === 0 ? 'embargoed' : entry.status })),
    { expect: LOST },
  );
  it(
    'sparse',
    'leaves out everything but ids, titles, states and dates',
    entries(({ id, title, status, collection_id, created_on }) => ({ id, title, status, collection_id, created_on })),
    { expect: LOST },
  );
  it(
    'nulls',
    'has nulls for everything optional',
    entries((entry) => ({
      ...Object.fromEntries(Object.keys(entry).map((name) => [name, null])),
      id: entry.id,
      title: entry.title,
      status: entry.status,
      collection_id: entry.collection_id,
      created_on: entry.created_on,
    })),
    { expect: LOST },
  );
  it(
    'numbers',
    'has ids as numbers and numbers as text',
    entries((entry) => ({
      ...entry,
      id: Number(entry.id),
      collection_id: Number(entry.collection_id),
      views_count: '12',
      duration: '3.5',
    })),
    { expect: LOST },
  );
  it(
    'damaged-entry',
    'has unreadable entries',
    listed((list) => ({ ...list, items: [null, { id: null }, ...list.items, 'deleted'] })),
    { expect: LOST },
  );
  it(
    'offset-dates',
    'writes dates with an offset and fractions',
    entries((entry) => ({ ...entry, created_on: String(entry.created_on).replace('Z', '.000+00:00') })),
    { expect: LOST },
  );
  it(
    'late',
    'lists new items 20 s late',
    lostAnd((reply) => reply, { listLagMs: 20_000 }),
    { expect: LOST },
  );
  it(
    'unsorted',
    'reverses the order of each page',
    listed((list) => ({ ...list, items: list.items.toReversed() })),
    { expect: LOST },
  );
  it(
    'ignores-filters',
    'ignores every filter',
    {
      ...lostAnd((reply) => reply),
      instead: ({ route, url }) => {
        if (route === 'list-items')
          for (const name of ['created_after', 'collection_id', 'sort', 'order']) url.searchParams.delete(name);
        return undefined;
      },
    },
    { expect: LOST },
  );
  it(
    'skewed-day-ahead',
    'has a clock that is a day ahead',
    lostAnd((reply) => reply, { clockSkewMs: 24 * 3_600_000 }),
    { expect: LOST },
  );
  it(
    'skewed-day-behind',
    'has a clock that is a day behind',
    lostAnd((reply) => reply, { clockSkewMs: -24 * 3_600_000 }),
    { expect: LOST },
  );
  it(
    'repeats-entries',
    'lists the last entry of each page twice',
    listed((list) => ({ ...list, items: [...list.items, ...list.items.slice(-1)] })),
    { expect: LOST },
  );
  it(
    'pretty',
    'writes JSON on many lines with escapes',
    lostAnd((reply) => ({
      ...reply,
      body: `\n${JSON.stringify(JSON.parse(reply.body.toString()), null, 4).replace(/[^\n -~]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n\n`,
    })),
    { expect: LOST },
  );
  it(
    'forbidden',
    'answers 403 to requests for lists of items',
    instead('list-items', () => json(403, { message: 'Not allowed.' })),
  );
  it(
    'not-found',
    'answers 404 to requests for lists of items',
    instead('list-items', () => json(404, { message: 'Nothing here.' })),
  );
  it(
    'joins-refused',
    'answers 400 to requests with the parameter joins',
    {
      ...instead('list-items', ({ url }) =>
        url.searchParams.has('joins') ? json(400, { message: 'Unknown parameter.' }) : undefined,
      ),
      library: { processingMs: 4_000 },
    },
    { files: MANY, expect: { requests: 160 } },
  );
  it(
    'joins-ignored',
    'ignores the parameter joins',
    {
      ...onJson('list-items', (list: List) => ({ ...list, items: list.items.map(({ files: _, ...entry }) => entry) })),
      library: { processingMs: 4_000 },
    },
    { files: MANY, expect: { requests: 160 } },
  );
  it(
    'joins-envelope',
    'puts joined files into a list envelope',
    {
      ...onJson('list-items', (list: List) => ({
        ...list,
        items: list.items.map(({ files, ...entry }) => ({
          ...entry,
          ...(files ? { files: { items: files, links: {} } } : {}),
        })),
      })),
      library: { processingMs: 4_000 },
    },
    { files: MANY, expect: { requests: 160 } },
  );
  it(
    'joins-stale',
    'shows joined files with the status of their creation',
    {
      ...onJson('list-items', (list: List) => ({
        ...list,
        items: list.items.map(({ files, ...entry }) => ({
          ...entry,
          ...(files ? { files: files.map((file: object) => ({ ...file, status: 'uploading' })) } : {}),
        })),
      })),
      library: { processingMs: 2_000 },
    },
    { files: MANY, expect: { requests: 400 } },
  );
  it(
    'files-of-file-list',
    'lists encodings beside the files of an item',
    on('list-files', (reply) =>
      withJson(reply, (list: List) => ({
        ...list,
        items: list.items.flatMap((file) => [
          file,
          { ...file, id: `${file.id}-hd`, source: 'encoding', encoding_profile: 'hd', encodings: null },
        ]),
      })),
    ),
  );
});
