import type { Json } from '../http/answer.ts';
import { Api } from '../http/api.ts';
import { type Case, casesOf } from '../suite/case.ts';
import { done, equal, hasStatus, notAllowed } from '../suite/expect.ts';
import { signIn } from '../world/people.ts';
import type { World } from '../world/world.ts';

const RESOURCES: Readonly<Record<string, (w: World) => { make: () => Promise<{ path: string }>; body: Json }>> = {
  users: (w) => ({
    make: () => w.user(),
    body: { is_admin: true, email_address: `${w.name('no')}@conformance.example`, first_name: 'No', last_name: 'No' },
  }),
  groups: (w) => ({ make: () => w.group(), body: { display_name: w.name('no') } }),
  tags: (w) => ({ make: () => w.tag(), body: { display_name: w.name('no') } }),
  roles: (w) => ({
    make: () => w.role(['collection-read']),
    body: { display_name: w.name('no'), permissions: ['collection-read'] },
  }),
};

/** The other actions of these resources, with one valid request each. */
const ACTIONS: Readonly<Record<string, (w: World) => Promise<[method: 'GET' | 'POST', path: string, body?: Json]>>> = {
  'users-add-groups': async (w) => [
    'POST',
    `${(await w.user()).path}/add-groups`,
    { group_ids: [(await w.group()).id] },
  ],
  'users-remove-groups': async (w) => ['POST', `${(await w.user()).path}/remove-groups`, { group_ids: [] }],
  'groups-add-users': async (w) => ['POST', `${(await w.group()).path}/add-users`, { user_ids: [(await w.user()).id] }],
  'groups-remove-users': async (w) => ['POST', `${(await w.group()).path}/remove-users`, { user_ids: [] }],
  'groups-public': async () => ['GET', '/api2/groups/public'],
  'groups-registered-users': async () => ['GET', '/api2/groups/registered-users'],
  'roles-count': async () => ['GET', '/api2/roles/count'],
  'roles-add-permissions': async (w) => {
    return ['POST', `${(await w.role([])).path}/add-permissions`, { permissions: ['collection-read'] }];
  },
  'roles-remove-permissions': async (w) => {
    return [
      'POST',
      `${(await w.role(['collection-read'])).path}/remove-permissions`,
      { permissions: ['collection-read'] },
    ];
  },
};

export const administratorCases: Case[] = casesOf('administrators', (it) => {
  for (const [id, request] of Object.entries(ACTIONS)) {
    it(id, `Only administrators may send the request “${id.replaceAll('-', ' ')}”`, async (w) => {
      const [method, path, body] = await request(w);
      const { api } = await w.second();
      notAllowed(await api.send(method, path, body === undefined ? {} : { body }));
      done(await w.api.send(method, path, body === undefined ? {} : { body }));
    });
  }

  for (const [resource, parts] of Object.entries(RESOURCES)) {
    it(`list-${resource}`, `Only administrators may list ${resource}`, async (w) => {
      notAllowed(await (await w.second()).api.get(`/api2/${resource}`));
    });
    it(`get-${resource}`, `Only administrators may read single ${resource}`, async (w) => {
      const { path } = await parts(w).make();
      notAllowed(await (await w.second()).api.get(path));
    });
    it(`create-${resource}`, `Only administrators may create ${resource}`, async (w) => {
      notAllowed(await (await w.second()).api.post(`/api2/${resource}`, parts(w).body));
    });
    it(`update-${resource}`, `Only administrators may change ${resource}`, async (w) => {
      const { make, body } = parts(w);
      const { path } = await make();
      const before = await w.api.read(path);
      notAllowed(await (await w.second()).api.post(path, body));
      equal(await w.api.read(path), before, 'What was to be changed');
    });
    it(`delete-${resource}`, `Only administrators may delete ${resource}`, async (w) => {
      const { path } = await parts(w).make();
      const answer = await (await w.second()).api.delete(path);
      notAllowed(answer);
      await w.api.read(path);
    });
  }
  it('bulk-delete', 'Only administrators may delete users in bulk', async (w) => {
    const unique_id = w.name('bulk');
    const { path } = await w.user({ unique_id });
    notAllowed(await (await w.second()).api.delete('/api2/users/bulk-delete', { unique_id }));
    await w.api.read(path);
  });
  it('not-admin', 'A user who was created without is_admin is not an administrator', async (w) => {
    const { userId } = await w.second();
    equal((await w.api.read(`/api2/users/${userId}`)).is_admin, false, 'is_admin');
  });
  it(
    'own-account',
    'A user who is not an administrator can’t use the requests about users for their own account',
    async (w) => {
      const { api, userId } = await w.second();
      const path = `/api2/users/${userId}`;
      const before = await w.api.read(path);
      notAllowed(await api.get(path));
      notAllowed(await api.post(path, { is_admin: true }));
      notAllowed(await api.delete(path));
      equal(await w.api.read(path), before, 'The user');
    },
  );
  it('promoted', 'A user whose is_admin is changed gains and loses the rights of an administrator', async (w) => {
    const credentials = { email: `${w.name('rising')}@conformance.example`, password: `Pw-${w.name('x')}!4` };
    const user = await w.user({ email_address: credentials.email, password: credentials.password });
    const api = new Api(w.site, await signIn(w.site, w.clientId, credentials));
    notAllowed(await api.get('/api2/users'));
    done(await w.api.post(user.path, { is_admin: true }));
    hasStatus(await api.get('/api2/users'), 200);
    done(await w.api.post(user.path, { is_admin: false }));
    notAllowed(await api.get('/api2/users'));
  });
  it('any-admin', 'A user who was created as an administrator may list users, groups, tags and roles', async (w) => {
    const credentials = { email: `${w.name('admin')}@conformance.example`, password: `Pw-${w.name('x')}!3` };
    await w.user({ is_admin: true, email_address: credentials.email, password: credentials.password });
    const api = new Api(w.site, await signIn(w.site, w.clientId, credentials));
    for (const resource of Object.keys(RESOURCES)) hasStatus(await api.get(`/api2/${resource}`), 200);
  });
});
