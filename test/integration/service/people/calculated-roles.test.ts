import { beforeAll, describe, expect, test } from 'vitest';
import { type CalculatedRoles, calculatedRolesSchema } from '../../../../shared/api/people.ts';
import { PERMISSIONS } from '../../../../shared/api/permissions.ts';
import { listEnvelope } from '../../../../shared/api/wire.ts';
import { clientFor, type ServiceClient } from '../../../helpers/service/service-client.ts';
import { serviceOfFile } from '../../../helpers/service/service-of-file.ts';
import { idsOf, make, newcomer } from '../../../helpers/service/service-people.ts';

const CALCULATE = '/api2/memberships/calculate-roles-perms';
const SHARE = ['collection-read', 'collection-update', 'collection-share'];
const service = await serviceOfFile();
const admin = await clientFor(service);
let sharer: ServiceClient;
/** Ids by name: Top > Open (inherits) and Top > Closed (does not); also of roles, users and groups. */
const ids: Record<string, string> = {};

async function collection(display_name: string, parent_id: string, inherit_memberships: boolean): Promise<string> {
  return (await admin.post('/api2/collections', { display_name, parent_id, inherit_memberships })).body.id;
}

beforeAll(async () => {
  ids.Top = await collection('Top', '1', false);
  ids.Open = await collection('Open', ids.Top, true);
  ids.Closed = await collection('Closed', ids.Top, false);
  for (const [name, permissions] of [
    ['Reads', ['collection-read', 'media-read']],
    ['Plays', ['collection-read', 'media-read', 'media-play']],
    ['Shares', SHARE],
  ] as const) {
    ids[name] = (await make(admin, 'roles', { display_name: name, permissions })).id;
  }
  ids.group = (await make(admin, 'groups', { display_name: 'Group' })).id;
  ids.user = (await make(admin, 'users')).id;
  ({ id: ids.sharer, client: sharer } = await newcomer(service, admin));
  await admin.post(`/api2/groups/${ids.group}/add-users`, { user_ids: [ids.user] });
  await make(admin, 'memberships', { user_id: ids.user, collection_id: ids.Top, role_id: ids.Reads });
  await make(admin, 'memberships', { group_id: ids.group, collection_id: ids.Open, role_id: ids.Plays });
  await make(admin, 'memberships', { user_id: ids.sharer, collection_id: ids.Open, role_id: ids.Shares });
});

async function calculated(query: Record<string, string | undefined>, client = admin): Promise<CalculatedRoles[]> {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const { body } = await client.get(`${CALCULATE}?${new URLSearchParams(given)}`);
  return listEnvelope(calculatedRolesSchema).parse(body).items;
}

const READS = ['collection-read', 'media-read'];
const PLAYS = ['collection-read', 'media-play', 'media-read'];

describe('calculated roles and permissions', () => {
  test("of a user come from the user and the user's groups, and are inherited down the tree", async () => {
    expect(await calculated({ user_id: ids.user })).toEqual([
      {
        collection: { id: ids.Top, display_name: 'Top' },
        roles: [{ id: ids.Reads, display_name: 'Reads' }],
        permissions: READS,
      },
      {
        collection: { id: ids.Open, display_name: 'Open' },
        roles: expect.arrayContaining([
          { id: ids.Reads, display_name: 'Reads' },
          { id: ids.Plays, display_name: 'Plays' },
        ]),
        permissions: PLAYS,
      },
    ]);
  });

  test('of a group come from the group only', async () => {
    const items = await calculated({ group_id: ids.group });
    expect(items.map((item) => [item.collection.id, item.permissions])).toEqual([[ids.Open, PLAYS]]);
  });

  test('are requested for one user or one group that exists: both or neither is 400, an unknown one 422', async () => {
    const status = async (query: string) => (await admin.get(`${CALCULATE}?${query}`)).status;
    expect(await status(`user_id=${ids.user}&group_id=${ids.group}`)).toBe(400);
    expect(await status(`collection_id=${ids.Top}`)).toBe(400);
    for (const query of ['user_id=x', 'group_id=99999']) expect(await status(query)).toBe(422);
  });

  test('include those of the built-in groups', async () => {
    const { body: group } = await admin.get('/api2/groups/registered-users');
    const membership = await make(admin, 'memberships', {
      group_id: group.id,
      collection_id: ids.Closed,
      role_id: ids.Reads,
    });
    const [item] = await calculated({ user_id: ids.user, collection_id: ids.Closed });
    expect(item?.permissions).toEqual(READS);
    await admin.delete(`/api2/memberships/${membership.id}`);
    expect(await calculated({ user_id: ids.user, collection_id: ids.Closed })).toEqual([]);
  });

  test('of an administrator are all permissions everywhere', async () => {
    const { user_id } = (await admin.get('/api2/oauth/tokeninfo')).body;
    const items = await calculated({ user_id });
    expect(items).toHaveLength((await idsOf(admin, '/api2/collections')).length);
    for (const item of items) expect(item.permissions).toEqual(PERMISSIONS);
  });

  test('are paged', async () => {
    const { body } = await admin.get(`${CALCULATE}?user_id=${ids.user}&per_page=1`);
    expect(body.items).toHaveLength(1);
    const second = (await admin.get(body.links.next)).body;
    expect([second.items[0].collection.id, second.links.next]).toEqual([ids.Open, null]);
  });
});

describe('a user who is no administrator', () => {
  test('sees their own roles, and those of others in collections where they have collection-share', async () => {
    const of = async (query: Record<string, string | undefined>) =>
      (await calculated(query, sharer)).map((item) => item.collection.id);
    expect(await of({ user_id: ids.sharer })).toEqual([ids.Open]);
    expect(await of({ user_id: ids.user })).toEqual([ids.Open]);
    expect(await of({ group_id: ids.group })).toEqual([ids.Open]);
    const viewer = await clientFor(service, 'viewer');
    expect(await calculated({ user_id: ids.user }, viewer)).toEqual([]);
  });

  test('lists their own memberships, and those of others in collections where they have collection-share', async () => {
    const listed = await sharer.get('/api2/memberships');
    const collections = listed.body.items.map((item: { collection: { id: string } }) => item.collection.id);
    expect(collections).toEqual([ids.Open, ids.Open]);
    const viewer = await clientFor(service, 'viewer');
    const own = (await viewer.get('/api2/memberships')).body.items;
    expect(own.map((item: { user: { display_name: string } }) => item.user.display_name)).toEqual(['Vera Viewer']);
    const [foreign] = await idsOf(admin, '/api2/memberships', { user_id: ids.user ?? '' });
    expect((await viewer.get(`/api2/memberships/${foreign}`)).status).toBe(404);
    expect((await viewer.delete(`/api2/memberships/${foreign}`)).status).toBe(204);
    expect((await admin.get(`/api2/memberships/${foreign}`)).status).toBe(200);
  });

  test('gives and removes roles only in collections where they have collection-share', async () => {
    const user_id = (await make(admin, 'users')).id;
    const role_id = (await make(admin, 'roles', { display_name: 'Looks', permissions: ['collection-read'] })).id;
    const given = await sharer.post('/api2/memberships', { user_id, collection_id: ids.Open, role_id });
    expect(given.status).toBe(201);
    expect((await sharer.post(given.location, { role_id: ids.Shares })).status).toBe(200);
    expect((await sharer.delete(given.location)).status).toBe(204);
    expect((await admin.get(given.location)).status).toBe(404);
    const elsewhere = await sharer.post('/api2/memberships', { user_id, collection_id: ids.Top, role_id });
    expect(elsewhere.status).toBe(422);
    const viewer = await clientFor(service, 'viewer');
    expect((await viewer.post('/api2/memberships', { user_id, collection_id: '1', role_id })).status).toBe(403);
  });

  test('can neither give nor remove a role with permissions that they do not have', async () => {
    const [own] = await idsOf(admin, '/api2/memberships', { user_id: ids.sharer ?? '' });
    const [strong] = await idsOf(admin, '/api2/memberships', { group_id: ids.group ?? '' });
    const attempts = [
      await sharer.post('/api2/memberships', { user_id: ids.sharer, collection_id: ids.Open, role_id: ids.Plays }),
      await sharer.post(`/api2/memberships/${own}`, { role_id: ids.Plays }),
      await sharer.post(`/api2/memberships/${strong}`, { role_id: ids.Shares }),
      await sharer.post('/api2/memberships', { group_id: ids.group, collection_id: ids.Open, role_id: ids.Shares }),
      await sharer.post(`/api2/memberships/${own}`, { role_id: ids.Shares, group_id: ids.group }),
      await sharer.delete(`/api2/memberships/${strong}`),
    ];
    expect(attempts.map(({ status }) => status)).toEqual(attempts.map(() => 403));
    expect((await admin.get(`/api2/memberships/${own}`)).body.role.id).toBe(ids.Shares);
    expect((await admin.get(`/api2/memberships/${strong}`)).body.role.id).toBe(ids.Plays);
  });
});
