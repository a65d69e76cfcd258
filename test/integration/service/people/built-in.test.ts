// The groups and the role that exist in each library.
import { describe, expect, test } from 'vitest';
import { clientFor } from '../../../helpers/service/service-client.ts';
import { serviceOfFile } from '../../../helpers/service/service-of-file.ts';
import { idsOf, make } from '../../../helpers/service/service-people.ts';

const service = await serviceOfFile();
const admin = await clientFor(service);

describe.each(['public', 'registered-users'])('the built-in group %s', (name) => {
  const GROUPS = '/api2/groups';
  const facts = async () => ({
    id: (await admin.get(`${GROUPS}/${name}`)).body.id,
    user: (await make(admin, 'users')).id,
  });

  test('contains every user, although none was added', async () => {
    const { id, user } = await facts();
    expect(await idsOf(admin, '/api2/users', { group_id: id })).toEqual(await idsOf(admin, '/api2/users'));
    expect(await idsOf(admin, GROUPS, { user_id: user })).toContain(id);
    expect((await admin.post(`${GROUPS}/${id}/add-users`, { user_ids: [user] })).status).toBe(200);
    expect(await idsOf(admin, GROUPS, { user_id: '99999' })).toEqual([]);
    expect(await idsOf(admin, '/api2/users', { group_id: '99999' })).toEqual([]);
  });

  test('can be neither deleted nor left', async () => {
    const { id, user } = await facts();
    expect((await admin.delete(`${GROUPS}/${id}`)).status).toBe(409);
    expect((await admin.delete(`${GROUPS}/${name}`)).status).toBe(409);
    expect((await admin.post(`${GROUPS}/${id}/remove-users`, { user_ids: [user] })).status).toBe(409);
    expect((await admin.post(`/api2/users/${user}/remove-groups`, { group_ids: [id] })).status).toBe(409);
    expect((await admin.get(`${GROUPS}/${name}`)).status).toBe(200);
  });
});

test('a role that is not deletable stays: its deletion is refused with 409', async () => {
  const [id] = await idsOf(admin, '/api2/roles', { deletable: '0' });
  expect((await admin.delete(`/api2/roles/${id}`)).status).toBe(409);
  expect((await admin.get(`/api2/roles/${id}`)).body.deletable).toBe(false);
});
