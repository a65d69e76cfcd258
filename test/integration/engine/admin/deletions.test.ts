// Groups, roles and tags that another administrator changes between the preview of their deletion and its confirmation.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '../../../../electron/engine/engine.ts';
import { openSharedEngineAs } from '../../../helpers/engine/library-people.ts';
import { clientFor, type ServiceClient } from '../../../helpers/service/service-client.ts';
import { make } from '../../../helpers/service/service-people.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';

let service: ServiceProcess;
let client: ServiceClient;
let engine: Engine;
let siteId: string;
let close: () => Promise<void>;
let roleId: string;
let serial = 0;

beforeAll(async () => {
  service = await startService();
  client = await clientFor(service);
  ({ engine, siteId, close } = await openSharedEngineAs(service, 'admin'));
  roleId = (await make(client, 'roles', { display_name: 'Looker', permissions: ['collection-read'] })).id;
});
afterAll(async () => {
  await close();
  await service.stop();
});

const statusOf = async (path: string) => (await client.get(path)).status;
const user = async () => (await make(client, 'users')).id;
const collection = async () =>
  (await client.post('/api2/collections', { display_name: `Place ${++serial}`, parent_id: '1' })).body.id;

describe('a group', () => {
  const changes: [string, (groupId: string, member: string) => Promise<unknown>][] = [
    ['has another user', async (id) => client.post(`/api2/groups/${id}/add-users`, { user_ids: [await user()] })],
    [
      'has another user in place of one',
      async (id, member) => {
        await client.post(`/api2/groups/${id}/remove-users`, { user_ids: [member] });
        await client.post(`/api2/groups/${id}/add-users`, { user_ids: [await user()] });
      },
    ],
    ['has another name', (id) => client.post(`/api2/groups/${id}`, { display_name: `Renamed ${id}` })],
    [
      'has another role',
      async (id) => make(client, 'memberships', { group_id: id, role_id: roleId, collection_id: await collection() }),
    ],
  ];

  it.each(changes)('that %s than previewed stays, and is deleted after another look', async (_name, change) => {
    const { id } = await make(client, 'groups', { display_name: `Group ${++serial}` });
    const member = await user();
    await client.post(`/api2/groups/${id}/add-users`, { user_ids: [member] });
    await engine.call('admin.read', { siteId, isFresh: true });
    const [preview] = await engine.call('admin.deletionOfGroups', { siteId, groupIds: [id] });
    expect(preview).toMatchObject({ id, people: 1, memberships: 0 });
    await change(id, member);
    const groups = [{ id, seen: preview?.seen ?? '' }];
    expect(await engine.call('admin.deleteGroups', { siteId, groups })).toMatchObject({
      done: [],
      failed: [{ id, error: { code: 'admin.deletion-changed' } }],
    });
    expect(await statusOf(`/api2/groups/${id}`)).toBe(200);
    const again = (await engine.call('admin.deletionOfGroups', { siteId, groupIds: [id] })).map(({ seen }) => ({
      id,
      seen,
    }));
    expect(await engine.call('admin.deleteGroups', { siteId, groups: again })).toEqual({ done: [id], failed: [] });
    expect(await statusOf(`/api2/groups/${id}`)).toBe(404);
  });

  it('that is gone already counts as deleted, and changes of others beside it are no reason to keep it', async () => {
    const made = await Promise.all(
      ['One', 'Two', 'Beside'].map((display_name) => make(client, 'groups', { display_name })),
    );
    const [one = '', two = '', beside = ''] = made.map(({ id }) => id);
    await engine.call('admin.read', { siteId, isFresh: true });
    const groups = await engine.call('admin.deletionOfGroups', { siteId, groupIds: [one, two] });
    await client.delete(`/api2/groups/${one}`);
    await client.post(`/api2/groups/${beside}/add-users`, { user_ids: [await user()] });
    expect(await engine.call('admin.deleteGroups', { siteId, groups })).toEqual({ done: [one, two], failed: [] });
    expect(await statusOf(`/api2/groups/${beside}`)).toBe(200);
  });
});

describe('a role', () => {
  it.each([
    [
      'its permissions',
      (id: string) => client.post(`/api2/roles/${id}/add-permissions`, { permissions: ['media-read'] }),
    ],
    [
      'its places',
      async (id: string) =>
        make(client, 'memberships', { role_id: id, collection_id: await collection(), user_id: await user() }),
    ],
  ])('stays when %s changed since the preview, and is deleted after another look', async (_name, change) => {
    const { id } = await make(client, 'roles', { display_name: `Role ${++serial}`, permissions: ['collection-read'] });
    const preview = await engine.call('admin.deletionOfRole', { siteId, roleId: id });
    await change(id);
    const late = engine.call('admin.deleteRole', { siteId, roleId: id, seen: preview.seen });
    await expect(late).rejects.toMatchObject({ code: 'admin.deletion-changed' });
    expect(await statusOf(`/api2/roles/${id}`)).toBe(200);
    const { seen } = await engine.call('admin.deletionOfRole', { siteId, roleId: id });
    await engine.call('admin.deleteRole', { siteId, roleId: id, seen });
    expect(await statusOf(`/api2/roles/${id}`)).toBe(404);
    await engine.call('admin.deleteRole', { siteId, roleId: id, seen });
  });
});

describe('tags', () => {
  it('with another name or on other items than previewed stay, and the others are deleted', async () => {
    const made = await Promise.all(
      ['renamed', 'given', 'same'].map((name) => make(client, 'tags', { display_name: `${name} ${++serial}` })),
    );
    const [renamed = '', given = '', same = ''] = made.map(({ id }) => id);
    const tags = (
      await engine.call('admin.deletionOfTags', { siteId, tagIds: [renamed, given, same, '999999'] })
    ).filter((tag) => tag !== null);
    expect(tags.map(({ items }) => items)).toEqual([0, 0, 0]);
    await client.post(`/api2/tags/${renamed}`, { display_name: `other ${++serial}` });
    await client.createItem('Tagged meanwhile', { tags: [made[1].display_name] });
    const { done, failed } = await engine.call('admin.deleteTags', { siteId, tags });
    expect(done).toEqual([same]);
    expect(failed.map(({ id, error: { code } }) => [id, code])).toEqual([
      [renamed, 'admin.deletion-changed'],
      [given, 'admin.deletion-changed'],
    ]);
    expect(await statusOf(`/api2/tags/${given}`)).toBe(200);
  });
});
