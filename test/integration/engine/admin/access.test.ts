// Roles in collections of a real library, changed and explained by an administrator through the engine.
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Engine } from '../../../../electron/engine/engine.ts';
import { PERMISSIONS } from '../../../../shared/api/permissions.ts';
import { openEngineAs, openSharedEngineAs } from '../../../helpers/engine/library-people.ts';
import { clientFor, type ServiceClient } from '../../../helpers/service/service-client.ts';
import { make } from '../../../helpers/service/service-people.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';
import { startChangingProxy } from '../../../helpers/wire/changing-proxy.ts';

let service: ServiceProcess;
let client: ServiceClient;
let engine: Engine;
let siteId: string;
let close: () => Promise<void>;
/** `lower` inherits the roles of `upper`; `alone` does not. */
let upper: string;
let lower: string;
let alone: string;
let teacher: string;
let staff: string;
let ann: string;
let bob: string;

beforeAll(async () => {
  service = await startService();
  client = await clientFor(service);
  const collection = async (display_name: string, parent_id: string, inherit_memberships: boolean): Promise<string> =>
    (await client.post('/api2/collections', { display_name, parent_id, inherit_memberships })).body.id;
  upper = await collection('Upper', '1', false);
  lower = await collection('Lower', upper, true);
  alone = await collection('Alone', upper, false);
  teacher = (await make(client, 'roles', { display_name: 'Teacher', permissions: ['collection-read', 'media-read'] }))
    .id;
  staff = (await make(client, 'groups', { display_name: 'Staff' })).id;
  ann = (await make(client, 'users', { first_name: 'Ann' })).id;
  bob = (await make(client, 'users', { first_name: 'Bob' })).id;
  await client.post(`/api2/groups/${staff}/add-users`, { user_ids: [bob] });
  ({ engine, siteId, close } = await openSharedEngineAs(service, 'admin'));
});
afterAll(async () => {
  await close();
  await service.stop();
});
afterEach(() => service.control('DELETE', '/faults'));

const user = (id: string) => ({ kind: 'user' as const, id });
const group = (id: string) => ({ kind: 'group' as const, id });
const explain = async (subject: ReturnType<typeof user> | ReturnType<typeof group>, collectionId: string | null) =>
  (await engine.call('access.explain', { siteId, subject, collectionId })).places;
const holdersIn = async (collectionId: string): Promise<string[]> =>
  (await client.get(`/api2/memberships?collection_id=${collectionId}`)).body.items
    .filter(({ collection }: { collection: { id: string } }) => collection.id === collectionId)
    .map((each: { user: { id: string } | null; group: { id: string } | null }) =>
      each.group === null ? `user ${each.user?.id}` : `group ${each.group.id}`,
    )
    .sort();

describe('a role in a collection', () => {
  it('is given, replaced by one request and removed, and its removal can be repeated', async () => {
    const input = { siteId, collectionId: upper, subject: user(ann) };
    await engine.call('access.set', { ...input, roleId: teacher });
    const viewer = (await client.get('/api2/roles?display_name=Viewer')).body.items[0].id;
    await engine.call('access.set', { ...input, roleId: viewer });
    const query = { siteId, subject: user(ann), collectionId: null, roleId: null, offset: 0, limit: 10 };
    const { rows } = await engine.call('admin.memberships', query);
    expect(rows.map(({ path, roleName }) => [path.join('/'), roleName])).toEqual([['Library/Upper', 'Viewer']]);
    const removal = { siteId, membershipId: rows[0]?.id ?? '', collectionId: upper, roleId: viewer };
    await engine.call('access.remove', removal);
    await engine.call('access.remove', removal);
    expect(await holdersIn(upper)).toEqual([]);
    expect((await engine.call('admin.memberships', query)).total).toBe(0);
    const { entries } = await engine.call('admin.log', { siteId, offset: 0, limit: 10 });
    const actions = entries.map(({ action, before, after }) => [action, before, after]);
    expect(actions.slice(0, 3)).toEqual([
      ['removeRole', 'Viewer', ''],
      ['setRole', 'Teacher', 'Viewer'],
      ['setRole', '', 'Teacher'],
    ]);
  });

  it('is explained by its way, as the library itself calculates it', async () => {
    await engine.call('access.set', { siteId, collectionId: upper, subject: group(staff), roleId: teacher });
    await engine.call('access.set', { siteId, collectionId: lower, subject: user(bob), roleId: teacher });
    const [place] = await explain(user(bob), lower);
    expect(place).toMatchObject({ permissions: ['collection-read', 'media-read'], differs: false });
    expect(place?.ways.map((way) => [way.group?.name ?? null, way.collection?.name, way.collection?.levels])).toEqual([
      [null, 'Lower', 0],
      ['Staff', 'Upper', 1],
    ]);
    expect(await explain(user(bob), alone)).toMatchObject([{ ways: [], permissions: [], differs: false }]);
    expect(await explain(group(staff), lower)).toMatchObject([{ ways: [{ group: null }], differs: false }]);
    const [admin] = (await client.get('/api2/users?is_admin=1')).body.items;
    expect(await explain(user(admin.id), alone)).toMatchObject([{ permissions: [...PERMISSIONS], differs: false }]);
  });

  it('is explained rightly after another administrator changed a role', async () => {
    await make(client, 'memberships', { role_id: teacher, collection_id: alone, user_id: ann });
    expect(await explain(user(ann), alone)).toMatchObject([
      { permissions: ['collection-read', 'media-read'], differs: false },
    ]);
  });

  it('shows a difference when the library calculates something else', async () => {
    const proxy = await startChangingProxy(service.baseUrl);
    onTestFinished(() => proxy.close());
    proxy.change({
      reply: (reply, { url }) =>
        url.includes('calculate-roles-perms')
          ? { ...reply, body: reply.body.replaceAll('"media-read"', '"media-like"') }
          : reply,
    });
    const other = await openSharedEngineAs({ ...service, baseUrl: proxy.baseUrl }, 'admin');
    onTestFinished(() => other.close());
    const input = { siteId: other.siteId, subject: user(ann), collectionId: alone };
    const { places } = await other.engine.call('access.explain', input);
    expect(places).toMatchObject([
      { permissions: ['collection-read', 'media-read'], service: ['collection-read', 'media-like'], differs: true },
    ]);
  });
});

describe('the preview of a change', () => {
  it('knows a role that another administrator gave since the directory was read', async () => {
    const carl = (await make(client, 'users', { first_name: 'Carl' })).id;
    await engine.call('admin.read', { siteId, isFresh: true });
    const { id } = await make(client, 'memberships', { role_id: teacher, collection_id: alone, user_id: carl });
    const change = { kind: 'remove' as const, membershipId: id, roleId: teacher };
    const { effects } = await engine.call('access.effects', { siteId, change });
    expect(effects.map(({ permission, lose }) => [permission, lose])).toEqual([
      ['collection-read', 1],
      ['media-read', 1],
    ]);
  });

  it('is an error when the library does not have what the change names', async () => {
    const change = { kind: 'remove' as const, membershipId: '999999', roleId: teacher };
    await expect(engine.call('access.effects', { siteId, change })).rejects.toMatchObject({ code: 'api.not-found' });
  });

  it('is followed by a removal only while the role is the one that was seen', async () => {
    const dora = (await make(client, 'users', { first_name: 'Dora' })).id;
    const { id } = await make(client, 'memberships', { role_id: teacher, collection_id: alone, user_id: dora });
    const input = { siteId, membershipId: id, collectionId: alone, roleId: teacher };
    const refusal = { code: 'admin.membership-changed' };
    await expect(engine.call('access.remove', { ...input, roleId: '999' })).rejects.toMatchObject(refusal);
    await expect(engine.call('access.remove', { ...input, collectionId: upper })).rejects.toMatchObject(refusal);
    expect(await holdersIn(alone)).toContain(`user ${dora}`);
    await engine.call('access.remove', input);
    expect(await holdersIn(alone)).not.toContain(`user ${dora}`);
  });
});

describe('the library as somebody sees it', () => {
  it('is that of the library after a planned change, which is not made, and unknown users are refused', async () => {
    const fay = (await make(client, 'users', { first_name: 'Fay' })).id;
    const view = (
      change: { kind: 'set'; collectionId: string; subject: ReturnType<typeof user>; roleId: string } | null,
    ) => engine.call('access.view', { siteId, subject: user(fay), change });
    await engine.call('admin.read', { siteId, isFresh: true });
    const before = (await view(null)).rows;
    const planned = await view({ kind: 'set', collectionId: upper, subject: user(fay), roleId: teacher });
    const names = planned.rows.filter(({ was, is }) => was !== is).map(({ name }) => name);
    // “Alone” does not inherit.
    expect(names).toEqual(['Upper', 'Lower']);
    const { id } = await make(client, 'memberships', { role_id: teacher, collection_id: upper, user_id: fay });
    onTestFinished(async () => void (await client.delete(`/api2/memberships/${id}`)));
    await engine.call('admin.read', { siteId, isFresh: true });
    const after = (await view(null)).rows;
    expect(after.map(({ name, is }) => [name, is])).toEqual(planned.rows.map(({ name, is }) => [name, is]));
    expect(after.length).toBe(before.length + 2);
    const nobody = { siteId, subject: user('99999'), change: null };
    await expect(engine.call('access.view', nobody)).rejects.toMatchObject({ code: 'api.not-found' });
  });
});

describe('a role that the user saw', () => {
  it('is changed in its place, and not given again after another administrator removed it', async () => {
    const eva = (await make(client, 'users', { first_name: 'Eva' })).id;
    const other = (await make(client, 'roles', { display_name: 'Reader', permissions: ['collection-read'] })).id;
    const { id } = await make(client, 'memberships', { role_id: teacher, collection_id: alone, user_id: eva });
    const input = { siteId, membershipId: id, collectionId: alone, subject: user(eva), roleId: other };
    await engine.call('access.set', input);
    expect((await client.get(`/api2/memberships/${id}`)).body.role.id).toBe(other);
    await client.delete(`/api2/memberships/${id}`);
    const refusal = { code: 'admin.membership-removed' };
    await expect(engine.call('access.set', { ...input, roleId: teacher })).rejects.toMatchObject(refusal);
    expect(await holdersIn(alone)).not.toContain(`user ${eva}`);
  });
});

describe('the end of inheritance', () => {
  it('copies the inherited roles first: a failure leaves it switched on, and a repetition completes it', async () => {
    await engine.call('access.set', { siteId, collectionId: upper, subject: user(ann), roleId: teacher });
    const fault = {
      method: 'POST',
      path: '^/api2/memberships$',
      nth: 2,
      times: 1,
      action: { kind: 'status', status: 422 },
    };
    await service.control('POST', '/faults', fault);
    const input = { siteId, collectionId: lower, inherits: false, keeps: true };
    await expect(engine.call('access.inherit', input)).rejects.toMatchObject({ code: 'api.invalid' });
    expect((await client.get(`/api2/collections/${lower}`)).body.inherit_memberships).toBe(true);
    await service.control('DELETE', '/faults');
    const { copied } = await engine.call('access.inherit', input);
    expect(copied).toBeGreaterThan(0);
    expect((await client.get(`/api2/collections/${lower}`)).body.inherit_memberships).toBe(false);
    expect(await holdersIn(lower)).toEqual([`group ${staff}`, `user ${ann}`, `user ${bob}`].sort());
    expect(await explain(user(ann), lower)).toMatchObject([
      { permissions: ['collection-read', 'media-read'], differs: false },
    ]);
  });
});

describe('an account that may share a collection', () => {
  it('changes roles there without reading users, and other accounts are refused', async () => {
    const producer = await openEngineAs(service, 'producer');
    const change = { siteId: producer.siteId, collectionId: upper, subject: user(ann), roleId: teacher };
    // The library does not tell that there is a collection which the account can't see.
    await expect(producer.engine.call('access.set', change)).rejects.toMatchObject({ code: 'api.invalid' });
    const sharing = ['collection-read', 'collection-update', 'collection-share', 'media-read'];
    const role = await make(client, 'roles', { display_name: 'Sharer', permissions: sharing });
    const { body } = await client.get('/api2/users?email_address=producer@library.example');
    await make(client, 'memberships', { role_id: role.id, collection_id: alone, user_id: body.items[0].id });
    await producer.engine.call('access.set', { ...change, collectionId: alone });
    expect(await holdersIn(alone)).toContain(`user ${ann}`);
    // Without its own role it could not give the role back.
    const own = (await client.get(`/api2/memberships?user_id=${body.items[0].id}&collection_id=${alone}`)).body
      .items[0];
    const refusal = { code: 'admin.own-role' };
    const mine = { siteId: producer.siteId, collectionId: alone };
    await expect(
      producer.engine.call('access.remove', { ...mine, membershipId: own.id, roleId: role.id }),
    ).rejects.toMatchObject(refusal);
    const less = { ...mine, subject: user(body.items[0].id), roleId: teacher };
    await expect(producer.engine.call('access.set', less)).rejects.toMatchObject(refusal);
    expect(await holdersIn(alone)).toContain(`user ${body.items[0].id}`);
    const log = await producer.engine.call('admin.log', { siteId: producer.siteId, offset: 0, limit: 1 });
    expect(log.entries[0]).toMatchObject({ action: 'setRole', outcome: 'done' });
  });

  it('keeps the role of a group by which it may share, and changes roles of other groups', async () => {
    const producer = await openEngineAs(service, 'producer');
    const producerId = (await client.get('/api2/users?email_address=producer@library.example')).body.items[0].id;
    const sharing = ['collection-read', 'collection-update', 'collection-share', 'media-read'];
    const role = await make(client, 'roles', { display_name: 'Sharer by group', permissions: sharing });
    const { body } = await client.post('/api2/collections', { display_name: 'By group', parent_id: '1' });
    const mine = await make(client, 'groups', { display_name: 'Sharers' });
    await client.post(`/api2/groups/${mine.id}/add-users`, { user_ids: [producerId] });
    const own = await make(client, 'memberships', { role_id: role.id, collection_id: body.id, group_id: mine.id });
    const other = await make(client, 'memberships', { role_id: teacher, collection_id: body.id, group_id: staff });
    const place = { siteId: producer.siteId, collectionId: body.id };
    const remove = (membershipId: string, roleId: string) =>
      producer.engine.call('access.remove', { ...place, membershipId, roleId });
    const refusal = { code: 'admin.own-group-role' };
    await expect(remove(own.id, role.id)).rejects.toMatchObject(refusal);
    const less = producer.engine.call('access.set', { ...place, subject: group(mine.id), roleId: teacher });
    await expect(less).rejects.toMatchObject(refusal);
    expect(await holdersIn(body.id)).toContain(`group ${mine.id}`);
    await remove(other.id, teacher);
    expect(await holdersIn(body.id)).not.toContain(`group ${staff}`);
    // With the same role directly, the group's is not needed.
    await make(client, 'memberships', { role_id: role.id, collection_id: body.id, user_id: producerId });
    await remove(own.id, role.id);
    expect(await holdersIn(body.id)).not.toContain(`group ${mine.id}`);
  });

  it('takes the role of a group away where it keeps the role or is not in the group, and only there', async () => {
    const producer = await openEngineAs(service, 'producer');
    const producerId = (await client.get('/api2/users?email_address=producer@library.example')).body.items[0].id;
    const sharing = ['collection-read', 'collection-update', 'collection-share', 'media-read'];
    const role = await make(client, 'roles', { display_name: 'Sharer of both', permissions: sharing });
    const collection = async (display_name: string, parent_id: string): Promise<string> =>
      (await client.post('/api2/collections', { display_name, parent_id, inherit_memberships: parent_id !== '1' })).body
        .id;
    const [top, elsewhere] = [await collection('Sharing top', '1'), await collection('Sharing elsewhere', '1')];
    const below = await collection('Sharing below', top);
    const [mine, other] = [
      await make(client, 'groups', { display_name: 'With the producer' }),
      await make(client, 'groups', { display_name: 'Without the producer' }),
    ];
    await client.post(`/api2/groups/${mine.id}/add-users`, { user_ids: [producerId] });
    const give = (collection_id: string, holder: object, role_id = role.id) =>
      make(client, 'memberships', { role_id, collection_id, ...holder });
    const remove = (collectionId: string, membershipId: string) =>
      producer.engine.call('access.remove', { siteId: producer.siteId, collectionId, membershipId, roleId: role.id });
    const refusal = { code: 'admin.own-group-role' };

    // Both groups could be the one by which the account has the role.
    const byMine = await give(below, { group_id: mine.id });
    const byOther = await give(below, { group_id: other.id });
    await expect(remove(below, byOther.id)).rejects.toMatchObject(refusal);
    // The library counts a role of the other group elsewhere, and not for this account.
    await give(elsewhere, { user_id: producerId });
    await give(elsewhere, { group_id: other.id }, teacher);
    await remove(below, byOther.id);
    expect(await holdersIn(below)).toEqual([`group ${mine.id}`]);
    await expect(remove(below, byMine.id)).rejects.toMatchObject(refusal);
    // The same group has the role above, from which the collection inherits.
    const above = await give(top, { group_id: mine.id });
    await remove(below, byMine.id);
    expect(await holdersIn(below)).toEqual([]);
    await expect(remove(top, above.id)).rejects.toMatchObject(refusal);
    // The account has the role itself above.
    await give(top, { user_id: producerId });
    const again = await give(below, { group_id: mine.id });
    await remove(below, again.id);
    await remove(top, above.id);
    expect(await holdersIn(top)).toEqual([`user ${producerId}`]);
    // A collection that does not inherit counts nothing from above.
    await client.post(`/api2/collections/${below}`, { inherit_memberships: false });
    const alone = await give(below, { group_id: mine.id });
    await expect(remove(below, alone.id)).rejects.toMatchObject(refusal);
  });
});

it('users and groups of the same name are marked where they are found, and others are not', async () => {
  const [one, other] = [
    await make(client, 'groups', { display_name: 'Namesakes' }),
    await make(client, 'groups', { display_name: 'namesakes\u200f ' }),
  ];
  await make(client, 'groups', { display_name: 'Namesakes of nobody' });
  for (const email_address of ['t1@same.example', 't2@same.example']) {
    await make(client, 'users', { first_name: 'Namesakes', last_name: 'Twin', email_address });
  }
  await engine.call('admin.read', { siteId, isFresh: true });
  const found = await engine.call('access.subjects', { siteId, text: 'namesakes', limit: 20 });
  const marked = found.filter(({ isNamesake }) => isNamesake).map(({ subject: { id }, detail }) => detail || id);
  expect(marked.toSorted()).toEqual([one.id, other.id, 't1@same.example', 't2@same.example'].toSorted());
  expect(found).toHaveLength(5);
});
