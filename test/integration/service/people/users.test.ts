import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientFor, clientWith, type ServiceClient, sendForm } from '../../../helpers/service/service-client.ts';
import { idsOf, make, person } from '../../../helpers/service/service-people.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';
import { png } from '../../../helpers/service/service-samples.ts';
import { signIn } from '../../../helpers/service/service-sign-in.ts';

const USERS = '/api2/users';
let service: ServiceProcess;
let admin: ServiceClient;

beforeAll(async () => {
  service = await startService();
  admin = await clientFor(service);
});
afterAll(() => service.stop());

const create = (fields?: Record<string, unknown>) => make(admin, 'users', fields);
const createGroup = async (name = 'Group'): Promise<string> => (await make(admin, 'groups', { display_name: name })).id;
const found = (query: Record<string, string>) => idsOf(admin, USERS, query);

describe('a user', () => {
  test('is created with 201, a Location, and every field of the API but the link to thumbs', async () => {
    const answer = await admin.post(USERS, person({ email_address: 'new@here.example' }));
    expect([answer.status, answer.location]).toEqual([201, `${USERS}/${answer.body.id}`]);
    const expected = {
      id: expect.stringMatching(/^\d+$/),
      is_admin: false,
      email_address: 'new@here.example',
      display_name: 'Pat Doe',
      unique_id: 'basic:new@here.example',
      created_on: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      modified_on: expect.stringMatching(/Z$/),
      last_login_date: null,
      links: { self: answer.location, groups: `/api2/groups?user_id=${answer.body.id}` },
    };
    expect(answer.body).toEqual(expected);
    const read = await admin.get(answer.location);
    expect(read.body).toEqual({ ...expected, links: { ...expected.links, thumbs: `${answer.location}/thumbs` } });
    for (const link of Object.values(read.body.links)) expect((await admin.get(link as string)).status).toBe(200);
    expect(read.text).not.toContain('scrypt');
  });

  test.each(['is_admin', 'email_address', 'first_name', 'last_name'])('requires %s', async (field) => {
    const answer = await admin.post(USERS, { ...person(), [field]: undefined });
    expect([answer.status, answer.body.errors]).toEqual([422, [{ field, message: 'is required' }]]);
  });

  test.each([
    [{ is_admin: 'yes' }, 'is_admin'],
    [{ email_address: 'nobody' }, 'email_address'],
    [{ email_address: 'a b@c.example' }, 'email_address'],
    [{ email_address: null }, 'email_address'],
    [{ first_name: '' }, 'first_name'],
    [{ last_name: 'a\u0000b' }, 'last_name'],
    [{ last_name: 'x'.repeat(300) }, 'last_name'],
    [{ password: '' }, 'password'],
    [{ password: 5 }, 'password'],
    [{ unique_id: 'x'.repeat(301) }, 'unique_id'],
  ])('is refused with 422 for %j', async (fields, field) => {
    const answer = await admin.post(USERS, person(fields));
    expect(answer.status).toBe(422);
    expect(answer.body.errors.map((error: { field: string }) => error.field)).toContain(field);
  });

  test('is refused with 409 when its e-mail address (in any case) or its unique_id is in use', async () => {
    await create({ email_address: 'taken@here.example', unique_id: 'key-taken' });
    expect((await admin.post(USERS, person({ email_address: 'Taken@HERE.example' }))).status).toBe(409);
    expect((await admin.post(USERS, person({ unique_id: 'key-taken' }))).status).toBe(409);
  });

  test('signs in with the given password, and has the given rights', async () => {
    await create({ email_address: 'in@here.example', password: 'Correct horse 7', is_admin: true });
    const self = clientWith(service, await signIn(service, { email: 'in@here.example', password: 'Correct horse 7' }));
    expect((await self.get(USERS)).status).toBe(200);
    const [user] = (await self.get(`${USERS}?email_address=in@here.example`)).body.items;
    expect(user.last_login_date).toMatch(/Z$/);
    await expect(signIn(service, { email: 'in@here.example', password: 'wrong' })).rejects.toThrow();
  });

  test('cannot sign in when it has no password', async () => {
    await create({ email_address: 'none@here.example' });
    for (const password of ['', 'null', service.admin.password]) {
      await expect(signIn(service, { email: 'none@here.example', password })).rejects.toThrow();
    }
  });

  test('has a password that is neither in the database files nor in the log', async () => {
    await create({ password: 'plain-to-see-42' });
    const { readFile } = await import('node:fs/promises');
    for (const name of ['library.sqlite', 'library.sqlite-wal']) {
      expect((await readFile(`${service.dataDir}/${name}`)).includes('plain-to-see-42')).toBe(false);
    }
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

  test.each(['0', '99999', 'x', '-1', 'bulk-delete'])('is 404 with the id %s', async (id) => {
    expect((await admin.get(`${USERS}/${id}`)).status).toBe(404);
    expect((await admin.post(`${USERS}/${id}`, {})).status).toBe(404);
    expect((await admin.post(`${USERS}/${id}/add-groups`, { group_ids: [] })).status).toBe(404);
  });
});

describe('an update', () => {
  test('saves the given fields and keeps the others', async () => {
    const { id } = await create({ is_admin: true });
    const before = (await admin.get(`${USERS}/${id}`)).body;
    expect((await admin.post(`${USERS}/${id}`, { unique_id: `sso:${id}` })).body).toEqual({
      ...before,
      unique_id: `sso:${id}`,
      modified_on: expect.any(String),
    });
    await admin.post(`${USERS}/${id}`, { is_admin: false });
    expect((await admin.get(`${USERS}/${id}`)).body).toMatchObject({ is_admin: false, unique_id: `sso:${id}` });
  });

  test('replaces the groups by those in group_ids', async () => {
    const [{ id }, one, two] = [await create(), await createGroup('One'), await createGroup('Two')];
    await admin.post(`${USERS}/${id}`, { group_ids: [one] });
    expect(await found({ group_id: one })).toEqual([id]);
    await admin.post(`${USERS}/${id}`, { group_ids: [two] });
    expect([await found({ group_id: one }), await found({ group_id: two })]).toEqual([[], [id]]);
    await admin.post(`${USERS}/${id}`, { group_ids: [] });
    expect(await found({ group_id: two })).toEqual([]);
  });

  test('is refused for a unique_id in use, for unknown groups and for wrong types', async () => {
    const [{ id }, other] = [await create(), await create()];
    expect((await admin.post(`${USERS}/${id}`, { unique_id: other.unique_id })).status).toBe(409);
    for (const body of [{ is_admin: 'x' }, { unique_id: '' }, { group_ids: ['99999'] }, { group_ids: 'x' }]) {
      expect((await admin.post(`${USERS}/${id}`, body)).status).toBe(422);
    }
  });

  test('makes an administrator, or demotes one, from the next request on', async () => {
    const { id } = await create({ email_address: 'rise@here.example', password: 'pass-word-1' });
    const self = clientWith(service, await signIn(service, { email: 'rise@here.example', password: 'pass-word-1' }));
    const statuses = [];
    for (const is_admin of [false, true, false]) {
      await admin.post(`${USERS}/${id}`, { is_admin });
      statuses.push((await self.get(USERS)).status);
    }
    expect(statuses).toEqual([403, 200, 403]);
  });
});

describe('groups of a user', () => {
  test('are added and removed without an effect on the others', async () => {
    const { id } = await create();
    const [one, two] = [await createGroup('First'), await createGroup('Second')];
    const act = (action: string, group_ids: string[]) => admin.post(`${USERS}/${id}/${action}`, { group_ids });
    expect((await act('add-groups', [one, two, two])).status).toBe(200);
    expect((await act('add-groups', [one])).status).toBe(200);
    expect([await found({ group_id: one }), await found({ group_id: two })]).toEqual([[id], [id]]);
    expect((await act('remove-groups', [one, '99999', 'x'])).status).toBe(200);
    expect([await found({ group_id: one }), await found({ group_id: two })]).toEqual([[], [id]]);
  });

  test('must be given, and must exist to be added', async () => {
    const { id } = await create();
    for (const action of ['add-groups', 'remove-groups']) {
      expect((await admin.post(`${USERS}/${id}/${action}`, {})).status).toBe(422);
      expect((await admin.post(`${USERS}/${id}/${action}`, { group_ids: 'x' })).status).toBe(422);
      expect((await admin.post(`${USERS}/${id}/${action}`, { group_ids: [null] })).status).toBe(422);
    }
    const known = await createGroup('Known');
    const answer = await admin.post(`${USERS}/${id}/add-groups`, { group_ids: [known, '99999'] });
    expect([answer.status, answer.body.errors[0].field]).toEqual([422, 'group_ids.1']);
    expect(await found({ group_id: known })).toEqual([]);
  });
});

test('administrators alone may use users, even their own account', async () => {
  const viewer = await clientFor(service, 'viewer');
  const tokenInfo = await viewer.get('/api2/oauth/tokeninfo');
  const own = `${USERS}/${tokenInfo.body.user_id}`;
  const before = (await admin.get(own)).body;
  const answers = [
    await viewer.get(USERS),
    await viewer.get(own),
    await viewer.get(`${USERS}/99999`),
    await viewer.post(USERS, person()),
    await viewer.post(own, { is_admin: true }),
    await viewer.post(`${own}/add-groups`, { group_ids: [] }),
    await viewer.post(`${own}/remove-groups`, { group_ids: [] }),
    await viewer.delete(own),
    await viewer.delete(`${USERS}/99999`),
    await viewer.delete(`${USERS}/bulk-delete?unique_id=x`),
  ];
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 403));
  expect((await admin.get(own)).body).toEqual(before);
});
