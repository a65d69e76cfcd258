import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildForest, type TreeNode } from '../../../../service/resources/collections/collection-tree.ts';
import { type Answer, clientFor, clientWith, type ServiceClient } from '../../../helpers/service/service-client.ts';
import { make } from '../../../helpers/service/service-people.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';
import { signIn } from '../../../helpers/service/service-sign-in.ts';

let service: ServiceProcess;
let admin: ServiceClient;
let viewer: ServiceClient;
let producer: ServiceClient;
/** Ids by name: Physics > Optics > Lasers; Podcasts; Closed > Inner (Closed inherits no memberships). */
const ids: Record<string, string> = {};

async function create(name: string, parent: string, fields: Record<string, unknown> = {}): Promise<Answer> {
  return admin.post('/api2/collections', { display_name: name, parent_id: ids[parent] ?? parent, ...fields });
}

/** A user who may read one collection and those that inherit from it, and nothing else. */
async function personIn(collection_id: string): Promise<ServiceClient> {
  const [email, password] = ['apart@here.example', 'pass-word-apart'];
  const { id } = await make(admin, 'users', { email_address: email, password });
  const role = await make(admin, 'roles', { display_name: 'Reader', permissions: ['collection-read', 'media-read'] });
  await make(admin, 'memberships', { user_id: id, collection_id, role_id: role.id });
  return clientWith(service, await signIn(service, { email, password }));
}

beforeAll(async () => {
  service = await startService();
  admin = await clientFor(service);
  viewer = await clientFor(service, 'viewer');
  producer = await clientFor(service, 'producer');
  const wanted: [string, string, Record<string, unknown>][] = [
    ['Physics', '1', { description: '<p>All of <b>physics</b> &amp; more</p><p>Two</p>' }],
    ['Optics', 'Physics', {}],
    ['Lasers', 'Optics', {}],
    ['Podcasts', '1', { is_podcast: true }],
    ['Closed', '1', { inherit_memberships: false }],
    ['Inner', 'Closed', {}],
  ];
  for (const [name, parent, fields] of wanted) ids[name] = (await create(name, parent, fields)).body.id;
  const items: [string, boolean][] = [
    ['Optics', true],
    ['Optics', false],
    ['Lasers', true],
    ['Closed', true],
  ];
  for (const [name, publish] of items) {
    const item = await admin.createItem(`In ${name}`, { collection_id: ids[name] });
    if (publish) await admin.post(`${item}/publish`);
  }
});
afterAll(() => service.stop());

const names = (answer: Answer): string[] =>
  answer.body.items.map((item: { display_name: string }) => item.display_name);

describe('a collection', () => {
  test('has every field of the API, with valid links', async () => {
    const { body } = await admin.get(`/api2/collections/${ids.Physics}`);
    expect(body).toEqual({
      id: ids.Physics,
      parent_id: '1',
      slug: 'physics',
      display_name: 'Physics',
      description: '<p>All of <b>physics</b> &amp; more</p><p>Two</p>',
      description_plain: 'All of physics & more\nTwo',
      media_count: 0,
      inherit_memberships: true,
      is_podcast: false,
      autotranscribe_enabled: false,
      autotranscribe_subcollections: false,
      autotranscribe_profile_id: null,
      links: {
        self: `/api2/collections/${ids.Physics}`,
        parent: '/api2/collections/1',
        media: `/api2/media?collection_id=${ids.Physics}`,
        podcast_details: null,
        thumbs: `/api2/collections/${ids.Physics}/thumbs`,
        view: '/browse/physics',
      },
    });
    for (const link of [body.links.self, body.links.parent, body.links.media, body.links.thumbs]) {
      expect((await admin.get(link)).status).toBe(200);
    }
  });

  test('is created with 201 and a Location that leads to it', async () => {
    const answer = await create('Fresh', '1');
    expect(answer.status).toBe(201);
    expect((await admin.get(answer.location)).body.display_name).toBe('Fresh');
  });

  test('gets a slug from its name, with a number when it is taken', async () => {
    expect((await create('Größe & Maß', '1')).body.slug).toBe('grosse-mass');
    expect((await create('Größe! Maß?', '1')).body.slug).toBe('grosse-mass-2');
  });

  test('is refused with 409 when its slug is in use, at creation and at change', async () => {
    expect((await create('Other', '1', { slug: 'physics' })).status).toBe(409);
    expect((await admin.post(`/api2/collections/${ids.Optics}`, { slug: 'physics' })).status).toBe(409);
    expect((await admin.post(`/api2/collections/${ids.Physics}`, { slug: 'physics' })).status).toBe(200);
  });

  test.each([
    [{ parent_id: '1' }, 'display_name'],
    [{ display_name: '', parent_id: '1' }, 'display_name'],
    [{ display_name: 5, parent_id: '1' }, 'display_name'],
    [{ display_name: 'x'.repeat(300), parent_id: '1' }, 'display_name'],
    [{ display_name: 'a\u0000b', parent_id: '1' }, 'display_name'],
    [{ display_name: 'x' }, 'parent_id'],
    [{ display_name: 'x', parent_id: '99999' }, 'parent_id'],
    [{ display_name: 'x', parent_id: null }, 'parent_id'],
    [{ display_name: 'x', parent_id: '1', slug: 'a/b' }, 'slug'],
    [{ display_name: 'x', parent_id: '1', is_podcast: 'yes' }, 'is_podcast'],
  ])('is refused with 422 for %j, with the field %s', async (body, field) => {
    const answer = await admin.post('/api2/collections', body);
    expect(answer.status).toBe(422);
    expect(answer.body.errors.map((error: { field: string }) => error.field)).toEqual([field]);
    expect(answer.body.message).toBeTruthy();
  });

  test('changes only the given fields', async () => {
    const { location } = await create('Changing', '1', { description: '<p>Old</p>', is_podcast: true });
    const before = (await admin.get(location)).body;
    await admin.post(location, { display_name: 'Changed' });
    expect((await admin.get(location)).body).toEqual({ ...before, display_name: 'Changed' });
    await admin.post(location, { description: '<p>New</p>', is_podcast: false });
    expect((await admin.get(location)).body).toMatchObject({
      display_name: 'Changed',
      description_plain: 'New',
      is_podcast: false,
      slug: 'changing',
    });
    await admin.post(`${location}/reslugify`);
    expect((await admin.get(location)).body.slug).toBe('changed');
  });
});

describe('the list', () => {
  test('contains exactly the collections that the caller may read', async () => {
    expect(names(await admin.get('/api2/collections'))).toContain('Closed');
    const seen = names(await viewer.get('/api2/collections'));
    expect(seen).toContain('Lasers');
    expect(seen).not.toContain('Closed');
    expect(seen).not.toContain('Inner');
    expect((await viewer.get(`/api2/collections/${ids.Inner}`)).status).toBe(404);
  });

  test('supports each of its filters', async () => {
    expect(names(await admin.get(`/api2/collections?parent_id=${ids.Physics}`))).toEqual(['Optics']);
    expect(names(await admin.get('/api2/collections?display_name=Optics'))).toEqual(['Optics']);
    expect(names(await admin.get('/api2/collections?display_name=optics'))).toEqual([]);
    expect(names(await admin.get('/api2/collections?is_podcast=1'))).toEqual(['Podcasts']);
    expect(names(await admin.get('/api2/collections?is_podcast=0'))).not.toContain('Podcasts');
    expect(names(await viewer.get('/api2/collections?permission=media-create'))).toEqual([]);
    expect(names(await producer.get('/api2/collections?permission=media-create'))).toContain('Optics');
    expect((await admin.get('/api2/collections?permission=nonsense')).status).toBe(422);
  });

  test('is paged, and its links lead through all of it, each collection once', async () => {
    const all = names(await admin.get('/api2/collections'));
    const seen: string[] = [];
    let path: string | null = '/api2/collections?per_page=3';
    while (path) {
      const page: Answer = await admin.get(path);
      expect(page.body.items.length).toBeLessThanOrEqual(3);
      seen.push(...names(page));
      path = page.body.links.next;
    }
    expect(seen).toEqual(all);
  });

  test('contains thumbnails only when they are requested', async () => {
    expect((await admin.get('/api2/collections?joins=thumbs')).body.items[0].thumbs).toEqual([]);
    expect((await admin.get('/api2/collections')).body.items[0]).not.toHaveProperty('thumbs');
  });
});

describe('the tree', () => {
  const find = (node: TreeNode, name: string): TreeNode | undefined =>
    node.display_name === name ? node : node.children.map((child) => find(child, name)).find(Boolean);
  const tree = async (client: ServiceClient, query = ''): Promise<TreeNode> =>
    (await client.get(`/api2/collections/tree${query}`)).body.root;

  test('has the real root for callers who may see it, and no counts unless requested', async () => {
    const root = await tree(admin);
    expect(root).toMatchObject({ id: '1', display_name: 'Library', is_podcast: false });
    expect(root).not.toHaveProperty('media_count');
    expect(find(root, 'Lasers')?.children).toEqual([]);
  });

  test('counts all items, or published ones, for each node separately', async () => {
    expect(find(await tree(admin, '?media_count=all'), 'Optics')?.media_count).toBe(2);
    expect(find(await tree(admin, '?media_count=published'), 'Optics')?.media_count).toBe(1);
  });

  test('does not count drafts that a viewer cannot see', async () => {
    expect(find(await tree(viewer, '?media_count=all'), 'Optics')?.media_count).toBe(1);
  });

  test("adds up the counts of descendants when requested, with the node's own count beside the sum", async () => {
    const root = await tree(admin, '?media_count=all&additive_counts=1');
    expect(find(root, 'Physics')).toMatchObject({ media_count: 3, own_media_count: 0 });
    expect(find(root, 'Optics')).toMatchObject({ media_count: 3, own_media_count: 2 });
    expect(root.media_count).toBe(4);
  });

  test('drops collections without items in all descendants when requested', async () => {
    const root = await tree(admin, '?omit_empty=1');
    expect(find(root, 'Podcasts')).toBeUndefined();
    expect(find(root, 'Inner')).toBeUndefined();
    expect(find(root, 'Physics')).toBeDefined();
  });

  test('starts at the requested collection', async () => {
    expect((await tree(admin, `?root_id=${ids.Optics}`)).children.map((child) => child.display_name)).toEqual([
      'Lasers',
    ]);
    expect((await admin.get('/api2/collections/tree?root_id=99999')).status).toBe(404);
    expect((await viewer.get(`/api2/collections/tree?root_id=${ids.Inner}`)).status).toBe(404);
  });

  test('contains only collections with the requested permission', async () => {
    expect(await tree(viewer, '?permission=media-create')).toMatchObject({ id: '-1', is_podcast: null, children: [] });
    expect(find(await tree(producer, '?permission=media-create'), 'Lasers')).toBeDefined();
  });

  test('has an artificial root for callers without access to the real one, also above a single collection', async () => {
    const { body } = await create('Apart', '1', { inherit_memberships: false });
    const below = await create('Below', body.id);
    const person = await personIn(body.id);
    const { root } = (await person.get('/api2/collections/tree?media_count=all&additive_counts=1')).body;
    expect(root).toMatchObject({ id: '-1', is_podcast: null, media_count: 0 });
    expect(root.children).toMatchObject([{ id: body.id, children: [{ id: below.body.id }] }]);
    expect((await person.get(`/api2/collections/tree?root_id=${body.id}`)).body.root.id).toBe(body.id);
    expect((await person.get('/api2/collections/tree?root_id=-1&omit_empty=1')).body.root).toMatchObject({
      id: '-1',
      children: [],
    });
  });

  test('has an artificial root over collections whose parents are not accessible', () => {
    const row = (id: number, parent_id: number | null) => ({
      id,
      parent_id,
      display_name: `c${id}`,
      is_podcast: 0,
      slug: '',
    });
    const forest = buildForest([row(5, 2), row(6, 5), row(9, 3)], {
      counts: undefined,
      additive: false,
      ownCount: false,
      omitEmpty: undefined,
    });
    expect(forest.map((node) => [node.id, node.children.map((child) => child.id)])).toEqual([
      ['5', ['6']],
      ['9', []],
    ]);
  });
});

describe('moving and deleting', () => {
  test('a collection moves with its descendants', async () => {
    const { location } = await create('Mover', '1');
    const child = await create('Child', location.split('/').at(-1) ?? '');
    expect((await admin.post(`${location}/move`, { new_parent_id: ids.Podcasts })).status).toBe(200);
    expect((await admin.get(location)).body.parent_id).toBe(ids.Podcasts);
    expect((await admin.get(child.location)).body.links.parent).toBe(location);
  });

  test('a move into a descendant, into itself, or of a root is 403', async () => {
    const move = (id: string | undefined, to: string | undefined) =>
      admin.post(`/api2/collections/${id}/move`, { new_parent_id: to });
    expect((await move(ids.Physics, ids.Lasers)).status).toBe(403);
    expect((await move(ids.Physics, ids.Physics)).status).toBe(403);
    expect((await move('1', ids.Physics)).status).toBe(403);
    expect((await move(ids.Physics, '99999')).status).toBe(422);
    expect((await admin.post(`/api2/collections/${ids.Physics}`, { parent_id: ids.Lasers })).status).toBe(403);
    expect((await admin.post('/api2/collections/1', { parent_id: ids.Physics })).status).toBe(403);
    expect((await admin.get('/api2/collections/1')).body.parent_id).toBe(null);
    expect((await producer.post(`/api2/collections/${ids.Optics}/move`, { new_parent_id: '1' })).status).toBe(403);
  });

  test.each([null, 'null', '', '0', '-1', 'x', '99999'])('an update with parent_id %j is 422', async (to) => {
    const { location } = await create('Stays', ids.Physics ?? '');
    expect((await admin.post(location, { parent_id: to })).status).toBe(422);
    expect((await admin.get(location)).body.parent_id).toBe(ids.Physics);
  });

  test('a root accepts its current parent_id in an update', async () => {
    expect((await admin.post('/api2/collections/1', { parent_id: null, description: 'All of it' })).status).toBe(200);
    for (const to of ['null', '', '-1']) {
      expect((await admin.post('/api2/collections/1', { parent_id: to })).status).toBe(422);
    }
  });

  test('a collection with media, or with media in a descendant, is not deleted: 409', async () => {
    expect((await admin.delete(`/api2/collections/${ids.Optics}`)).status).toBe(409);
    expect((await admin.delete(`/api2/collections/${ids.Physics}`)).status).toBe(409);
    expect((await admin.delete('/api2/collections/1')).status).toBe(409);
  });

  test('an empty collection is deleted with its descendants, and again with the same answer', async () => {
    const { location, body } = await create('Gone', '1');
    const child = await create('Gone too', body.id);
    expect((await viewer.delete(location)).status).toBe(403);
    expect((await admin.delete(location)).status).toBe(204);
    expect((await admin.get(child.location)).status).toBe(404);
    expect((await admin.delete(location)).status).toBe(204);
    expect((await admin.delete('/api2/collections/nonsense')).status).toBe(204);
  });
});

describe('podcast details', () => {
  test('are null for a new podcast, and an update changes only the given fields', async () => {
    const path = `/api2/collections/${ids.Podcasts}/podcast-details`;
    expect(Object.values((await admin.get(path)).body)).toEqual(Array(9).fill(null));
    expect((await admin.post(path, { directory_author_name: 'Ann', directory_explicit: 'clean' })).status).toBe(200);
    await admin.post(path, { copyright: 'CC' });
    expect((await admin.get(path)).body).toMatchObject({
      directory_author_name: 'Ann',
      directory_explicit: 'clean',
      copyright: 'CC',
    });
    expect((await admin.post(path, { directory_explicit: 'maybe' })).status).toBe(422);
    expect((await viewer.post(path, { copyright: 'x' })).status).toBe(403);
  });

  test('are 400 for a collection that is no podcast', async () => {
    const path = `/api2/collections/${ids.Physics}/podcast-details`;
    expect((await admin.get(path)).status).toBe(400);
    expect((await admin.post(path, {})).status).toBe(400);
  });
});
