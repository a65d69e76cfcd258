import type { Behavior } from '../server/behavior.ts';
import { COLLECTION_ID } from '../server/library.ts';
import { html, json, reply, withJson } from '../server/wire.ts';
import { casesOf } from '../suite/case.ts';
import { instead, on, onJson } from './parts.ts';

// biome-ignore lint/suspicious/noExplicitAny: a case changes JSON of every shape
const tree = (change: (root: any) => unknown): Behavior => onJson('tree', ({ root }) => ({ root: change(root) }));
// biome-ignore lint/suspicious/noExplicitAny: a case changes JSON of every shape
const collection = (change: (own: any) => unknown): Behavior => ({
  change: (own, { route }) =>
    route === 'collection'
      ? withJson(own, change)
      : route === 'collections'
        ? withJson(own, (list) => ({ ...list, items: list.items.map(change) }))
        : undefined,
});
const unsigned = (answer: ReturnType<typeof reply>): Behavior => ({
  instead: ({ route, headers }) => (route === 'tokeninfo' && headers.authorization === undefined ? answer : undefined),
});

export const SITE = casesOf('site', (it) => {
  it('base-path', 'has a path of its own before the API', { library: { basePath: '/library' } });
  it('base-path-deep', 'has blanks and umlauts in its path', { library: { basePath: '/f%C3%A4cher/a%20b' } });
  it('typed-slash', 'has an address that is typed with slashes at its end', {}, { typedPath: '///' });
  it(
    'probe-html',
    'answers 401 with a page and WWW-Authenticate to a request without a token',
    unsigned(html(401, 'Unauthorized', { 'WWW-Authenticate': 'Bearer realm="library"' })),
  );
  it(
    'probe-empty',
    'answers 401 with only WWW-Authenticate to a request without a token',
    unsigned(reply(401, '', { 'WWW-Authenticate': 'Bearer' })),
  );
  it('probe-400', 'answers 400 to requests without a token', unsigned(json(400, { error: 'invalid_request' })));
  it('probe-403', 'answers 403 to requests without a token', unsigned(json(403, { message: 'No.' })));
  it('probe-redirect', 'redirects the first request to another address at its own origin', {
    instead: ({ route, headers, url }) =>
      route === 'tokeninfo' && headers.authorization === undefined && url.search === ''
        ? reply(302, '', { Location: `${url.pathname}?checked=1` })
        : undefined,
  });
  it(
    'root-artificial',
    'has an artificial root in its tree of collections',
    tree((root) => ({ id: '-1', display_name: '', slug: '', is_podcast: null, children: [root] })),
  );
  it('root-number', 'has numbers as ids of collections', {
    change: (own, { route }) =>
      ['tree', 'collection', 'collections'].includes(route)
        ? { ...own, body: own.body.toString().replaceAll(`"id":"${COLLECTION_ID}"`, `"id":${COLLECTION_ID}`) }
        : undefined,
  });
  it(
    'tree-without',
    'leaves the collection of the uploads out of its tree',
    tree((root) => ({ ...root, id: '-1', children: [] })),
  );
  it(
    'tree-missing',
    'answers 404 to requests for the tree',
    instead('tree', () => html(404, 'Not Found')),
  );
  it(
    'tree-forbidden',
    'answers 403 to requests for the tree',
    instead('tree', () => json(403, { message: 'Not allowed.' })),
  );
  it(
    'tree-null-counts',
    'has null as counts and children in its tree',
    tree((root) => ({ ...root, media_count: null, children: null })),
  );
  it(
    'tree-thousands',
    'has 5,000 collections',
    tree((root) => ({
      ...root,
      children: Array.from({ length: 5_000 }, (_, n) => ({
        id: String(10_000 + n),
        display_name: `Collection ${n}`,
        slug: `c-${n}`,
        is_podcast: false,
        children: [],
      })),
    })),
  );
  it(
    'tree-deep',
    'has collections 200 levels deep',
    tree((root) => {
      let node = { id: '900', display_name: 'Bottom', slug: 'b', is_podcast: false, children: [] as object[] };
      for (let level = 0; level < 200; level += 1)
        node = {
          id: `l${level}`,
          display_name: `Level ${level}`,
          slug: `l${level}`,
          is_podcast: false,
          children: [node],
        };
      return { ...root, children: [node] };
    }),
  );
  it(
    'tree-repeats',
    'has a collection twice in its tree',
    tree((root) => ({ ...root, children: [{ ...root, children: [] }] })),
  );
  it(
    'collection-sparse',
    'shows only the id and the name of a collection',
    collection(({ id, display_name }) => ({ id, display_name })),
  );
  it(
    'collection-parent',
    'names a parent that no client may see',
    collection((own) => ({ ...own, parent_id: '999' })),
  );
  it(
    'collection-missing',
    'answers 404 to the request for the collection of the uploads',
    instead('collection', () => html(404, 'Not Found')),
  );
  it(
    'collection-html',
    'has markup in the name of a collection',
    onJson(['collection'], (own) => ({ ...own, display_name: '<b>Physics</b> & more' })),
  );
  it('authorize-hops', 'redirects the browser three times before the end of the sign-in', {
    instead: ({ route, url }) => {
      const hop = Number(url.searchParams.get('hop') ?? 0);
      if (route !== 'authorize' || hop >= 3) return undefined;
      url.searchParams.set('hop', String(hop + 1));
      return reply(302, '', { Location: `${url.pathname}${url.search}` });
    },
  });
  it(
    'authorize-extra',
    'adds an issuer and a session to the redirect of a sign-in',
    on('authorize', (own) => ({
      ...own,
      headers: own.headers.map(
        ([name, value]) => [name, `${value}&iss=https%3A%2F%2Flibrary&session_state=1`] as [string, string],
      ),
    })),
  );
});
