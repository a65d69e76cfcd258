import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { matchesWildcard } from '../../../../service/resources/users/user-filter.ts';
import { userSchema } from '../../../../shared/api/people.ts';
import { listEnvelope } from '../../../../shared/api/wire.ts';
import {
  type Answer,
  clientFor,
  clientWith,
  type ServiceClient,
  sendForm,
} from '../../../helpers/service/service-client.ts';
import { idsOf, make } from '../../../helpers/service/service-people.ts';
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

describe('the list', () => {
  test('contains all users in one envelope with self as its only link', async () => {
    const { body } = await admin.get(USERS);
    expect(body.links).toEqual({ self: USERS });
    listEnvelope(userSchema).parse(body);
    const all = body.items.map((user: { email_address: string }) => user.email_address);
    expect(all).toEqual(expect.arrayContaining(['admin@library.example', 'viewer@library.example']));
  });

  test('is paged when per_page is given', async () => {
    const all = await found({});
    const walked: string[] = [];
    let next: string | null = `${USERS}?per_page=3`;
    while (next) {
      const { body }: Answer = await admin.get(next);
      walked.push(...body.items.map((user: { id: string }) => user.id));
      next = body.links.next;
    }
    expect(walked).toEqual(all);
  });

  test('filters by is_admin, e-mail address and names, by exact values and in combination', async () => {
    const one = await create({ email_address: 'f1@here.example', first_name: 'Filter', last_name: 'One' });
    const two = await create({
      email_address: 'f2@here.example',
      first_name: 'Filter',
      last_name: 'Two',
      is_admin: true,
    });
    expect(await found({ first_name: 'Filter' })).toEqual([one.id, two.id]);
    expect(await found({ first_name: 'Filter', is_admin: '1' })).toEqual([two.id]);
    expect(await found({ first_name: 'Filter', is_admin: '0' })).toEqual([one.id]);
    expect(await found({ last_name: 'Two' })).toEqual([two.id]);
    expect(await found({ email_address: 'f1@here.example' })).toEqual([one.id]);
    for (const query of [{ first_name: 'Filte' }, { last_name: 'two' }, { email_address: 'f1@here' }]) {
      expect(await found(query as unknown as Record<string, string>)).toEqual([]);
    }
    expect((await admin.get(`${USERS}?is_admin=maybe`)).status).toBe(422);
  });

  test('filters by unique_id, with % as the only wildcard', async () => {
    const one = await create({ unique_id: 'w_1:left', last_name: 'A' });
    const two = await create({ unique_id: 'wx1:right', last_name: 'B' });
    expect(await found({ unique_id: 'w_1:left' })).toEqual([one.id]);
    expect(await found({ unique_id: 'w_1%' })).toEqual([one.id]);
    expect(await found({ unique_id: 'w%1:%t' })).toEqual([one.id, two.id]);
    expect(await found({ unique_id: '%:right' })).toEqual([two.id]);
    expect(await found({ unique_id: 'W_1%' })).toEqual([]);
    expect((await found({ unique_id: '%' })).length).toBe((await found({})).length);
    expect(await found({ unique_id: `${'%a'.repeat(2000)}` })).toEqual([]);
  });

  test('filters by group; every user is in the two built-in groups', async () => {
    const group = await createGroup('Filter');
    const { id } = await create();
    await admin.post(`/api2/groups/${group}/add-users`, { user_ids: [id] });
    expect(await found({ group_id: group })).toEqual([id]);
    for (const name of ['public', 'registered-users']) {
      const builtIn = (await admin.get(`/api2/groups/${name}`)).body;
      expect(await found({ group_id: builtIn.id })).toEqual(await found({}));
    }
    expect(await found({ group_id: '99999' })).toEqual([]);
  });

  test('filters by last login; an instant without a zone is UTC, and users who never signed in match no filter', async () => {
    await create({ email_address: 'login@here.example', password: 'pass-word-2' });
    const never = await create();
    await signIn(service, { email: 'login@here.example', password: 'pass-word-2' });
    const [user] = (await admin.get(`${USERS}?email_address=login@here.example`)).body.items;
    const at = Date.parse(user.last_login_date);
    const text = (seconds: number) => new Date(at + seconds * 1000).toISOString().slice(0, 19);
    const has = async (query: Record<string, string>) => (await found(query)).includes(user.id);
    expect(await has({ last_login_after: text(-1), last_login_before: text(1) })).toBe(true);
    expect(await has({ last_login_after: `${text(-1)}Z` })).toBe(true);
    expect(await has({ last_login_after: text(0) })).toBe(false);
    expect(await has({ last_login_before: text(0) })).toBe(false);
    expect(
      await has({ last_login_after: `${text(7200 - 1)}+02:00`, last_login_before: `${text(7200 + 1)}+02:00` }),
    ).toBe(true);
    expect(await has({ last_login_after: `${text(-1)}-01:00` })).toBe(false);
    expect(await found({ last_login_before: '2100-01-01' })).not.toContain(never.id);
    expect((await admin.get(`${USERS}?last_login_after=yesterday`)).status).toBe(422);
  });
});

describe('a deletion', () => {
  test('answers 204, also repeatedly, and deletes the tokens of the user', async () => {
    const { id } = await create({ email_address: 'gone@here.example', password: 'pass-word-3' });
    const self = clientWith(service, await signIn(service, { email: 'gone@here.example', password: 'pass-word-3' }));
    expect((await self.get('/api2/collections')).status).toBe(200);
    expect((await admin.delete(`${USERS}/${id}`)).status).toBe(204);
    expect((await admin.get(`${USERS}/${id}`)).status).toBe(404);
    expect((await self.get('/api2/collections')).status).toBe(401);
    for (const again of [id, '99999', 'x']) expect((await admin.delete(`${USERS}/${again}`)).status).toBe(204);
  });

  test('keeps what the user created', async () => {
    const { id } = await create({ email_address: 'maker@here.example', password: 'pass-word-4', is_admin: true });
    const self = clientWith(service, await signIn(service, { email: 'maker@here.example', password: 'pass-word-4' }));
    const item = await self.createItem('Left behind');
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

  test('in bulk deletes exactly the users that the same filters list', async () => {
    const group = await createGroup('Bulk');
    const users = [await create({ unique_id: 'bulk-1' }), await create({ unique_id: 'bulk-2', is_admin: true })];
    const kept = await create({ unique_id: 'kept-bulk' });
    await admin.post(`/api2/groups/${group}/add-users`, { user_ids: [users[0]?.id] });
    const before = (await found({})).length;
    expect((await admin.delete(`${USERS}/bulk-delete?unique_id=bulk-%25&is_admin=1`)).status).toBe(204);
    expect(await found({ unique_id: 'bulk-%' })).toEqual([users[0]?.id]);
    expect((await admin.delete(`${USERS}/bulk-delete?group_id=${group}`)).status).toBe(204);
    expect((await found({})).length).toBe(before - 2);
    expect((await admin.get(`${USERS}/${kept.id}`)).status).toBe(200);
    expect((await admin.delete(`${USERS}/bulk-delete?unique_id=nobody`)).status).toBe(204);
  });

  test('in bulk never deletes the caller', async () => {
    await create({ email_address: 'boss@here.example', password: 'pass-word-5', is_admin: true, unique_id: 'boss-1' });
    await create({ unique_id: 'boss-2', is_admin: true });
    const boss = clientWith(service, await signIn(service, { email: 'boss@here.example', password: 'pass-word-5' }));
    expect((await boss.delete(`${USERS}/bulk-delete?unique_id=boss-%25`)).status).toBe(204);
    const left = (await boss.get(`${USERS}?unique_id=boss-%25`)).body.items;
    expect(left.map((user: { unique_id: string }) => user.unique_id)).toEqual(['boss-1']);
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

test.each([
  ['abc', 'abc', true],
  ['abc', 'ab', false],
  ['abc', '%', true],
  ['', '%', true],
  ['abc', 'a%c', true],
  ['abc', 'a%b', false],
  ['aba', 'ab%ba', false],
  ['abba', 'ab%ba', true],
  ['a*c', 'a*%', true],
  ['axc', 'a*%', false],
  ['a%c', 'a%c', true],
  ['one two three', '%two%', true],
  ['one two three', '%two%two%', false],
  ['xayaz', '%a%a%', true],
  ['xyaz', '%a%z%z', false],
])('%j matches the pattern %j: %s', (text, pattern, expected) => {
  expect(matchesWildcard(text, pattern)).toBe(expected);
});
