import { describe, expect, test } from 'vitest';
import { clientFor, sendForm } from '../../../helpers/service/service-client.ts';
import { serviceOfFile } from '../../../helpers/service/service-of-file.ts';
import { idsOf, make, newcomer, person } from '../../../helpers/service/service-people.ts';
import { png } from '../../../helpers/service/service-samples.ts';
import { signIn } from '../../../helpers/service/service-sign-in.ts';
import { databaseContent } from '../../../helpers/service/test-database.ts';

const USERS = '/api2/users';
const service = await serviceOfFile();
const admin = await clientFor(service);

const create = (fields?: Record<string, unknown>) => make(admin, 'users', fields);
const createGroup = async (name = 'Group'): Promise<string> => (await make(admin, 'groups', { display_name: name })).id;
const found = (query: Record<string, string>) => idsOf(admin, USERS, query);

describe('a user', () => {
  test('is refused with 409 when its e-mail address (in any case) or its unique_id is in use', async () => {
    await create({ email_address: 'taken@here.example', unique_id: 'key-taken' });
    expect((await admin.post(USERS, person({ email_address: 'Taken@HERE.example' }))).status).toBe(409);
    expect((await admin.post(USERS, person({ unique_id: 'key-taken' }))).status).toBe(409);
    expect((await admin.post(`${USERS}/${(await create()).id}`, { unique_id: 'key-taken' })).status).toBe(409);
  });

  test('has a password that is neither in answers nor in the database files and the log', async () => {
    const { id } = await create({ password: 'plain-to-see-42' });
    expect((await admin.get(`${USERS}/${id}`)).text).not.toContain('scrypt');
    expect((await databaseContent(service.dataDir)).includes('plain-to-see-42')).toBe(false);
    expect(service.log()).not.toContain('plain-to-see-42');
  });

  test('includes its groups and thumbs when requested', async () => {
    const { id } = await create();
    const group = await createGroup('Joined');
    await admin.post(`${USERS}/${id}/add-groups`, { group_ids: [group] });
    const upload = await admin.post(`${USERS}/${id}/thumbs`, { upload_name: 'me.png', upload_size: png().length });
    await sendForm(upload.body.upload, 'me.png', png());
    const { body } = await admin.get(`${USERS}/${id}?joins=groups,thumbs`);
    expect(body.groups.map((each: { display_name: string }) => each.display_name)).toEqual([
      'Joined',
      'Public',
      'Registered users',
    ]);
    expect(body.thumbs).toHaveLength(1);
    expect((await admin.get(`${USERS}?joins=groups&group_id=${group}`)).body.items[0].groups).toHaveLength(3);
    expect((await admin.get(`${USERS}/${id}`)).body.groups).toBeUndefined();
  });

  test('has the groups of group_ids after an update, and no others', async () => {
    const [{ id }, one, two] = [await create(), await createGroup('One'), await createGroup('Two')];
    await admin.post(`${USERS}/${id}`, { group_ids: [one] });
    expect(await found({ group_id: one })).toEqual([id]);
    await admin.post(`${USERS}/${id}`, { group_ids: [two] });
    expect([await found({ group_id: one }), await found({ group_id: two })]).toEqual([[], [id]]);
    await admin.post(`${USERS}/${id}`, { group_ids: [] });
    expect(await found({ group_id: two })).toEqual([]);
  });
});

describe('the list', () => {
  test('filters by unique_id, with % as the only wildcard', async () => {
    const one = await create({ unique_id: 'w_1:left', last_name: 'A' });
    const two = await create({ unique_id: 'wx1:right', last_name: 'B' });
    expect(await found({ unique_id: 'w_1%' })).toEqual([one.id]);
    expect(await found({ unique_id: 'w%1:%t' })).toEqual([one.id, two.id]);
    expect(await found({ unique_id: '%:right' })).toEqual([two.id]);
    expect(await found({ unique_id: 'W_1%' })).toEqual([]);
    expect((await found({ unique_id: '%' })).length).toBe((await found({})).length);
    expect(await found({ unique_id: `${'%a'.repeat(2000)}` })).toEqual([]);
  });

  test('filters by last login, without the instant itself, and without users who never signed in', async () => {
    await create({ email_address: 'login@here.example', password: 'pass-word-2' });
    const never = await create();
    await signIn(service, { email: 'login@here.example', password: 'pass-word-2' });
    const [user] = (await admin.get(`${USERS}?email_address=login@here.example`)).body.items;
    const at = Date.parse(user.last_login_date);
    const text = (seconds: number) => new Date(at + seconds * 1000).toISOString().slice(0, 19);
    const has = async (query: Record<string, string>) => (await found(query)).includes(user.id);
    expect(await has({ last_login_after: text(-1), last_login_before: text(1) })).toBe(true);
    expect(await has({ last_login_after: text(0) })).toBe(false);
    expect(await has({ last_login_before: text(0) })).toBe(false);
    expect(await found({ last_login_before: '2100-01-01' })).not.toContain(never.id);
  });
});

describe('a deletion', () => {
  test('keeps what the user created', async () => {
    const { id, client } = await newcomer(service, admin, { is_admin: true });
    const item = await client.createItem('Left behind');
    await admin.delete(`${USERS}/${id}`);
    expect((await admin.get(item)).body.title).toBe('Left behind');
  });

  test('deletes the thumbnails of the user from the disk', async () => {
    const { id } = await create();
    const upload = await admin.post(`${USERS}/${id}/thumbs`, { upload_name: 'me.png', upload_size: png().length });
    await sendForm(upload.body.upload, 'me.png', png());
    const [{ content_url }] = (await admin.get(`${USERS}/${id}/thumbs`)).body.items;
    expect((await fetch(content_url)).status).toBe(200);
    await admin.delete(`${USERS}/${id}`);
    expect((await fetch(content_url)).status).toBe(404);
  });

  test.each(['unique_id=', 'uniqueid=x', 'per_page=1', 'is_admin=2', 'last_login_before=soon'])(
    'in bulk is refused for %s, which would delete more users than intended',
    async (query) => {
      const before = await found({});
      expect((await admin.delete(`${USERS}/bulk-delete?${query}`)).status).toBe(422);
      expect(await found({})).toEqual(before);
    },
  );
});

test('the last administrator can be neither deleted nor demoted', async () => {
  const { user_id } = (await admin.get('/api2/oauth/tokeninfo')).body;
  expect((await admin.delete(`${USERS}/bulk-delete?is_admin=1`)).status).toBe(204);
  expect(await found({ is_admin: '1' })).toEqual([user_id]);
  expect((await admin.delete(`${USERS}/${user_id}`)).status).toBe(409);
  expect((await admin.post(`${USERS}/${user_id}`, { is_admin: false })).status).toBe(409);
  expect(await found({ is_admin: '1' })).toEqual([user_id]);
});
