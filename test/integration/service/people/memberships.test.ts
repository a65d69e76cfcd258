import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { membershipSchema } from '../../../../shared/api/people.ts';
import { listEnvelope } from '../../../../shared/api/wire.ts';
import { type Answer, clientFor, clientWith, type ServiceClient } from '../../../helpers/service/service-client.ts';
import { idsOf, make } from '../../../helpers/service/service-people.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';
import { signIn } from '../../../helpers/service/service-sign-in.ts';

const MEMBERSHIPS = '/api2/memberships';
let service: ServiceProcess;
let admin: ServiceClient;
/** Ids of a role with media-read and of one with media-play. */
let reader: string;
let player: string;
let made = 0;

beforeAll(async () => {
  service = await startService();
  admin = await clientFor(service);
  reader = await createRole('Reader', ['collection-read', 'media-read']);
  player = await createRole('Player', ['collection-read', 'media-read', 'media-play']);
});
afterAll(() => service.stop());

const createRole = async (display_name: string, permissions: string[]): Promise<string> =>
  (await make(admin, 'roles', { display_name, permissions })).id;
const createGroup = async (): Promise<string> => (await make(admin, 'groups', { display_name: 'Group' })).id;
const createUser = async (fields?: Record<string, unknown>): Promise<string> => (await make(admin, 'users', fields)).id;
const found = (query?: Record<string, string>) => idsOf(admin, MEMBERSHIPS, query);
const give = (fields: Record<string, unknown>) => make(admin, 'memberships', fields);

/** A new collection; it inherits no memberships by default. */
async function createCollection(parent_id = '1', inherit_memberships = false): Promise<string> {
  made += 1;
  const answer = await admin.post('/api2/collections', { display_name: `C${made}`, parent_id, inherit_memberships });
  return answer.body.id;
}

/** A signed-in user without any role. */
async function someone(): Promise<{ id: string; client: ServiceClient }> {
  made += 1;
  const [email, password] = [`m${made}@here.example`, `pass-word-${made}`];
  const id = await createUser({ email_address: email, password });
  return { id, client: clientWith(service, await signIn(service, { email, password })) };
}

describe('a membership', () => {
  test('of a user is created with 201 and a Location, and has every field of the API', async () => {
    const [user_id, collection_id] = [await createUser(), await createCollection()];
    const answer = await admin.post(MEMBERSHIPS, { user_id, collection_id, role_id: reader });
    expect([answer.status, answer.location]).toEqual([201, `${MEMBERSHIPS}/${answer.body.id}`]);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^\d+$/),
      group: null,
      user: { id: user_id, display_name: 'Pat Doe' },
      collection: { id: collection_id, display_name: `C${made}` },
      role: { id: reader, display_name: 'Reader' },
      created_on: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      modified_on: expect.stringMatching(/Z$/),
      links: { self: answer.location },
    });
    expect((await admin.get(answer.location)).body).toEqual(answer.body);
  });

  test('of a group names the group and no user', async () => {
    const [group_id, collection_id] = [await createGroup(), await createCollection()];
    const body = await give({ group_id, user_id: null, collection_id, role_id: reader });
    expect(body).toMatchObject({ group: { id: group_id, display_name: 'Group' }, user: null });
  });

  test('replaces the earlier one of the same user or group in the same collection', async () => {
    const [user_id, group_id] = [await createUser(), await createGroup()];
    const [collection_id, other] = [await createCollection(), await createCollection()];
    for (const who of [{ user_id }, { group_id }] as Record<string, string>[]) {
      const first = await give({ ...who, collection_id, role_id: reader });
      const elsewhere = await give({ ...who, collection_id: other, role_id: reader });
      const second = await give({ ...who, collection_id, role_id: player });
      expect(await found(who)).toEqual([elsewhere.id, second.id]);
      expect((await admin.get(`${MEMBERSHIPS}/${first.id}`)).status).toBe(404);
      expect((await admin.get(`${MEMBERSHIPS}/${second.id}`)).body.role.id).toBe(player);
    }
    expect(await found({ collection_id })).toHaveLength(2);
  });

  test('of both a user and a group, or of neither, is 400', async () => {
    const [user_id, group_id, collection_id] = [await createUser(), await createGroup(), await createCollection()];
    const rest = { collection_id, role_id: reader };
    expect((await admin.post(MEMBERSHIPS, { ...rest, user_id, group_id })).status).toBe(400);
    expect((await admin.post(MEMBERSHIPS, { user_id, group_id })).status).toBe(400);
    expect((await admin.post(MEMBERSHIPS, rest)).status).toBe(400);
    expect((await admin.post(MEMBERSHIPS, { ...rest, user_id: null, group_id: null })).status).toBe(400);
    expect(await found({ collection_id })).toEqual([]);
  });

  test.each([
    ['role_id', undefined],
    ['collection_id', undefined],
    ['role_id', '99999'],
    ['collection_id', '99999'],
    ['user_id', '99999'],
    ['user_id', 'x'],
    ['role_id', {}],
    ['collection_id', null],
  ])('is refused with 422 when %s is %j', async (field, value) => {
    const fields = { user_id: await createUser(), collection_id: await createCollection(), role_id: reader };
    const answer = await admin.post(MEMBERSHIPS, { ...fields, [field]: value });
    expect([answer.status, answer.body.errors?.[0].field]).toEqual([422, field]);
  });

  test('can be updated with 200: the role alone, or the role with the user or group', async () => {
    const [user_id, group_id, collection_id] = [await createUser(), await createGroup(), await createCollection()];
    const { id } = await give({ user_id, collection_id, role_id: reader });
    const path = `${MEMBERSHIPS}/${id}`;
    const updated = await admin.post(path, { role_id: player });
    expect([updated.status, updated.body.role.id, updated.body.user.id]).toEqual([200, player, user_id]);
    const moved = await admin.post(path, { role_id: player, group_id });
    expect([moved.status, moved.body.user, moved.body.group.id]).toEqual([200, null, group_id]);
    expect((await admin.get(path)).body).toEqual(moved.body);
  });

  test('that is given to another user replaces the membership of that user in the collection', async () => {
    const [one, two, collection_id] = [await createUser(), await createUser(), await createCollection()];
    const first = await give({ user_id: one, collection_id, role_id: reader });
    await give({ user_id: two, collection_id, role_id: reader });
    expect((await admin.post(`${MEMBERSHIPS}/${first.id}`, { role_id: player, user_id: two })).status).toBe(200);
    expect(await found({ collection_id })).toEqual([first.id]);
    expect(await found({ user_id: two })).toEqual([first.id]);
  });

  test('cannot be updated without a role (422) or with both a user and a group (400)', async () => {
    const [user_id, group_id, collection_id] = [await createUser(), await createGroup(), await createCollection()];
    const { id } = await give({ user_id, collection_id, role_id: reader });
    const update = (body: unknown) => admin.post(`${MEMBERSHIPS}/${id}`, body);
    expect((await update({})).status).toBe(422);
    expect((await update({ role_id: '99999' })).status).toBe(422);
    expect((await update({ role_id: player, user_id: '99999' })).status).toBe(422);
    expect((await update({ role_id: player, user_id, group_id })).status).toBe(400);
    expect((await update({ user_id, group_id })).status).toBe(400);
    expect((await admin.get(`${MEMBERSHIPS}/${id}`)).body.role.id).toBe(reader);
  });

  test('is deleted with 204, also repeatedly', async () => {
    const { id } = await give({
      user_id: await createUser(),
      collection_id: await createCollection(),
      role_id: reader,
    });
    for (const again of [id, id, '99999', 'x'])
      expect((await admin.delete(`${MEMBERSHIPS}/${again}`)).status).toBe(204);
    expect((await admin.get(`${MEMBERSHIPS}/${id}`)).status).toBe(404);
  });

  test('is deleted with its user, its group and its collection', async () => {
    const [user_id, group_id, collection_id] = [await createUser(), await createGroup(), await createCollection()];
    await give({ user_id, collection_id, role_id: reader });
    await give({ group_id, collection_id, role_id: reader });
    await admin.delete(`/api2/users/${user_id}`);
    expect(await found({ collection_id })).toHaveLength(1);
    await admin.delete(`/api2/groups/${group_id}`);
    expect(await found({ collection_id })).toEqual([]);
    await give({ user_id: await createUser(), collection_id, role_id: player });
    await admin.delete(`/api2/collections/${collection_id}`);
    expect(await found({ collection_id })).toEqual([]);
  });

  test.each(['0', '99999', 'x'])('is 404 with the id %s', async (id) => {
    expect((await admin.get(`${MEMBERSHIPS}/${id}`)).status).toBe(404);
    expect((await admin.post(`${MEMBERSHIPS}/${id}`, { role_id: reader })).status).toBe(404);
  });
});

describe('the list', () => {
  test('filters by user, group, collection and role, separately and together', async () => {
    const [user_id, group_id] = [await createUser(), await createGroup()];
    const [one, two] = [await createCollection(), await createCollection()];
    const role_id = await createRole('Listed', ['collection-read']);
    const a = await give({ user_id, collection_id: one, role_id });
    const b = await give({ user_id, collection_id: two, role_id: reader });
    const c = await give({ group_id, collection_id: two, role_id });
    expect(await found({ user_id })).toEqual([a.id, b.id]);
    expect(await found({ group_id })).toEqual([c.id]);
    expect(await found({ collection_id: two })).toEqual([b.id, c.id]);
    expect(await found({ role_id })).toEqual([a.id, c.id]);
    expect(await found({ role_id, user_id })).toEqual([a.id]);
    expect(await found({ user_id, group_id })).toEqual([]);
    expect(await found({ user_id: 'x' })).toEqual([]);
  });

  test('is paged, and its links lead through all of it', async () => {
    const collection_id = await createCollection();
    const made: string[] = [];
    for (let round = 0; round < 5; round += 1) {
      made.push((await give({ user_id: await createUser(), collection_id, role_id: reader })).id);
    }
    const walked: string[] = [];
    let next: string | null = `${MEMBERSHIPS}?collection_id=${collection_id}&per_page=2`;
    while (next) {
      const { body }: Answer = await admin.get(next);
      listEnvelope(membershipSchema).parse(body);
      walked.push(...body.items.map((item: { id: string }) => item.id));
      next = body.links.next;
    }
    expect(walked).toEqual(made);
  });
});

describe('the rights of a membership', () => {
  const lists = async (client: ServiceClient, collection: string, item: string) => [
    (await idsOf(client, '/api2/collections', { per_page: '200' })).includes(collection),
    (await idsOf(client, '/api2/media', { collection_id: collection })).includes(item),
    JSON.stringify((await client.get('/api2/collections/tree')).body).includes(`"id":"${collection}"`),
  ];
  const [nothing, everything] = [
    [false, false, false],
    [true, true, true],
  ];

  test.each(['user', 'group'])('apply to lists and the tree from the next request on, for a %s', async (whose) => {
    const { id, client } = await someone();
    const collection_id = await createCollection();
    const path = await admin.createItem('Inside', { collection_id });
    await admin.post(`${path}/publish`);
    const item = path.split('/').at(-1) ?? '';
    const group_id = await createGroup();
    await admin.post(`/api2/groups/${group_id}/add-users`, { user_ids: [id] });
    const who = whose === 'user' ? { user_id: id } : { group_id };
    expect(await lists(client, collection_id, item)).toEqual(nothing);
    const membership = await give({ ...who, collection_id, role_id: reader });
    expect(await lists(client, collection_id, item)).toEqual(everything);
    await admin.post(`${MEMBERSHIPS}/${membership.id}`, { role_id: await createRole('None', []) });
    expect(await lists(client, collection_id, item)).toEqual(nothing);
    await admin.post(`${MEMBERSHIPS}/${membership.id}`, { role_id: player });
    expect(await lists(client, collection_id, item)).toEqual(everything);
    await admin.delete(`${MEMBERSHIPS}/${membership.id}`);
    expect(await lists(client, collection_id, item)).toEqual(nothing);
  });

  test.each(['public', 'registered-users'])('extend to everyone through the built-in group %s', async (name) => {
    const { client } = await someone();
    const [collection_id, group] = [await createCollection(), (await admin.get(`/api2/groups/${name}`)).body];
    const sees = async () => (await client.get(`/api2/collections/${collection_id}`)).status;
    expect(await sees()).toBe(404);
    const { id } = await give({ group_id: group.id, collection_id, role_id: reader });
    expect(await sees()).toBe(200);
    await admin.delete(`${MEMBERSHIPS}/${id}`);
    expect(await sees()).toBe(404);
  });

  test('are inherited by subcollections with inherit_memberships, also after this setting changed and after a move', async () => {
    const { id, client } = await someone();
    const top = await createCollection();
    const [open, closed] = [await createCollection(top, true), await createCollection(top, false)];
    const below = await createCollection(closed, true);
    await give({ user_id: id, collection_id: top, role_id: reader });
    const sees = async () => {
      const ids = await idsOf(client, '/api2/collections', { per_page: '200' });
      return [top, open, closed, below].map((each) => ids.includes(each));
    };
    expect(await sees()).toEqual([true, true, false, false]);
    await admin.post(`/api2/collections/${closed}`, { inherit_memberships: true });
    expect(await sees()).toEqual([true, true, true, true]);
    await admin.post(`/api2/collections/${open}`, { inherit_memberships: false });
    expect(await sees()).toEqual([true, false, true, true]);
    await admin.post(`/api2/collections/${below}/move`, { new_parent_id: open });
    expect(await sees()).toEqual([true, false, true, false]);
  });
});
