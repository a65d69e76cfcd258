import { beforeAll, expect, test } from 'vitest';
import { clientFor } from '../../../helpers/service/service-client.ts';
import { serviceOfFile } from '../../../helpers/service/service-of-file.ts';
import { make } from '../../../helpers/service/service-people.ts';
import { watcherOf } from '../../../helpers/service/watched-refusals.ts';

const service = await serviceOfFile();
const admin = await clientFor(service);
/** Ids of the targets. */
const ids: Record<string, string> = {};
beforeAll(async () => {
  ids.user = (await make(admin, 'users')).id;
  ids.group = (await make(admin, 'groups', { display_name: 'Group' })).id;
  ids.tag = (await make(admin, 'tags', { display_name: 'Tag' })).id;
  ids.role = (await make(admin, 'roles', { display_name: 'Role', permissions: ['collection-read'] })).id;
  const membership = { user_id: ids.user, collection_id: '1', role_id: ids.role };
  ids.membership = (await make(admin, 'memberships', membership)).id;
});

/** Values of wrong types, sizes and characters; each field refuses most of them. */
const VALUES: unknown[] = [
  ...[null, true, 0, -1, 1.5, 1e308, 2 ** 53, '', ' ', 'x'.repeat(900_000), '\u0000', 'a\u0000b', '\ud800', '%'],
  ...['\r\nSet-Cookie: a=b', "'; DROP TABLE users; --", '__proto__', '9'.repeat(300), [], [null], [[[]]], {}],
  ...[{ $gt: '' }, { toString: 1 }, ['x'.repeat(900_000)], Array.from({ length: 20_000 }, () => '1'), [{}], [-1, '1']],
];

/** The paths of the writes, with their fields and the lists that show a change. */
const FIELDS = (): [path: string, fields: string[], watched: string[]][] => {
  const { user, group, tag, role, membership } = ids;
  const people = ['/api2/users?joins=groups'];
  const memberships = ['/api2/memberships'];
  return [
    ['/api2/users', ['is_admin', 'email_address', 'first_name', 'last_name', 'password', 'unique_id'], people],
    [`/api2/users/${user}`, ['is_admin', 'unique_id', 'group_ids'], people],
    [`/api2/users/${user}/add-groups`, ['group_ids'], people],
    [`/api2/users/${user}/remove-groups`, ['group_ids'], people],
    ['/api2/groups', ['display_name'], ['/api2/groups']],
    [`/api2/groups/${group}`, ['display_name'], ['/api2/groups']],
    [`/api2/groups/${group}/add-users`, ['user_ids'], people],
    [`/api2/groups/${group}/remove-users`, ['user_ids'], people],
    ['/api2/tags', ['display_name'], ['/api2/tags']],
    [`/api2/tags/${tag}`, ['display_name'], ['/api2/tags']],
    ['/api2/roles', ['display_name', 'permissions'], ['/api2/roles']],
    [`/api2/roles/${role}`, ['display_name', 'permissions'], ['/api2/roles']],
    [`/api2/roles/${role}/add-permissions`, ['permissions'], ['/api2/roles']],
    [`/api2/roles/${role}/remove-permissions`, ['permissions'], ['/api2/roles']],
    ['/api2/memberships', ['role_id', 'collection_id', 'user_id', 'group_id'], memberships],
    [`/api2/memberships/${membership}`, ['role_id', 'user_id', 'group_id'], memberships],
  ];
};

test('no field of users, groups, tags, roles and memberships makes the service fail, and refused values change nothing', async () => {
  let sent = 0;
  const watcher = watcherOf(admin);
  for (const [path, fields, watched] of FIELDS()) {
    for (const field of fields) {
      for (const value of VALUES) {
        sent += 1;
        const good = {
          is_admin: false,
          email_address: `bad-${sent}@here.example`,
          first_name: 'F',
          last_name: 'L',
          display_name: `N${sent}`,
          permissions: [],
          role_id: ids.role,
          collection_id: '1',
          ...(field === 'group_id' || field === 'user_id' ? {} : { user_id: ids.user }),
        };
        const what = `${path} ${field}=${JSON.stringify(value).slice(0, 80)}`;
        await watcher.post(path, { ...good, [field]: value }, watched, what);
      }
    }
  }
  expect(sent).toBeGreaterThan(800);
  expect(service.log()).not.toContain(admin.tokens.access_token);
}, 600_000);

test('no query of the lists of users, groups, tags, roles and memberships makes the service fail', async () => {
  const names = [
    ...['is_admin', 'email_address', 'first_name', 'last_name', 'unique_id', 'group_id', 'last_login_before'],
    ...['last_login_after', 'joins', 'display_name', 'user_id', 'id', 'deletable', 'lti', 'permissions'],
    ...['collection_id', 'role_id', 'per_page', '_p'],
  ];
  const values = [
    ...['', '%00', '%', '%zz', '%25%25%25', '-1', '9'.repeat(400), "'%22*)(", '%F0%9F%98%80', 'a%0d%0ab', '1&x=2'],
    ...['__proto__', '[]', 'media-read,media-read', '0', '1,2'],
  ];
  const paths = ['users', 'groups', 'tags', 'roles', 'roles/count', 'memberships', 'memberships/calculate-roles-perms'];
  for (const path of paths) {
    for (const name of names) {
      for (const value of values) {
        const { status } = await admin.get(`/api2/${path}?${name}=${value}`);
        expect(status, `${path}?${name}=${value}`).toBeLessThan(500);
      }
    }
  }
});

test('an id of nothing is 404, and 204 when it is deleted', async () => {
  const odd = ['0', '-1', '01', '1e3', 'x', '1%2F2', '%00', '%F0%9F%98%80', '9'.repeat(300), ',,,', '1,'.repeat(1000)];
  const posts: Record<string, string[]> = {
    users: ['', '/add-groups', '/remove-groups'],
    groups: ['', '/add-users', '/remove-users'],
    tags: [''],
    roles: ['', '/add-permissions', '/remove-permissions'],
    memberships: [''],
    media: ['', '/publish', '/add-tags', '/files', '/thumbs'],
    collections: ['', '/move', '/reslugify', '/thumbs'],
  };
  for (const [resource, actions] of Object.entries(posts)) {
    for (const id of [...odd, '99999', 'Public']) {
      const path = `/api2/${resource}/${id}`;
      expect([path, (await admin.get(path)).status]).toEqual([path, 404]);
      for (const action of actions) {
        const { status } = await admin.post(path + action, { display_name: 'x', role_id: '1' });
        expect([path + action, status]).toEqual([path + action, 404]);
      }
      if (resource === 'tags') continue;
      expect([path, (await admin.delete(path)).status]).toEqual([path, 204]);
    }
  }
});
