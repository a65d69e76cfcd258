import { at, isObject, type Json, type JsonObject } from '../http/answer.ts';
import { Api } from '../http/api.ts';
import type { Query } from '../http/site.ts';
import { type Case, casesOf } from '../suite/case.ts';
import { check, equal, has, hasNot, refused, sameSet } from '../suite/expect.ts';
import { Failure, Skip } from '../suite/failure.ts';
import { publish, unpublish } from '../world/makers.ts';
import { signIn } from '../world/people.ts';
import type { World } from '../world/world.ts';

async function tree(api: Api, query: Query = {}): Promise<JsonObject> {
  const { root } = await api.read('/api2/collections/tree', query);
  if (!isObject(root)) throw new Failure('root is not an object.');
  return root;
}

/** The node and all nodes below it. */
function nodesOf(root: JsonObject): JsonObject[] {
  const found = [root];
  for (const node of found) found.push(...childrenOf(node));
  return found;
}

function childrenOf(node: JsonObject): JsonObject[] {
  const { children } = node;
  return Array.isArray(children) ? children.filter((child: Json) => isObject(child)) : [];
}

function countIn(root: JsonObject, id: string): Json | undefined {
  return nodesOf(root).find((node) => node.id === id)?.media_count;
}

/** top › middle › leaf, and top › empty. Top contains one published item and one draft, leaf two published items. */
const family = (w: World) =>
  w.once('family', async () => {
    const top = await w.collection();
    const middle = await w.collection({ parent_id: top.id });
    const [leaf, empty] = [await w.collection({ parent_id: middle.id }), await w.collection({ parent_id: top.id })];
    for (const { id } of [top, leaf, leaf]) await publish(w.api, await w.media({ collection_id: id }));
    await unpublish(w.api, await w.media({ collection_id: top.id }));
    return { top, middle, leaf, empty };
  });

export const treeCases: Case[] = casesOf('tree', (it) => {
  it('root', 'GET /collections/tree answers with one root that has a tree of nodes', async (w) => {
    const ids = nodesOf(await tree(w.api)).map(({ id }) => id);
    has(ids, await w.homeId(), 'The tree');
  });
  it('nesting', 'A node’s children are the collections with it as their parent', async (w) => {
    const { top, middle, leaf, empty } = await family(w);
    const root = await tree(w.api, { root_id: top.id });
    sameSet(
      childrenOf(root).map(({ id }) => id),
      [middle.id, empty.id],
      'The children of the top',
    );
    const inner = childrenOf(root).find(({ id }) => id === middle.id);
    sameSet(
      childrenOf(inner ?? {}).map(({ id }) => id),
      [leaf.id],
      'The children of the middle',
    );
  });
  it('root-id', 'root_id makes that collection the root', async (w) => {
    const { middle, leaf, top } = await family(w);
    const root = await tree(w.api, { root_id: middle.id });
    equal(root.id, middle.id, 'id of the root');
    const ids = nodesOf(root).map(({ id }) => id);
    has(ids, leaf.id, 'The tree');
    hasNot(ids, top.id, 'The tree');
  });
  it(
    'root-id-others',
    'A root_id that the caller may not read, or that does not exist, is refused or shows nothing',
    async (w) => {
      const { api, collection } = await w.holding([]);
      for (const root_id of [collection.id, '987654321']) {
        const answer = await api.get('/api2/collections/tree', { root_id });
        if (!answer.ok) refused(answer);
        else
          hasNot(
            nodesOf(await tree(api, { root_id })).map(({ id }) => id),
            root_id,
            'The tree',
          );
      }
    },
  );
  it('permission', 'The parameter permission keeps collections in which the caller has this permission', async (w) => {
    const [creates, reads] = [await w.holding(['collection-create']), await w.holding(['collection-read'])];
    const ids = nodesOf(await tree(creates.api, { permission: 'collection-create' })).map(({ id }) => id);
    has(ids, creates.collection.id, 'The tree');
    hasNot(ids, reads.collection.id, 'The tree');
  });
  it(
    'artificial-root',
    'Without access to the real root there is an artificial one: id -1, is_podcast null',
    async (w) => {
      const [one, two] = [await w.holding(['collection-read']), await w.holding(['collection-read'])];
      if ((await one.api.get(`/api2/collections/${await w.rootId()}`)).ok) {
        throw new Skip('here the user who is not an administrator may read the root');
      }
      const root = await tree(one.api);
      equal(String(root.id), '-1', 'id');
      equal(root.is_podcast, null, 'is_podcast');
      const ids = childrenOf(root).map(({ id }) => id);
      for (const { collection } of [one, two]) has(ids, collection.id, 'children');
    },
  );
  it('artificial-root-alone', 'The artificial root stands above a single accessible collection too', async (w) => {
    const credentials = { email: `${w.name('lone')}@conformance.example`, password: `Pw-${w.name('x')}!5` };
    const user = await w.user({ email_address: credentials.email, password: credentials.password });
    const collection = await w.collection({ inherit_memberships: false });
    const role = await w.role(['collection-read']);
    await w.membership({ user_id: user.id, collection_id: collection.id, role_id: role.id });
    const api = new Api(w.site, await signIn(w.site, w.clientId, credentials));
    if ((await api.get(`/api2/collections/${await w.rootId()}`)).ok)
      throw new Skip('here every user may read the root');
    const root = await tree(api);
    equal([root.id ?? null, root.is_podcast ?? null], ['-1', null], 'id and is_podcast of the root');
    const ids = childrenOf(root).map(({ id }) => id);
    has(ids, collection.id, 'children');
  });
  it('only-visible', 'The tree contains no collection that the caller may not read', async (w) => {
    const { api, collection } = await w.holding([]);
    hasNot(
      nodesOf(await tree(api)).map(({ id }) => id),
      collection.id,
      'The tree',
    );
  });
  it('count-all', 'media_count=all counts every item, drafts included', async (w) => {
    const { top, leaf } = await family(w);
    const root = await tree(w.api, { root_id: top.id, media_count: 'all' });
    equal([countIn(root, top.id), countIn(root, leaf.id)], [2, 2], 'media_count of top and leaf');
  });
  it('count-published', 'media_count=published counts published items only', async (w) => {
    const { top, leaf } = await family(w);
    const root = await tree(w.api, { root_id: top.id, media_count: 'published' });
    equal([countIn(root, top.id), countIn(root, leaf.id)], [1, 2], 'media_count of top and leaf');
  });
  it('count-every-node', 'media_count adds the count to each node', async (w) => {
    const { top } = await family(w);
    const nodes = nodesOf(await tree(w.api, { root_id: top.id, media_count: 'all' }));
    check(
      nodes.every((node) => Number.isInteger(node.media_count)),
      'A node has no media_count.',
    );
  });
  it('no-count', 'Without the parameter media_count no node has a count', async (w) => {
    const { top } = await family(w);
    const nodes = nodesOf(await tree(w.api, { root_id: top.id }));
    check(
      nodes.every((node) => node.media_count === undefined || node.media_count === null),
      'A node has a media_count.',
    );
  });
  it('additive', 'additive_counts sums the media of a node and of everything below it', async (w) => {
    const { top, middle, leaf, empty } = await family(w);
    const root = await tree(w.api, { root_id: top.id, media_count: 'all', additive_counts: 1 });
    const counts = [top, middle, leaf, empty].map(({ id }) => countIn(root, id) ?? null);
    equal(counts, [4, 2, 2, 0], 'media_count of top, middle, leaf and empty');
  });
  it('additive-published', 'additive_counts with media_count=published sums published items', async (w) => {
    const { top } = await family(w);
    const root = await tree(w.api, { root_id: top.id, media_count: 'published', additive_counts: 1 });
    equal(root.media_count, 3, 'media_count of the top');
  });
  it('omit-empty', 'omit_empty drops collections without media in themselves and below', async (w) => {
    const { top, leaf, empty } = await family(w);
    const ids = nodesOf(await tree(w.api, { root_id: top.id, omit_empty: 1 })).map(({ id }) => id);
    has(ids, leaf.id, 'The tree');
    hasNot(ids, empty.id, 'The tree');
  });
  it('omit-empty-keeps', 'omit_empty keeps an empty collection that has media below it', async (w) => {
    const { top, middle } = await family(w);
    has(
      nodesOf(await tree(w.api, { root_id: top.id, omit_empty: 1 })).map(({ id }) => id),
      middle.id,
      'The tree',
    );
  });
  it('leaves', 'Every leaf has an empty array of children', async (w) => {
    const { top, empty } = await family(w);
    const node = nodesOf(await tree(w.api, { root_id: top.id })).find(({ id }) => id === empty.id);
    equal(at(node, 'children'), [], 'children');
  });
});
