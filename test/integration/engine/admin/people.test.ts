// Users, groups, tags and roles of a real library, changed by an administrator through the engine.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '../../../../electron/engine/engine.ts';
import type { PeopleQuery } from '../../../../shared/contract/admin/people.ts';
import { openEngineAs, openSharedEngineAs } from '../../../helpers/engine/library-people.ts';
import { clearJournal, requestsOf } from '../../../helpers/service/journal.ts';
import { clientFor, type ServiceClient } from '../../../helpers/service/service-client.ts';
import { make } from '../../../helpers/service/service-people.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';

let service: ServiceProcess;
let client: ServiceClient;
let engine: Engine;
let siteId: string;
let profileDir: string;
let close: () => Promise<void>;

beforeAll(async () => {
  service = await startService();
  client = await clientFor(service);
  ({ engine, siteId, profileDir, close } = await openSharedEngineAs(service, 'admin'));
});
afterAll(async () => {
  await close();
  await service.stop();
});

const query = (more: Partial<PeopleQuery> = {}): PeopleQuery => ({
  siteId,
  text: '',
  facet: 'all',
  groupId: null,
  lastLoginBefore: null,
  sort: 'name',
  descending: false,
  ...more,
});
const people = async (more: Partial<PeopleQuery> = {}) =>
  (await engine.call('admin.people', { query: query(more), offset: 0, limit: 1000 })).rows;
const person = (name: string) => ({
  siteId,
  email: `${name}@people.test`,
  firstName: name,
  lastName: 'Tester',
  isAdmin: false,
});

describe('the users of a library', () => {
  it('are listed for an administrator, found by words of any field, and sorted', async () => {
    await engine.call('admin.createPerson', { ...person('Zoë'), uniqueId: 'sso:zoe-77' });
    await engine.call('admin.createPerson', person('Adam'));
    expect((await people({ text: 'zoe' })).map(({ name }) => name)).toEqual(['Zoë Tester']);
    expect((await people({ text: 'sso:zoe' })).map(({ name }) => name)).toEqual(['Zoë Tester']);
    expect((await people({ text: 'tester people.test' })).map(({ name }) => name)).toEqual([
      'Adam Tester',
      'Zoë Tester',
    ]);
    expect((await people({ facet: 'other-sign-on' })).map(({ name }) => name)).toEqual(['Zoë Tester']);
    expect((await people({ facet: 'administrators' })).every(({ isAdmin }) => isAdmin)).toBe(true);
    const { total } = await engine.call('admin.people', { query: query(), offset: 0, limit: 1 });
    expect(total).toBe((await client.get('/api2/users')).body.items.length);
  });

  it('are refused to other accounts with a reason', async () => {
    const other = await openEngineAs(service, 'viewer');
    await expect(other.engine.call('admin.read', { siteId: other.siteId })).rejects.toMatchObject({
      code: 'admin.only',
    });
  });

  it('join and leave groups with one request for each group, and none for those who are members already', async () => {
    const group = await engine.call('admin.createGroup', { siteId, name: 'Camera crew' });
    const ids = (await people({ text: 'people.test' })).map(({ id }) => id);
    const change = { siteId, userIds: ids, add: [group.id], remove: [] };
    expect(await engine.call('admin.changeGroups', change)).toEqual({ done: ids, failed: [], skipped: [] });
    const again = { ...change, userIds: [...ids, (await people({ facet: 'administrators' }))[0]?.id ?? ''] };
    expect((await engine.call('admin.changeGroups', again)).skipped).toEqual(ids);
    await engine.call('admin.changeGroups', {
      ...again,
      userIds: again.userIds.slice(-1),
      add: [],
      remove: [group.id],
    });
    expect(await engine.call('admin.groupsOf', { siteId, userIds: ids })).toEqual([
      { groupId: group.id, count: ids.length },
    ]);
    const members = (await client.get(`/api2/users?group_id=${group.id}`)).body.items;
    expect(members.map(({ id }: { id: string }) => id).sort()).toEqual([...ids].sort());
    expect((await engine.call('admin.groups', { siteId })).find(({ id }) => id === group.id)?.people).toBe(ids.length);
    await engine.call('admin.changeGroups', { ...change, add: [], remove: [group.id] });
    expect((await client.get(`/api2/users?group_id=${group.id}`)).body.items).toEqual([]);
  });

  it('all belong to a built-in group, which nobody joins or leaves, and are found by their whole id', async () => {
    const all = await people();
    for (const { id, builtIn } of await engine.call('admin.groups', { siteId })) {
      if (builtIn === null) continue;
      expect(await people({ groupId: id })).toEqual(all);
      const change = { siteId, userIds: [all[0]?.id ?? ''], add: [id], remove: [] };
      const { done, failed } = await engine.call('admin.changeGroups', change);
      expect({ done, codes: failed.map(({ error }) => error.code) }).toEqual({
        done: [],
        codes: ['admin.built-in-group'],
      });
    }
    for (const { id } of all) expect((await people({ text: ` ${id}` })).map((each) => each.id)).toContain(id);
  });

  it('are never deleted or deprived of their rights when they are the asking administrator', async () => {
    const me = (await client.get('/api2/users?is_admin=1')).body.items[0].id;
    const preview = await engine.call('admin.deletionOfPeople', { siteId, userIds: [me] });
    expect(preview).toMatchObject({ people: [], refused: [{ id: me, error: { code: 'admin.own-account' } }] });
    const { done, failed } = await engine.call('admin.deletePeople', { siteId, userIds: [me] });
    expect({ done, codes: failed.map(({ error }) => error.code) }).toEqual({ done: [], codes: ['admin.own-account'] });
    const demotion = engine.call('admin.changePerson', { siteId, userId: me, isAdmin: false });
    await expect(demotion).rejects.toMatchObject({ code: 'admin.own-account' });
    expect((await client.get(`/api2/users/${me}`)).body.is_admin).toBe(true);
  });

  it('are deleted as previewed, and no others', async () => {
    const before = (await client.get('/api2/users')).body.items.length;
    const { id } = await engine.call('admin.createPerson', person('Gone'));
    const { people: previewed } = await engine.call('admin.deletionOfPeople', {
      siteId,
      userIds: [id, 'no-such-user'],
    });
    expect(previewed.map(({ email }) => email)).toEqual(['Gone@people.test']);
    const { savedAs, ...outcome } = await engine.call('admin.deletePeople', { siteId, userIds: [id] });
    expect(outcome).toEqual({ done: [id], failed: [] });
    expect(readFileSync(savedAs, 'utf8')).toContain('Gone@people.test,Gone Tester,');
    expect((await client.get('/api2/users')).body.items.length).toBe(before);
  });
});

describe('a deletion of people', () => {
  it('keeps a user who became an administrator after it was shown, and counts one who is gone already', async () => {
    const promoted = await engine.call('admin.createPerson', person('Promoted'));
    const gone = await engine.call('admin.createPerson', person('Vanished'));
    const userIds = [promoted.id, gone.id];
    await engine.call('admin.deletionOfPeople', { siteId, userIds });
    await client.post(`/api2/users/${promoted.id}`, { is_admin: true });
    await client.delete(`/api2/users/${gone.id}`);
    const { done, failed } = await engine.call('admin.deletePeople', { siteId, userIds });
    expect(done).toEqual([gone.id]);
    expect(failed).toMatchObject([{ id: promoted.id, error: { code: 'admin.person-changed' } }]);
    expect((await client.get(`/api2/users/${promoted.id}`)).status).toBe(200);
    await client.delete(`/api2/users/${promoted.id}`);
    await engine.call('admin.read', { siteId, isFresh: true });
  });
});

describe('the directory', () => {
  it('is read once for all calls that come meanwhile, and the details of a person do not read it again', async () => {
    const other = await openEngineAs(service, 'admin');
    await clearJournal(service);
    const { engine: own, siteId: id } = other;
    const [{ rows }] = await Promise.all([
      own.call('admin.people', { query: { ...query(), siteId: id }, offset: 0, limit: 10 }),
      own.call('admin.groups', { siteId: id }),
      own.call('admin.read', { siteId: id }),
      own.call('admin.roles', { siteId: id }),
    ]);
    const changes: string[] = [];
    own.on('onDidChangeDirectory', (change) => changes.push(change.siteId));
    await own.call('admin.person', { siteId: id, userId: rows[0]?.id ?? '' });
    expect(await requestsOf(service, 'GET', /^\/api2\/users(\?|$)/)).toHaveLength(1);
    // A mere look is no change: a list that is loaded again after changes would look again, without an end.
    expect(changes).toEqual([]);
    await own.call('admin.read', { siteId: id, isFresh: true });
    expect(changes).toEqual([id]);
  });
});

describe('a change of groups', () => {
  it('reports every user whom it did not reach as failed', async () => {
    const group = await engine.call('admin.createGroup', { siteId, name: 'Unreached' });
    const ids = (await people({ text: 'people.test' })).map(({ id }) => id);
    const fault = { method: 'POST', path: 'add-users$', times: 1, action: { kind: 'status', status: 422 } };
    await service.control('POST', '/faults', fault);
    const other = await engine.call('admin.createGroup', { siteId, name: 'Reached' });
    const change = { siteId, userIds: ids, add: [group.id, other.id], remove: [] };
    const { done, failed } = await engine.call('admin.changeGroups', change);
    await service.control('DELETE', '/faults');
    expect({ done, failed: failed.map(({ id }) => id) }).toEqual({ done: [], failed: ids });
    expect((await client.get(`/api2/users?group_id=${other.id}`)).body.items).toHaveLength(ids.length);
  });

  it('sees what another administrator did since the directory was read', async () => {
    const group = await engine.call('admin.createGroup', { siteId, name: 'Shared' });
    const [person] = await people({ text: 'people.test' });
    const id = person?.id ?? '';
    await client.post(`/api2/groups/${group.id}/add-users`, { user_ids: [id] });
    await engine.call('admin.changeGroups', { siteId, userIds: [id], add: [], remove: [group.id] });
    expect((await client.get(`/api2/users?group_id=${group.id}`)).body.items).toEqual([]);
    await client.post(`/api2/users/${id}`, { is_admin: true });
    await engine.call('admin.changePerson', { siteId, userId: id, isAdmin: false });
    expect((await client.get(`/api2/users/${id}`)).body.is_admin).toBe(false);
  });
});

describe('the log of administrative changes', () => {
  it('has who was deleted, with what was there before', async () => {
    const { entries } = await engine.call('admin.log', { siteId, offset: 0, limit: 100 });
    const deletion = entries.find(({ action }) => action === 'deletePerson');
    expect(deletion).toMatchObject({ targetName: 'Gone Tester', outcome: 'done' });
    expect(deletion?.before).toContain('Gone@people.test');
  });

  it('contains no password', async () => {
    await engine.call('admin.createPerson', { ...person('Secret'), password: 'correct horse battery' });
    const log = readFileSync(`${profileDir}/admin-log/${encodeURIComponent(siteId)}.jsonl`, 'utf8');
    expect(log).toContain('Secret');
    expect(log).not.toContain('correct horse');
  });
});

describe('a role', () => {
  it('is created with all that its permissions depend on, and changed by what differs', async () => {
    const role = await engine.call('admin.createRole', { siteId, name: 'Cutter', permissions: ['media-delete'] });
    expect(role.permissions).toEqual([
      'admin-panel-access',
      'collection-read',
      'media-delete',
      'media-read',
      'media-update',
    ]);
    const permissions = ['collection-read', 'media-read', 'media-play'];
    const changed = await engine.call('admin.changeRole', {
      siteId,
      roleId: role.id,
      seen: role.permissions,
      permissions,
    });
    expect(changed.permissions).toEqual(['collection-read', 'media-play', 'media-read']);
    const late = engine.call('admin.changeRole', { siteId, roleId: role.id, seen: role.permissions, permissions: [] });
    await expect(late).rejects.toMatchObject({ code: 'admin.role-changed' });
  });

  it('says when the library saved other permissions', async () => {
    const role = await engine.call('admin.createRole', { siteId, name: 'Partial', permissions: ['media-play'] });
    const change = { siteId, roleId: role.id, seen: role.permissions, permissions: ['media-like', 'media-play'] };
    await expect(engine.call('admin.changeRole', change)).rejects.toMatchObject({ code: 'admin.role-differs' });
  });
});

describe('tags', () => {
  it('are created, renamed and deleted, with the number of their items', async () => {
    const tag = await engine.call('admin.createTag', { siteId, name: 'draft' });
    expect(await engine.call('admin.renameTag', { siteId, tagId: tag.id, name: 'drafts' })).toEqual({
      id: tag.id,
      name: 'drafts',
    });
    expect(await engine.call('admin.tagUse', { siteId, names: ['drafts'] })).toEqual([{ name: 'drafts', items: 0 }]);
    const [preview] = await engine.call('admin.deletionOfTags', { siteId, tagIds: [tag.id] });
    expect(preview).toMatchObject({ name: 'drafts', items: 0 });
    const tags = [{ id: tag.id, seen: preview?.seen ?? '' }];
    expect(await engine.call('admin.deleteTags', { siteId, tags })).toEqual({ done: [tag.id], failed: [] });
    expect(await engine.call('admin.tags', { siteId })).not.toContainEqual(tag);
    await make(client, 'tags', { display_name: 'kept' });
    expect((await engine.call('admin.tags', { siteId })).map(({ name }) => name)).toContain('kept');
  });
});

describe('an account that loses its administrator rights meanwhile', () => {
  const rightsOf = async (isAdmin: boolean) => {
    const { id } = (await client.get('/api2/users?email_address=editor@library.example')).body.items[0];
    await client.post(`/api2/users/${id}`, { is_admin: isAdmin });
  };

  it.each([
    'a change that is refused',
    'a part of a change that is refused',
    'a reading',
    'a reading that follows a failed one',
  ])('is announced after %s, with those who still are administrators', async (how) => {
    await rightsOf(true);
    const other = await openEngineAs(service, 'editor');
    const site = { siteId: other.siteId };
    const { id } = await make(client, 'users', { first_name: 'Stays' });
    await other.engine.call('admin.read', site);
    const lost: { administrators: { email: string }[] }[] = [];
    other.engine.on('onDidLoseRights', (event) => lost.push(event));
    if (how === 'a reading that follows a failed one') {
      const fault = { method: 'GET', path: '^/api2/groups$', times: 1, action: { kind: 'status', status: 422 } };
      await service.control('POST', '/faults', fault);
      const failed = other.engine.call('admin.read', { ...site, isFresh: true });
      await expect(failed).rejects.toMatchObject({ code: 'api.invalid' });
    }
    await rightsOf(false);
    if (how.startsWith('a reading'))
      await other.engine.call('admin.person', { ...site, userId: id }).catch(() => undefined);
    else if (how === 'a change that is refused') {
      await other.engine.call('admin.createGroup', { ...site, name: 'Late' }).catch(() => undefined);
    } else await other.engine.call('admin.deletePeople', { ...site, userIds: [id] });
    expect(lost.map(({ administrators }) => administrators.map(({ email }) => email))).toEqual([
      expect.arrayContaining(['admin@library.example']),
    ]);
    expect(lost[0]?.administrators.map(({ email }) => email)).not.toContain('editor@library.example');
    expect((await client.get(`/api2/users/${id}`)).status).toBe(200);
  });
});
