// Users of a filter, deleted in one request of a real library.
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '../../../../electron/engine/engine.ts';
import { openSharedEngineAs } from '../../../helpers/engine/library-people.ts';
import { clearJournal, requestsOf } from '../../../helpers/service/journal.ts';
import { clientFor, type ServiceClient } from '../../../helpers/service/service-client.ts';
import { make } from '../../../helpers/service/service-people.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';

let service: ServiceProcess;
let client: ServiceClient;
let engine: Engine;
let siteId: string;
let close: () => Promise<void>;

beforeAll(async () => {
  service = await startService();
  client = await clientFor(service);
  ({ engine, siteId, close } = await openSharedEngineAs(service, 'admin'));
});
afterAll(async () => {
  await close();
  await service.stop();
});
afterEach(() => service.control('DELETE', '/faults'));

const BULK = /^\/api2\/users\/bulk-delete/;
const bulkDeletions = () => requestsOf(service, 'DELETE', BULK);
const userIds = async (): Promise<string[]> =>
  (await client.get('/api2/users')).body.items.map(({ id }: { id: string }) => id);

/** Creates a group with users of these first names, and returns the ids. */
async function groupOf(name: string, firstNames: readonly string[]): Promise<{ groupId: string; ids: string[] }> {
  const groupId = (await make(client, 'groups', { display_name: name })).id;
  const ids: string[] = [];
  for (const first_name of firstNames) ids.push((await make(client, 'users', { first_name })).id);
  await client.post(`/api2/groups/${groupId}/add-users`, { user_ids: ids });
  await clearJournal(service);
  return { groupId, ids };
}

describe('the users of a filter', () => {
  it('are deleted by one request: exactly those listed before, whose table is written first', async () => {
    const { groupId, ids } = await groupOf('Leavers', ['Ida', 'Ole', 'Pia']);
    const others = (await userIds()).filter((id) => !ids.includes(id));
    const filter = { groupId };
    const listed = await engine.call('admin.filteredPeople', { siteId, filter });
    expect(listed.ids.sort()).toEqual([...ids].sort());
    const deleted = await engine.call('admin.bulkDeletePeople', { siteId, filter, userIds: listed.ids });
    expect(deleted).toMatchObject({ failed: [], others: [] });
    expect([...deleted.done].sort()).toEqual([...ids].sort());
    expect((await userIds()).sort()).toEqual(others.sort());
    expect(await bulkDeletions()).toHaveLength(1);
    for (const name of ['Ida', 'Ole', 'Pia', 'Leavers']) expect(readFileSync(deleted.savedAs, 'utf8')).toContain(name);
  });

  it('are not deleted when somebody came to the filter or left it since they were listed', async () => {
    const { groupId, ids } = await groupOf('Moving', ['Jon', 'Kim']);
    const refusal = { code: 'admin.list-changed' };
    const late = (await make(client, 'users', { first_name: 'Late' })).id;
    await client.post(`/api2/groups/${groupId}/add-users`, { user_ids: [late] });
    const input = { siteId, filter: { groupId }, userIds: ids };
    await expect(engine.call('admin.bulkDeletePeople', input)).rejects.toMatchObject(refusal);
    await client.post(`/api2/groups/${groupId}/remove-users`, { user_ids: [late, ids[0]] });
    await expect(engine.call('admin.bulkDeletePeople', input)).rejects.toMatchObject(refusal);
    expect(await bulkDeletions()).toEqual([]);
    expect(await userIds()).toEqual(expect.arrayContaining([...ids, late]));
  });

  it('never include the asking administrator, and never everybody', async () => {
    const { groupId, ids } = await groupOf('With me', ['Lea']);
    const me = (await client.get('/api2/users?email_address=admin@library.example')).body.items[0].id;
    await client.post(`/api2/groups/${groupId}/add-users`, { user_ids: [me] });
    expect(await engine.call('admin.filteredPeople', { siteId, filter: { groupId } })).toEqual({ ids });
    const input = { siteId, filter: { groupId }, userIds: [...ids, me] };
    await expect(engine.call('admin.bulkDeletePeople', input)).rejects.toMatchObject({ code: 'admin.own-account' });
    for (const filter of [{ uniqueId: '%' }, {}]) {
      await expect(engine.call('admin.filteredPeople', { siteId, filter })).rejects.toMatchObject({
        code: 'admin.filter-everybody',
      });
    }
    expect(await bulkDeletions()).toEqual([]);
  });

  it('are reported as deleted when the answer is lost, and as kept when the library refuses', async () => {
    const { groupId, ids } = await groupOf('Lost', ['Mia', 'Nel']);
    const input = { siteId, filter: { groupId }, userIds: ids };
    const fault = (action: object) =>
      service.control('POST', '/faults', { method: 'DELETE', path: BULK.source, times: 1, action });
    await fault({ kind: 'status', status: 422 });
    const refused = await engine.call('admin.bulkDeletePeople', input);
    expect(refused.done).toEqual([]);
    expect(refused.failed).toMatchObject(ids.map((id) => ({ id, error: { code: 'api.invalid' } })));
    await fault({ kind: 'lose-reply' });
    const deleted = await engine.call('admin.bulkDeletePeople', input);
    expect(deleted).toMatchObject({ done: ids, failed: [] });
    expect(await userIds()).not.toContain(ids[0]);
  });
});

/** Answers the `nth` list of users from now on with the list at `path` and one more entry. */
async function addToList(path: string, nth: number, entry: object): Promise<void> {
  const { body } = await client.get(path);
  const action = { kind: 'status', status: 200, body: { ...body, items: [...body.items, entry] } };
  await service.control('POST', '/faults', { method: 'GET', path: '^/api2/users$', nth, times: 1, action });
}
const UNREADABLE = { id: {} };

describe('the list of a filter', () => {
  it('with an entry that can’t be read deletes nobody', async () => {
    const { groupId, ids } = await groupOf('Damaged', ['Ana', 'Ben']);
    const list = `/api2/users?group_id=${groupId}`;
    const refusal = { code: 'admin.list-unreadable' };
    const filter = { groupId };
    await addToList(list, 1, UNREADABLE);
    await expect(engine.call('admin.filteredPeople', { siteId, filter })).rejects.toMatchObject(refusal);
    const input = { siteId, filter, userIds: ids };
    // The first list is that of all users.
    await addToList(list, 2, UNREADABLE);
    await expect(engine.call('admin.bulkDeletePeople', input)).rejects.toMatchObject(refusal);
    expect(await bulkDeletions()).toEqual([]);
  });

  it('deletes nobody while other entries of the library can’t be read', async () => {
    const { groupId, ids } = await groupOf('Partly known', ['Cai']);
    await addToList('/api2/users?joins=groups', 1, UNREADABLE);
    const input = { siteId, filter: { groupId }, userIds: ids };
    await expect(engine.call('admin.bulkDeletePeople', input)).rejects.toMatchObject({ code: 'admin.list-unreadable' });
    expect(await bulkDeletions()).toEqual([]);
  });

  it('with a user who doesn’t match the filter deletes nobody', async () => {
    const { groupId, ids } = await groupOf('Half ignored', ['Dag']);
    const stranger = await make(client, 'users', { first_name: 'Stranger' });
    const { body: entry } = await client.get(`/api2/users/${stranger.id}`);
    const list = `/api2/users?group_id=${groupId}`;
    const refusal = { code: 'admin.filter-ignored' };
    const filter = { groupId };
    await addToList(list, 1, entry);
    await expect(engine.call('admin.filteredPeople', { siteId, filter })).rejects.toMatchObject(refusal);
    await addToList(list, 2, entry);
    const input = { siteId, filter, userIds: [...ids, stranger.id] };
    await expect(engine.call('admin.bulkDeletePeople', input)).rejects.toMatchObject(refusal);
    expect(await bulkDeletions()).toEqual([]);
  });
});

describe('the outcome of a deletion by a filter', () => {
  it('is unknown when the users can’t be read afterwards, and names the table of them', async () => {
    const { groupId, ids } = await groupOf('Unknown', ['Eda', 'Fil']);
    const action = { kind: 'status', status: 403 };
    await service.control('POST', '/faults', { method: 'GET', path: '/api2/groups$', nth: 2, times: 1, action });
    const deleted = await engine.call('admin.bulkDeletePeople', { siteId, filter: { groupId }, userIds: ids });
    expect(deleted.done).toEqual([]);
    expect(deleted.failed).toMatchObject(ids.map((id) => ({ id, error: { code: 'admin.outcome-unknown' } })));
    expect(deleted.failed.map(({ name }) => name.split(' ')[0])).toEqual(['Eda', 'Fil']);
    expect(readFileSync(deleted.savedAs, 'utf8')).toContain('Eda');
  });
});

describe('several groups of one user', () => {
  it('are changed with one request for those to join and one for those to leave', async () => {
    const old = await groupOf('Old', ['Uma']);
    const more = [await groupOf('First', []), await groupOf('Second', [])].map(({ groupId }) => groupId);
    await engine.call('admin.read', { siteId, isFresh: true });
    await clearJournal(service);
    const change = { siteId, userIds: old.ids, add: more, remove: [old.groupId] };
    expect(await engine.call('admin.changeGroups', change)).toEqual({ done: old.ids, failed: [], skipped: [] });
    const { body } = await client.get(`/api2/users/${old.ids[0]}?joins=groups`);
    const joined = body.groups.map(({ id }: { id: string }) => id);
    expect(joined).toEqual(expect.arrayContaining(more));
    expect(joined).not.toContain(old.groupId);
    expect(await requestsOf(service, 'POST', /(add|remove)-(groups|users)$/)).toHaveLength(2);
    // The same change again sends nothing.
    expect((await engine.call('admin.changeGroups', change)).skipped).toEqual(old.ids);
    expect(await requestsOf(service, 'POST', /(add|remove)-(groups|users)$/)).toHaveLength(2);
  });

  it('are refused for a built-in group, without losing the others', async () => {
    const { ids } = await groupOf('Any', ['Vic']);
    const { groupId } = await groupOf('Third', []);
    await engine.call('admin.read', { siteId, isFresh: true });
    const everybody = (await client.get('/api2/groups/registered-users')).body.id;
    const change = { siteId, userIds: ids, add: [everybody, groupId], remove: [] };
    const { done, failed } = await engine.call('admin.changeGroups', change);
    expect({ done, failed }).toMatchObject({ done: [], failed: [{ id: ids[0] }] });
    expect((await client.get(`/api2/users?group_id=${groupId}`)).body.items).toHaveLength(1);
  });
});
