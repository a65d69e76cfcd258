import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { groupSchema } from '../../../../shared/api/people.ts';
import { listEnvelope } from '../../../../shared/api/wire.ts';
import { clientFor, clientWith, type ServiceClient } from '../../../helpers/service/service-client.ts';
import { idsOf, make } from '../../../helpers/service/service-people.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';
import { signIn } from '../../../helpers/service/service-sign-in.ts';

const GROUPS = '/api2/groups';
let service: ServiceProcess;
let admin: ServiceClient;

beforeAll(async () => {
  service = await startService();
  admin = await clientFor(service);
});
afterAll(() => service.stop());

const create = (display_name = 'Group') => make(admin, 'groups', { display_name });
const createUser = async (): Promise<string> => (await make(admin, 'users')).id;
const found = (query?: Record<string, string>) => idsOf(admin, GROUPS, query);
const members = (group_id: string) => idsOf(admin, '/api2/users', { group_id });

describe('a group', () => {
  test('is created with 201 and a Location, and has every field of the API', async () => {
    const answer = await admin.post(GROUPS, { display_name: 'Staff' });
    expect([answer.status, answer.location]).toEqual([201, `${GROUPS}/${answer.body.id}`]);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^\d+$/),
      display_name: 'Staff',
      created_on: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      modified_on: expect.stringMatching(/Z$/),
      links: { self: answer.location, users: `/api2/users?group_id=${answer.body.id}` },
    });
    expect((await admin.get(answer.location)).body).toEqual(answer.body);
    expect((await admin.get(answer.body.links.users)).body.items).toEqual([]);
  });

  test.each([{}, { display_name: '' }, { display_name: null }, { display_name: 5 }, { display_name: 'x'.repeat(256) }])(
    'is rejected with 422 for %j',
    async (body) => {
      const answer = await admin.post(GROUPS, body);
      expect([answer.status, answer.body.errors[0].field]).toEqual([422, 'display_name']);
    },
  );

  test('is renamed, and keeps its name when none is given', async () => {
    const { id } = await create('Before');
    expect((await admin.post(`${GROUPS}/${id}`, { display_name: 'After' })).body.display_name).toBe('After');
    expect((await admin.post(`${GROUPS}/${id}`, {})).body.display_name).toBe('After');
    expect((await admin.post(`${GROUPS}/${id}`, { display_name: '' })).status).toBe(422);
    expect((await admin.get(`${GROUPS}/${id}`)).body.display_name).toBe('After');
  });

  test('adds users and removes users, and keeps the others', async () => {
    const [{ id }, one, two] = [await create(), await createUser(), await createUser()];
    const act = (action: string, user_ids: unknown) => admin.post(`${GROUPS}/${id}/${action}`, { user_ids });
    expect((await act('add-users', [one, two, one])).status).toBe(200);
    expect((await act('add-users', [one])).status).toBe(200);
    expect((await members(id)).sort()).toEqual([one, two].sort());
    expect((await act('remove-users', [one, '99999', 'x'])).status).toBe(200);
    expect(await members(id)).toEqual([two]);
  });

  test('adds only users that exist, all or none', async () => {
    const [{ id }, one] = [await create(), await createUser()];
    for (const action of ['add-users', 'remove-users']) {
      for (const body of [{}, { user_ids: 'x' }, { user_ids: [{}] }, { user_ids: null }]) {
        expect((await admin.post(`${GROUPS}/${id}/${action}`, body)).status).toBe(422);
      }
    }
    const answer = await admin.post(`${GROUPS}/${id}/add-users`, { user_ids: [one, '99999'] });
    expect([answer.status, answer.body.errors[0].field]).toEqual([422, 'user_ids.1']);
    expect(await members(id)).toEqual([]);
  });

  test('is deleted with 204, also repeatedly, and its users stay', async () => {
    const [{ id }, user] = [await create(), await createUser()];
    await admin.post(`${GROUPS}/${id}/add-users`, { user_ids: [user] });
    for (const again of [id, id, '99999', 'x']) expect((await admin.delete(`${GROUPS}/${again}`)).status).toBe(204);
    expect((await admin.get(`${GROUPS}/${id}`)).status).toBe(404);
    expect((await admin.get(`/api2/users/${user}`)).status).toBe(200);
  });

  test.each(['0', '99999', 'x', 'Public'])('is 404 with the id %s', async (id) => {
    expect((await admin.get(`${GROUPS}/${id}`)).status).toBe(404);
    expect((await admin.post(`${GROUPS}/${id}`, {})).status).toBe(404);
    expect((await admin.post(`${GROUPS}/${id}/add-users`, { user_ids: [] })).status).toBe(404);
  });
});

describe.each(['public', 'registered-users'])('the built-in group %s', (name) => {
  test('can be read by its name and by its id', async () => {
    const { status, body } = await admin.get(`${GROUPS}/${name}`);
    expect(status).toBe(200);
    expect((await admin.get(body.links.self)).body).toEqual(body);
    expect(await found()).toContain(body.id);
  });

  test('contains every user, although none was added', async () => {
    const { id } = (await admin.get(`${GROUPS}/${name}`)).body;
    const user = await createUser();
    expect(await members(id)).toContain(user);
    expect(await found({ user_id: user })).toContain(id);
    expect((await admin.post(`${GROUPS}/${id}/add-users`, { user_ids: [user] })).status).toBe(200);
  });

  test('can be neither deleted nor left', async () => {
    const { id } = (await admin.get(`${GROUPS}/${name}`)).body;
    const user = await createUser();
    expect((await admin.delete(`${GROUPS}/${id}`)).status).toBe(409);
    expect((await admin.delete(`${GROUPS}/${name}`)).status).toBe(409);
    expect((await admin.post(`${GROUPS}/${id}/remove-users`, { user_ids: [user] })).status).toBe(409);
    expect((await admin.post(`/api2/users/${user}/remove-groups`, { group_ids: [id] })).status).toBe(409);
    expect((await admin.get(`${GROUPS}/${name}`)).status).toBe(200);
  });
});

describe('the list', () => {
  test('contains all groups, by name in any letter case, in one envelope with self as its only link', async () => {
    const many = Array.from({ length: 60 }, (_, index) => `Many ${index + 10}`);
    for (const name of ['Zulu', 'Älter', 'zebra', 'apple', 'Apple', ...many.toReversed()]) await create(name);
    const { body } = await admin.get(GROUPS);
    expect(body.links).toEqual({ self: GROUPS });
    const names = listEnvelope(groupSchema)
      .parse(body)
      .items.map(({ display_name }) => display_name);
    // Letters outside ASCII are after all others; equal names are in the order of their creation.
    const expected = ['apple', 'Apple', ...many, 'Public', 'Registered users', 'zebra', 'Zulu', 'Älter'];
    expect(names.filter((name) => expected.includes(name))).toEqual(expected);
  });

  test('filters by the exact name', async () => {
    const { id } = await create('Exact name');
    await create('Exact name and more');
    expect(await found({ display_name: 'Exact name' })).toEqual([id]);
    expect(await found({ display_name: 'Exact' })).toEqual([]);
  });

  test('filters by user: explicit groups and the built-in ones', async () => {
    const [one, other, user] = [await create('Mine'), await create('Not mine'), await createUser()];
    await admin.post(`/api2/users/${user}/add-groups`, { group_ids: [one.id] });
    const ids = await found({ user_id: user });
    expect(ids).toHaveLength(3);
    expect(ids).toContain(one.id);
    expect(ids).not.toContain(other.id);
    expect(await found({ user_id: user, display_name: 'Mine' })).toEqual([one.id]);
    expect(await found({ user_id: '99999' })).toEqual([]);
    expect(await found({ user_id: 'x' })).toEqual([]);
  });
});

test('administrators alone may use groups', async () => {
  const viewer = await clientFor(service, 'viewer');
  const { id } = await create('Guarded');
  const answers = [
    await viewer.get(GROUPS),
    await viewer.get(`${GROUPS}/${id}`),
    await viewer.get(`${GROUPS}/public`),
    await viewer.post(GROUPS, { display_name: 'x' }),
    await viewer.post(`${GROUPS}/${id}`, { display_name: 'x' }),
    await viewer.post(`${GROUPS}/${id}/add-users`, { user_ids: [] }),
    await viewer.post(`${GROUPS}/${id}/remove-users`, { user_ids: [] }),
    await viewer.delete(`${GROUPS}/${id}`),
  ];
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 403));
  expect((await admin.get(`${GROUPS}/${id}`)).body.display_name).toBe('Guarded');
});

test('members have the rights of a group from the next request on, and lose them when they leave it', async () => {
  const collection = await admin.post('/api2/collections', {
    display_name: 'For the group',
    parent_id: '1',
    inherit_memberships: false,
  });
  const role = await make(admin, 'roles', { display_name: 'Reader', permissions: ['collection-read'] });
  const group = await create('Readers');
  await make(admin, 'memberships', { group_id: group.id, collection_id: collection.body.id, role_id: role.id });
  const user = await make(admin, 'users', { email_address: 'reader@here.example', password: 'pass-word-1' });
  const self = clientWith(service, await signIn(service, { email: 'reader@here.example', password: 'pass-word-1' }));
  const sees = async () => (await idsOf(self, '/api2/collections')).includes(collection.body.id);
  expect(await sees()).toBe(false);
  await admin.post(`${GROUPS}/${group.id}/add-users`, { user_ids: [user.id] });
  expect(await sees()).toBe(true);
  await admin.post(`/api2/users/${user.id}/remove-groups`, { group_ids: [group.id] });
  expect(await sees()).toBe(false);
  await admin.post(`/api2/users/${user.id}`, { group_ids: [group.id] });
  expect(await sees()).toBe(true);
  await admin.delete(`${GROUPS}/${group.id}`);
  expect(await sees()).toBe(false);
});
