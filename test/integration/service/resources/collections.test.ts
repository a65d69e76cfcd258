import { beforeAll, describe, expect, test } from 'vitest';
import { buildForest, type TreeNode } from '../../../../service/resources/collections/collection-tree.ts';
import { type Answer, clientFor, type ServiceClient } from '../../../helpers/service/service-client.ts';
import { serviceOfFile } from '../../../helpers/service/service-of-file.ts';
import { make, newcomer } from '../../../helpers/service/service-people.ts';

const service = await serviceOfFile();
const admin = await clientFor(service);
const viewer = await clientFor(service, 'viewer');
const producer = await clientFor(service, 'producer');
/** Ids by name: Physics > Optics > Lasers; Podcasts; Closed > Inner (Closed inherits no memberships). */
const ids: Record<string, string> = {};

async function create(name: string, parent: string, fields: Record<string, unknown> = {}): Promise<Answer> {
  return admin.post('/api2/collections', { display_name: name, parent_id: ids[parent] ?? parent, ...fields });
}

beforeAll(async () => {
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

describe('a collection', () => {
  test('has its slug, its plain text and its settings when only a name and a description are given', async () => {
    const { body } = await admin.get(`/api2/collections/${ids.Physics}`);
    expect(body).toMatchObject({
      slug: 'physics',
      description_plain: 'All of physics & more\nTwo',
      media_count: 0,
      inherit_memberships: true,
      is_podcast: false,
      autotranscribe_enabled: false,
      autotranscribe_subcollections: false,
      links: { podcast_details: null, view: '/browse/physics' },
    });
  });

  test('gets a slug from its name, with a number when it is taken', async () => {
    expect((await create('Größe & Maß', '1')).body.slug).toBe('grosse-mass');
    expect((await create('Größe! Maß?', '1')).body.slug).toBe('grosse-mass-2');
  });

  test('is in a list by name, with thumbnails only when they are requested', async () => {
    const { items } = (await admin.get('/api2/collections?joins=thumbs')).body;
    const names = items.map(({ display_name }: { display_name: string }) => display_name.toLowerCase());
    expect(names).toEqual(names.toSorted());
    expect(items[0].thumbs).toEqual([]);
    expect((await admin.get('/api2/collections')).body.items[0]).not.toHaveProperty('thumbs');
  });
});

describe('the tree', () => {
  const find = (node: TreeNode, name: string): TreeNode | undefined =>
    node.display_name === name ? node : node.children.map((child) => find(child, name)).find(Boolean);
  const tree = async (client: ServiceClient, query = ''): Promise<TreeNode> =>
    (await client.get(`/api2/collections/tree${query}`)).body.root;

  test('does not count drafts that a viewer cannot see', async () => {
    expect(find(await tree(viewer, '?media_count=all'), 'Optics')?.media_count).toBe(1);
  });

  test("adds up the counts of descendants when requested, with the node's own count beside the sum", async () => {
    const root = await tree(admin, '?media_count=all&additive_counts=1');
    expect(find(root, 'Physics')).toMatchObject({ media_count: 3, own_media_count: 0 });
    expect(find(root, 'Optics')).toMatchObject({ media_count: 3, own_media_count: 2 });
    expect(root.media_count).toBe(4);
  });

  test('contains only collections with the requested permission', async () => {
    expect(await tree(viewer, '?permission=media-create')).toMatchObject({ id: '-1', is_podcast: null, children: [] });
    expect(find(await tree(producer, '?permission=media-create'), 'Lasers')).toBeDefined();
  });

  test('has an artificial root for callers without access to the real one, also above a single collection', async () => {
    const { body } = await create('Apart', '1', { inherit_memberships: false });
    const below = await create('Below', body.id);
    const { id: user_id, client: person } = await newcomer(service, admin);
    const role = await make(admin, 'roles', { display_name: 'Reader', permissions: ['collection-read', 'media-read'] });
    await make(admin, 'memberships', { user_id, collection_id: body.id, role_id: role.id });
    const { root } = (await person.get('/api2/collections/tree?media_count=all&additive_counts=1')).body;
    expect(root).toMatchObject({ id: '-1', is_podcast: null, media_count: 0 });
    expect(root.children).toMatchObject([{ id: body.id, children: [{ id: below.body.id }] }]);
    expect((await person.get(`/api2/collections/tree?root_id=${body.id}`)).body.root.id).toBe(body.id);
    expect((await person.get('/api2/collections/tree?root_id=-1&omit_empty=1')).body.root).toMatchObject({
      id: '-1',
      children: [],
    });
  });

  test.each(['abc', '0', '-5', '01', '1.0', '1,2', '%201', '99999999999999999999', '999999'])(
    'is 404 for the root %s, which is no collection',
    async (root) => {
      expect((await admin.get(`/api2/collections/tree?root_id=${root}`)).status).toBe(404);
    },
  );

  test.each(['omit_empty', 'additive_counts'])('refuses other values of %s than 0 and 1', async (name) => {
    for (const value of ['no', '2']) {
      const { status, body } = await admin.get(`/api2/collections/tree?${name}=${value}`);
      expect([status, body.errors]).toEqual([422, [{ field: name, message: 'must be 0 or 1' }]]);
    }
    for (const value of ['=0', '=false', '=1', '=true', '=', ''])
      expect((await admin.get(`/api2/collections/tree?${name}${value}`)).status).toBe(200);
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

test('a root accepts its current parent_id in an update', async () => {
  expect((await admin.post('/api2/collections/1', { parent_id: null, description: 'All of it' })).status).toBe(200);
});
