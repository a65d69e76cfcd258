import { describe, expect, test } from 'vitest';
import { type Answer, clientFor } from '../../../helpers/service/service-client.ts';
import { serviceOfFile } from '../../../helpers/service/service-of-file.ts';
import { idsOf, make, newcomer } from '../../../helpers/service/service-people.ts';

const MEMBERSHIPS = '/api2/memberships';
const service = await serviceOfFile();
const admin = await clientFor(service);
const createRole = async (display_name: string, permissions: string[]): Promise<string> =>
  (await make(admin, 'roles', { display_name, permissions })).id;

/** Ids of a role with media-read and of one with media-play. */
const reader = await createRole('Reader', ['collection-read', 'media-read']);
const player = await createRole('Player', ['collection-read', 'media-read', 'media-play']);
const createGroup = async (): Promise<string> => (await make(admin, 'groups', { display_name: 'Group' })).id;
const createUser = async (): Promise<string> => (await make(admin, 'users')).id;
const found = (query?: Record<string, string>) => idsOf(admin, MEMBERSHIPS, query);
const give = (fields: Record<string, unknown>) => make(admin, 'memberships', fields);

/** A new collection, which inherits no memberships. */
async function createCollection(): Promise<string> {
  const body = { display_name: 'C', parent_id: '1', inherit_memberships: false };
  return (await admin.post('/api2/collections', body)).body.id;
}

describe('a membership', () => {
  test('of both a user and a group, or of neither, is 400', async () => {
    const [user_id, group_id, collection_id] = [await createUser(), await createGroup(), await createCollection()];
    const rest = { collection_id, role_id: reader };
    expect((await admin.post(MEMBERSHIPS, { ...rest, user_id, group_id })).status).toBe(400);
    expect((await admin.post(MEMBERSHIPS, { user_id, group_id })).status).toBe(400);
    expect((await admin.post(MEMBERSHIPS, rest)).status).toBe(400);
    expect((await admin.post(MEMBERSHIPS, { ...rest, user_id: null, group_id: null })).status).toBe(400);
    expect(await found({ collection_id })).toEqual([]);
  });

  test('that is given to another user replaces the membership of that user in the collection', async () => {
    const [one, two, collection_id] = [await createUser(), await createUser(), await createCollection()];
    const first = await give({ user_id: one, collection_id, role_id: reader });
    await give({ user_id: two, collection_id, role_id: reader });
    expect((await admin.post(`${MEMBERSHIPS}/${first.id}`, { role_id: player, user_id: two })).status).toBe(200);
    expect(await found({ collection_id })).toEqual([first.id]);
    expect(await found({ user_id: two })).toEqual([first.id]);
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

  test('is in a list of pages, whose links lead through all of it', async () => {
    const collection_id = await createCollection();
    const made: string[] = [];
    for (let round = 0; round < 5; round += 1) {
      made.push((await give({ user_id: await createUser(), collection_id, role_id: reader })).id);
    }
    const walked: string[] = [];
    let next: string | null = `${MEMBERSHIPS}?collection_id=${collection_id}&per_page=2`;
    while (next) {
      const { body }: Answer = await admin.get(next);
      walked.push(...body.items.map((item: { id: string }) => item.id));
      next = body.links.next;
    }
    expect(walked).toEqual(made);
  });

  test.each(['public', 'registered-users'])('of the built-in group %s is that of everyone', async (name) => {
    const { client } = await newcomer(service, admin);
    const [collection_id, group] = [await createCollection(), (await admin.get(`/api2/groups/${name}`)).body];
    const sees = async () => (await client.get(`/api2/collections/${collection_id}`)).status;
    expect(await sees()).toBe(404);
    const { id } = await give({ group_id: group.id, collection_id, role_id: reader });
    expect(await sees()).toBe(200);
    await admin.delete(`${MEMBERSHIPS}/${id}`);
    expect(await sees()).toBe(404);
  });
});
