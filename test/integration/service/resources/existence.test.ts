import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, clientFor, clientWith, type ServiceClient } from '../../../helpers/service/service-client.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';
import { signIn } from '../../../helpers/service/service-sign-in.ts';

const NOBODY = '999999';
/** Seeded ids: the administrator, and the group of registered users. */
const [SOMEBODY, GROUP] = ['1', '2'];
const CALCULATE = '/api2/memberships/calculate-roles-perms';

interface Ask {
  what: string;
  ask(client: ServiceClient, id: string): Promise<Answer>;
}

const asks: Ask[] = [
  { what: 'reading a user', ask: (client, id) => client.get(`/api2/users/${id}`) },
  { what: 'changing a user', ask: (client, id) => client.post(`/api2/users/${id}`, { is_admin: true }) },
  { what: 'adding a user to groups', ask: (c, id) => c.post(`/api2/users/${id}/add-groups`, { group_ids: [GROUP] }) },
  { what: 'deleting a user', ask: (client, id) => client.delete(`/api2/users/${id}`) },
  { what: 'reading a group', ask: (client, id) => client.get(`/api2/groups/${id}`) },
  { what: 'changing a group', ask: (client, id) => client.post(`/api2/groups/${id}`, { display_name: 'x' }) },
  { what: 'adding users to a group', ask: (c, id) => c.post(`/api2/groups/${id}/add-users`, { user_ids: [SOMEBODY] }) },
  { what: 'deleting a group', ask: (client, id) => client.delete(`/api2/groups/${id}`) },
  { what: 'listing users of a group', ask: (client, id) => client.get(`/api2/users?group_id=${id}`) },
  { what: 'listing groups of a user', ask: (client, id) => client.get(`/api2/groups?user_id=${id}`) },
  { what: 'reading thumbnails of a user', ask: (client, id) => client.get(`/api2/users/${id}/thumbs`) },
  {
    what: 'sending a thumbnail of a user',
    ask: (client, id) => client.post(`/api2/users/${id}/thumbs`, { upload_name: 'a.png', upload_size: 10 }),
  },
  { what: 'listing memberships of a user', ask: (client, id) => client.get(`/api2/memberships?user_id=${id}`) },
  { what: 'listing memberships of a group', ask: (client, id) => client.get(`/api2/memberships?group_id=${id}`) },
  { what: 'calculating the roles of a user', ask: (client, id) => client.get(`${CALCULATE}?user_id=${id}`) },
  { what: 'calculating the roles of a group', ask: (client, id) => client.get(`${CALCULATE}?group_id=${id}`) },
  {
    what: 'giving a role to a user',
    ask: (client, id) => client.post('/api2/memberships', { user_id: id, collection_id: '1', role_id: '2' }),
  },
  {
    what: 'giving a role to a group',
    ask: (client, id) => client.post('/api2/memberships', { group_id: id, collection_id: '1', role_id: '2' }),
  },
  {
    what: 'giving a role in a collection that the user can’t see',
    ask: (client, id) => client.post('/api2/memberships', { user_id: id, collection_id: '888', role_id: '2' }),
  },
  {
    what: 'giving a role that does not exist',
    ask: (client, id) => client.post('/api2/memberships', { user_id: id, collection_id: '1', role_id: '777' }),
  },
];

/** The parts of an answer that depend on neither the requested id nor the time. */
function shape(answer: Answer, id: string) {
  const headers = [...answer.headers].filter(([name]) => !['date', 'content-length'].includes(name));
  const links = new RegExp(`(user_id|group_id)=${id}(?!\\d)`, 'g');
  return { status: answer.status, headers, text: answer.text.replace(links, '$1=ID') };
}

describe.each(['reference', 'lean', 'strict'] as const)('in the dialect %s', (dialect) => {
  let service: ServiceProcess;
  let viewer: ServiceClient;
  let admin: ServiceClient;
  beforeAll(async () => {
    service = await startService({ dialect });
    viewer = await clientFor(service, 'viewer');
    admin = await clientFor(service);
  });
  afterAll(() => service?.stop());

  test.each(asks)(
    '$what gives a user who is no administrator the same answer, whether the id exists or not',
    async ({ ask }) => {
      for (const there of [SOMEBODY, GROUP]) {
        expect(shape(await ask(viewer, there), there)).toEqual(shape(await ask(viewer, NOBODY), NOBODY));
      }
    },
  );

  test('changing their own membership to another user gives a viewer the same answer, whether that user exists or not', async () => {
    const [own] = (await viewer.get('/api2/memberships')).body.items;
    const change = (user_id: string) => viewer.post(`/api2/memberships/${own.id}`, { role_id: '2', user_id });
    expect(shape(await change(SOMEBODY), SOMEBODY)).toEqual(shape(await change(NOBODY), NOBODY));
    expect((await viewer.get(`/api2/memberships/${own.id}`)).body).toEqual(own);
  });

  test('a user who may share a collection cannot learn who is an administrator, or which users exist', async () => {
    const people = `s-${dialect}@here.example`;
    const { location } = await admin.post('/api2/users', {
      is_admin: false,
      email_address: people,
      first_name: 'Sam',
      last_name: 'Shares',
      password: 'pass-word',
    });
    const role = await admin.post('/api2/roles', {
      display_name: 'Shares',
      permissions: ['collection-read', 'collection-update', 'collection-share'],
    });
    const idOf = (path: string) => path.split('/').at(-1) ?? '';
    await admin.post('/api2/memberships', {
      user_id: idOf(location),
      collection_id: '1',
      role_id: idOf(role.location),
    });
    const sharer = clientWith(service, await signIn(service, { email: people, password: 'pass-word' }));
    const ask = (id: string) => sharer.get(`${CALCULATE}?user_id=${id}`);
    expect(shape(await ask(SOMEBODY), SOMEBODY)).toEqual(shape(await ask(NOBODY), NOBODY));
    expect((await ask(idOf(location))).body.items).toHaveLength(1);
  });

  test('an administrator gets an error when an id does not exist', async () => {
    expect((await admin.get(`${CALCULATE}?user_id=${NOBODY}`)).status).toBe(422);
    expect((await admin.get(`/api2/users/${NOBODY}/thumbs`)).status).toBe(404);
    const giving = { user_id: NOBODY, collection_id: '1', role_id: '2' };
    expect((await admin.post('/api2/memberships', giving)).status).toBe(422);
  });

  test('a 401 requests a bearer token, and contains the error when a token was sent', async () => {
    const ask = async (headers: Record<string, string>, path = '/api2/collections') => {
      const response = await fetch(service.baseUrl + path, { headers });
      await response.arrayBuffer();
      return [response.status, response.headers.get('www-authenticate')];
    };
    const wrong = expect.stringMatching(/^Bearer realm="library", error="invalid_token", error_description="[^"]+"$/);
    for (const path of ['/api2/collections', '/api2/users', '/api2/oauth/tokeninfo']) {
      expect(await ask({}, path)).toEqual([401, 'Bearer realm="library"']);
      expect(await ask({ authorization: 'Basic eDp5' }, path)).toEqual([401, 'Bearer realm="library"']);
      expect(await ask({ authorization: 'Bearer no-token' }, path)).toEqual([401, wrong]);
      expect(await ask({ authorization: 'Bearer' }, path)).toEqual([401, wrong]);
      expect(await ask({ authorization: `Bearer a"b` }, path)).toEqual([401, wrong]);
    }
    expect(await ask({}, `/api2/collections?access_token=${admin.tokens.access_token}`)).toEqual([
      401,
      'Bearer realm="library"',
    ]);
  });
});
