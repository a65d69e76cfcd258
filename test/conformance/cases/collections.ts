import { type Case, casesOf } from '../suite/case.ts';
import * as is from '../suite/expect.ts';
import { done, equal, has, hasNot, hasStatus, invalid, notAllowed, refused } from '../suite/expect.ts';
import { Skip } from '../suite/failure.ts';
import { plainCollection, podcast } from '../world/fixtures.ts';

const COLLECTIONS = '/api2/collections';

/** Optional fields of a creation and an update, each with a value other than its default. */
const OPTIONAL = {
  is_podcast: true,
  autotranscribe_enabled: true,
  autotranscribe_subcollections: true,
  inherit_memberships: false,
  description: '<p>New</p>',
} as const;

const lists = casesOf('collections', (it) => {
  it('list', 'GET /collections answers with a flat list of collections', async (w) => {
    const parent = await w.collection();
    const child = await w.collection({ parent_id: parent.id });
    const ids = await w.api.ids(COLLECTIONS, { per_page: 100 });
    for (const { id } of [parent, child]) has(ids, id, 'The list');
  });
  it('list-read', 'The list needs collection-read: without it a collection is not in the list', async (w) => {
    const { api, collection } = await w.holding([]);
    hasNot(await api.ids(COLLECTIONS, { parent_id: await w.homeId() }), collection.id, 'The list');
  });
  it('filter-permission', 'The filter permission keeps collections where the caller has that permission', async (w) => {
    const [creates, reads] = [await w.holding(['collection-create']), await w.holding(['collection-read'])];
    const query = { permission: 'collection-create', parent_id: await w.homeId() };
    const ids = await creates.api.ids(COLLECTIONS, query);
    has(ids, creates.collection.id, 'The list');
    hasNot(ids, reads.collection.id, 'The list');
  });
  it('filter-podcast-1', 'is_podcast=1 keeps podcasts only', async (w) => {
    const [pod, plain] = [await podcast(w), await plainCollection(w)];
    const ids = await w.api.ids(COLLECTIONS, { is_podcast: 1, parent_id: await w.homeId() });
    has(ids, pod.id, 'The list');
    hasNot(ids, plain.id, 'The list');
  });
  it('filter-podcast-0', 'is_podcast=0 keeps non-podcasts only', async (w) => {
    const [pod, plain] = [await podcast(w), await plainCollection(w)];
    const ids = await w.api.ids(COLLECTIONS, { is_podcast: 0, parent_id: await w.homeId() });
    has(ids, plain.id, 'The list');
    hasNot(ids, pod.id, 'The list');
  });
  it('filter-podcast-absent', 'Without is_podcast, podcasts and other collections are listed', async (w) => {
    const made = [await podcast(w), await plainCollection(w)];
    const ids = await w.api.ids(COLLECTIONS, { parent_id: await w.homeId() });
    for (const { id } of made) has(ids, id, 'The list');
  });
  it('filter-parent', 'The filter parent_id keeps direct children only', async (w) => {
    const parent = await w.collection();
    const child = await w.collection({ parent_id: parent.id });
    await w.collection({ parent_id: child.id });
    equal(await w.api.ids(COLLECTIONS, { parent_id: parent.id }), [child.id], 'The list');
  });
  it('filter-name', 'The filter display_name keeps exact matches only', async (w) => {
    const display_name = w.name('exact');
    const made = await w.collection({ display_name });
    await w.collection({ display_name: `${display_name} and more` });
    equal(await w.api.ids(COLLECTIONS, { display_name }), [made.id], 'The list');
    equal(await w.api.ids(COLLECTIONS, { display_name: `${display_name}%` }), [], 'The list for a name with %');
  });
  it('list-joins', 'The list accepts joins=thumbs', async (w) => {
    const ids = await w.api.ids(COLLECTIONS, { joins: 'thumbs', parent_id: await w.homeId() });
    has(ids, (await plainCollection(w)).id, 'The list');
  });
});

const single = casesOf('collections', (it) => {
  it('get', 'GET /collections/<id> answers with the collection', async (w) => {
    const made = await plainCollection(w);
    equal((await w.api.read(`${COLLECTIONS}/${made.id}`)).id, made.id, 'id');
  });
  it('get-joins', 'A single collection accepts joins=thumbs, and keeps its own fields', async (w) => {
    const made = await plainCollection(w);
    equal((await w.api.read(made.path, { joins: 'thumbs' })).id, made.id, 'id');
  });
  it('get-unknown', 'GET of an id that does not exist is refused', async (w) => {
    refused(await w.api.get(`${COLLECTIONS}/987654321`));
  });

  it('create', 'POST /collections answers 201 with a Location header and the collection', async (w) => {
    const display_name = w.name('made');
    const made = await w.collection({ display_name });
    equal((await w.api.read(made.path)).display_name, display_name, 'display_name');
    equal(made.answer.object().id, made.id, 'id in the response');
  });
  it('create-parent', 'A new collection is in the collection that parent_id names', async (w) => {
    const parent = await w.collection();
    equal((await w.api.read((await w.collection({ parent_id: parent.id })).path)).parent_id, parent.id, 'parent_id');
  });
  it('create-no-name', 'display_name is required', async (w) => {
    invalid(await w.api.post(COLLECTIONS, { parent_id: await w.homeId() }));
  });
  it('create-no-parent', 'parent_id is required', async (w) => {
    invalid(await w.api.post(COLLECTIONS, { display_name: w.name('orphan') }));
  });
  it('create-slug', 'A slug can be given at creation', async (w) => {
    const slug = w.name('slug');
    equal((await w.api.read((await w.collection({ slug })).path)).slug, slug, 'slug');
  });
  for (const [name, value] of Object.entries(OPTIONAL)) {
    it(`create-${name.replaceAll('_', '-')}`, `${name} can be given at creation`, async (w) => {
      equal((await w.api.read((await w.collection({ [name]: value })).path))[name], value, name);
    });
  }
  it('create-profile', 'autotranscribe_profile_id can be given at creation', async (w) => {
    const body = { display_name: w.name('profile'), parent_id: await w.homeId(), autotranscribe_profile_id: '1' };
    const answer = await w.api.post(COLLECTIONS, body);
    if (answer.status === 422 || answer.status === 400) throw new Skip('this server has no transcription profile 1');
    const collection = await w.api.read(w.made(hasStatus(answer, 201)).path);
    equal(collection.autotranscribe_profile_id, '1', 'autotranscribe_profile_id');
  });
  it(
    'create-inherit',
    'inherit_memberships gives the new collection the access permissions of its parent',
    async (w) => {
      const { api, collection } = await w.holding(['collection-update']);
      const below = await w.collection({ parent_id: collection.id, inherit_memberships: true });
      done(await api.post(below.path, { description: '<p>Mine too</p>' }));
    },
  );
  it('create-slug-used', 'A slug that is in use is refused: 409', async (w) => {
    const slug = w.name('slug');
    await w.collection({ slug });
    const body = { display_name: w.name('second'), parent_id: await w.homeId(), slug };
    hasStatus(await w.api.post(COLLECTIONS, body), 409);
  });

  it('update', 'POST /collections/<id> saves the fields that are supplied and no others', async (w) => {
    const made = await w.collection({ description: '<p>Kept</p>' });
    const before = await w.api.read(made.path);
    const display_name = w.name('renamed');
    done(await w.api.post(made.path, { display_name }));
    const after = await w.api.read(made.path);
    equal(after.display_name, display_name, 'display_name');
    for (const name of ['description', 'slug', 'parent_id', 'is_podcast', 'inherit_memberships']) {
      equal(after[name], before[name], name);
    }
  });
  for (const [name, value] of Object.entries(OPTIONAL)) {
    it(`update-${name.replaceAll('_', '-')}`, `${name} can be changed`, async (w) => {
      const made = await w.collection();
      done(await w.api.post(made.path, { [name]: value }));
      equal((await w.api.read(made.path))[name], value, name);
    });
  }
  it('update-profile', 'autotranscribe_profile_id can be changed', async (w) => {
    const made = await w.collection();
    const answer = await w.api.post(made.path, { autotranscribe_profile_id: '1' });
    if (answer.status === 422 || answer.status === 400) throw new Skip('this server has no transcription profile 1');
    done(answer);
    equal((await w.api.read(made.path)).autotranscribe_profile_id, '1', 'autotranscribe_profile_id');
  });
  it('update-slug', 'slug can be changed', async (w) => {
    const [made, slug] = [await w.collection(), w.name('slug')];
    done(await w.api.post(made.path, { slug }));
    equal((await w.api.read(made.path)).slug, slug, 'slug');
  });
  it('update-slug-same', 'A collection keeps its slug when an update gives it again', async (w) => {
    const slug = w.name('slug');
    const made = await w.collection({ slug });
    done(await w.api.post(made.path, { slug }));
    equal((await w.api.read(made.path)).slug, slug, 'slug');
  });
  it('update-slug-used', 'slug can’t be changed to one that is in use', async (w) => {
    const slug = w.name('slug');
    await w.collection({ slug });
    const made = await w.collection();
    refused(await w.api.post(made.path, { slug }));
    is.check((await w.api.read(made.path)).slug !== slug, 'The slug was changed.');
  });
  it('update-parent', 'parent_id can be changed', async (w) => {
    const [made, parent] = [await w.collection(), await w.collection()];
    done(await w.api.post(made.path, { parent_id: parent.id }));
    equal((await w.api.read(made.path)).parent_id, parent.id, 'parent_id');
  });
  it('update-permission', 'Changing a collection needs collection-update', async (w) => {
    const { api, collection } = await w.holding(['collection-create', 'collection-delete']);
    notAllowed(await api.post(collection.path, { display_name: w.name('mine') }));
  });

  it('reslugify', 'POST /collections/<id>/reslugify makes a new slug', async (w) => {
    const slug = w.name('odd');
    const made = await w.collection({ slug, display_name: `Quite ${w.word()}` });
    done(await w.api.post(`${made.path}/reslugify`));
    const after = (await w.api.read(made.path)).slug;
    is.check(typeof after === 'string' && after !== '' && after !== slug, `The slug is ${after}.`);
  });
  it('reslugify-permission', 'reslugify needs collection-update, and nothing more', async (w) => {
    const { api, collection } = await w.holding(['collection-create', 'collection-delete']);
    notAllowed(await api.post(`${collection.path}/reslugify`));
    await w.grant(collection, ['collection-update']);
    done(await api.post(`${collection.path}/reslugify`));
  });
});

export const collectionCases: Case[] = [...lists, ...single];
