import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { roleSchema } from '../../../../shared/api/people.ts';
import { PERMISSIONS } from '../../../../shared/api/permissions.ts';
import { listEnvelope } from '../../../../shared/api/wire.ts';
import { clientFor, clientWith, type ServiceClient } from '../../../helpers/service/service-client.ts';
import { idsOf, make } from '../../../helpers/service/service-people.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';
import { signIn } from '../../../helpers/service/service-sign-in.ts';

const ROLES = '/api2/roles';
let service: ServiceProcess;
let admin: ServiceClient;

beforeAll(async () => {
  service = await startService();
  admin = await clientFor(service);
});
afterAll(() => service.stop());

const create = (permissions: string[], display_name = 'Role') => make(admin, 'roles', { display_name, permissions });
const found = (query?: Record<string, string>) => idsOf(admin, ROLES, query);
const permissionsOf = async (id: string): Promise<string[]> => (await admin.get(`${ROLES}/${id}`)).body.permissions;

describe('a role', () => {
  test('is created with 200 and a Location, and has every field of the API', async () => {
    const answer = await admin.post(ROLES, { display_name: 'Reader', permissions: ['media-read', 'collection-read'] });
    expect([answer.status, answer.location]).toEqual([200, `${ROLES}/${answer.body.id}`]);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^\d+$/),
      display_name: 'Reader',
      created_on: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      modified_on: expect.stringMatching(/Z$/),
      permissions: ['collection-read', 'media-read'],
      deletable: true,
      lti: false,
      links: { self: answer.location },
    });
    expect((await admin.get(answer.location)).body).toEqual(answer.body);
  });

  test.each([
    [{ permissions: [] }, 'display_name'],
    [{ display_name: 'x' }, 'permissions'],
    [{ display_name: '', permissions: [] }, 'display_name'],
    [{ display_name: 'x', permissions: 'media-read' }, 'permissions'],
    [{ display_name: 'x', permissions: ['media-eat'] }, 'permissions.0'],
    [{ display_name: 'x', permissions: [null] }, 'permissions.0'],
    [{ display_name: 'x', permissions: ['__proto__'] }, 'permissions.0'],
  ])('is refused with 422 for %j', async (body, field) => {
    const answer = await admin.post(ROLES, body);
    expect([answer.status, answer.body.errors[0].field]).toEqual([422, field]);
  });

  test('may have no permission or all of them', async () => {
    expect((await create([])).permissions).toEqual([]);
    expect((await create([...PERMISSIONS])).permissions).toEqual(PERMISSIONS);
  });

  test('is created without permissions whose dependencies are missing', async () => {
    expect((await create(['media-play', 'collection-read'])).permissions).toEqual(['collection-read']);
    expect((await create(['media-delete', 'media-update', 'media-read', 'collection-read'])).permissions).toEqual([
      'collection-read',
      'media-read',
    ]);
  });

  test('changes its name or its permissions, and keeps the other value', async () => {
    const { id } = await create(['collection-read'], 'Old');
    const renamed = await admin.post(`${ROLES}/${id}`, { display_name: 'New' });
    expect(renamed.body).toMatchObject({ display_name: 'New', permissions: ['collection-read'] });
    await admin.post(`${ROLES}/${id}`, { permissions: ['collection-read', 'media-read', 'media-delete'] });
    expect((await admin.get(`${ROLES}/${id}`)).body).toMatchObject({
      display_name: 'New',
      permissions: ['collection-read', 'media-read'],
    });
    for (const body of [{ display_name: '' }, { permissions: ['x'] }, { permissions: {} }]) {
      expect((await admin.post(`${ROLES}/${id}`, body)).status).toBe(422);
    }
  });

  test.each(['0', '99999', 'x'])('is 404 with the id %s', async (id) => {
    expect((await admin.get(`${ROLES}/${id}`)).status).toBe(404);
    expect((await admin.post(`${ROLES}/${id}`, {})).status).toBe(404);
    expect((await admin.post(`${ROLES}/${id}/add-permissions`, { permissions: [] })).status).toBe(404);
  });
});

describe('permissions', () => {
  const act = (id: string, action: string, permissions: unknown) =>
    admin.post(`${ROLES}/${id}/${action}`, { permissions });

  test('are added to the present ones, and may be listed before a permission that they depend on', async () => {
    const { id } = await create(['collection-read']);
    expect((await act(id, 'add-permissions', ['media-play', 'media-read'])).status).toBe(200);
    expect(await permissionsOf(id)).toEqual(['collection-read', 'media-play', 'media-read']);
  });

  test('are not added when a dependency is missing', async () => {
    const { id } = await create([]);
    expect((await act(id, 'add-permissions', ['media-play', 'media-read'])).status).toBe(200);
    expect(await permissionsOf(id)).toEqual([]);
    await act(id, 'add-permissions', ['collection-read', 'media-update', 'media-read']);
    expect(await permissionsOf(id)).toEqual(['collection-read', 'media-read']);
  });

  test('are removed together with everything that depends on them', async () => {
    const { id } = await create([...PERMISSIONS]);
    expect((await act(id, 'remove-permissions', ['admin-panel-access'])).status).toBe(200);
    expect(await permissionsOf(id)).toEqual(
      PERMISSIONS.filter((name) => !['admin-panel-access', 'media-update', 'media-delete'].includes(name)),
    );
    await act(id, 'remove-permissions', ['collection-read']);
    expect(await permissionsOf(id)).toEqual([]);
  });

  test('must be given, and must exist', async () => {
    const { id } = await create(['collection-read']);
    for (const action of ['add-permissions', 'remove-permissions']) {
      expect((await admin.post(`${ROLES}/${id}/${action}`, {})).status).toBe(422);
      expect((await act(id, action, 'media-read')).status).toBe(422);
      expect((await act(id, action, ['media-eat'])).status).toBe(422);
    }
    expect(await permissionsOf(id)).toEqual(['collection-read']);
  });
});

describe('a deletion', () => {
  test('answers 204, also repeatedly', async () => {
    const { id } = await create([]);
    for (const again of [id, id, '99999', 'x']) expect((await admin.delete(`${ROLES}/${again}`)).status).toBe(204);
    expect((await admin.get(`${ROLES}/${id}`)).status).toBe(404);
  });

  test('is refused with 409 when the role is not deletable', async () => {
    const [id] = await found({ deletable: '0' });
    expect((await admin.delete(`${ROLES}/${id}`)).status).toBe(409);
    expect((await admin.get(`${ROLES}/${id}`)).body.deletable).toBe(false);
  });
});

describe('the list and the count', () => {
  test('agree on the number of roles, and the list is one envelope with self as its only link', async () => {
    const { body } = await admin.get(ROLES);
    expect(body.links).toEqual({ self: ROLES });
    listEnvelope(roleSchema).parse(body);
    expect((await admin.get(`${ROLES}/count`)).body).toEqual({ count: body.items.length });
  });

  test('filter by name, deletable, lti and permissions, and agree with each other', async () => {
    const plays = await create(['collection-read', 'media-read', 'media-play'], 'Plays');
    const reads = await create(['collection-read', 'media-read'], 'Reads');
    const [fixed] = await found({ display_name: 'Administrator' });
    const expected: [Record<string, string>, string[], string[]][] = [
      [{ display_name: 'Plays' }, [plays.id], [reads.id]],
      [{ display_name: 'Play' }, [], [plays.id]],
      [{ deletable: '1' }, [plays.id, reads.id], [fixed ?? '']],
      [{ deletable: '0' }, [fixed ?? ''], [plays.id]],
      [{ lti: '0' }, [plays.id, reads.id], []],
      [{ lti: '1' }, [], [plays.id, reads.id]],
      [{ permissions: 'media-read' }, [plays.id, reads.id], []],
      [{ permissions: 'media-play,collection-read' }, [plays.id], [reads.id]],
      [{ permissions: 'media-play', display_name: 'Reads' }, [], [plays.id, reads.id]],
    ];
    for (const [query, inside, outside] of expected) {
      const ids = await found(query);
      expect(ids).toEqual(expect.arrayContaining(inside));
      for (const id of outside) expect(ids).not.toContain(id);
      expect((await admin.get(`${ROLES}/count?${new URLSearchParams(query)}`)).body).toEqual({ count: ids.length });
    }
  });

  test('refuse invalid filter values', async () => {
    for (const query of ['deletable=maybe', 'lti=2', 'permissions=media-eat', 'permissions=,']) {
      expect((await admin.get(`${ROLES}?${query}`)).status).toBe(422);
      expect((await admin.get(`${ROLES}/count?${query}`)).status).toBe(422);
    }
  });
});

test('administrators alone may use roles', async () => {
  const editor = await clientFor(service, 'editor');
  const { id } = await create(['collection-read'], 'Guarded');
  const answers = [
    await editor.get(ROLES),
    await editor.get(`${ROLES}/count`),
    await editor.get(`${ROLES}/${id}`),
    await editor.post(ROLES, { display_name: 'x', permissions: [] }),
    await editor.post(`${ROLES}/${id}`, { display_name: 'x' }),
    await editor.post(`${ROLES}/${id}/add-permissions`, { permissions: [] }),
    await editor.post(`${ROLES}/${id}/remove-permissions`, { permissions: [] }),
    await editor.delete(`${ROLES}/${id}`),
  ];
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 403));
  expect((await admin.get(`${ROLES}/${id}`)).body.display_name).toBe('Guarded');
});

test('changes of a role apply to its holders immediately, and its deletion deletes their memberships', async () => {
  const collection = await admin.post('/api2/collections', {
    display_name: 'Closed',
    parent_id: '1',
    inherit_memberships: false,
  });
  const role = await create(['collection-read']);
  const user = await make(admin, 'users', { email_address: 'holder@here.example', password: 'pass-word-1' });
  const membership = await make(admin, 'memberships', {
    user_id: user.id,
    collection_id: collection.body.id,
    role_id: role.id,
  });
  const self = clientWith(service, await signIn(service, { email: 'holder@here.example', password: 'pass-word-1' }));
  const rename = async () => (await self.post(collection.location, { display_name: 'Closed' })).status;
  expect(await rename()).toBe(403);
  await admin.post(`${ROLES}/${role.id}/add-permissions`, { permissions: ['collection-update'] });
  expect(await rename()).toBe(200);
  await admin.post(`${ROLES}/${role.id}`, { permissions: ['collection-read'] });
  expect(await rename()).toBe(403);
  await admin.delete(`${ROLES}/${role.id}`);
  expect(await rename()).toBe(404);
  expect((await admin.get(`/api2/memberships/${membership.id}`)).status).toBe(404);
});
