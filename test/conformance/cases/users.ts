import { Api } from '../http/api.ts';
import { authorize } from '../http/authorization.ts';
import type { Query } from '../http/site.ts';
import { type Case, casesOf } from '../suite/case.ts';
import { check, deleted, done, equal, has, hasNot, invalid, refused, sameSet } from '../suite/expect.ts';
import { inSeconds, type Made } from '../world/makers.ts';
import { codeRequest, signIn } from '../world/people.ts';
import type { World } from '../world/world.ts';

const USERS = '/api2/users';

/**
 * One administrator and one other user, in a group, with a common beginning of their unique ids; neither has ever
 * signed in.
 */
const pair = (w: World) =>
  w.once('pair of users', async () => {
    const key = w.name('key');
    const admin = await w.user({ is_admin: true, unique_id: `${key}-admin`, first_name: w.name('first') });
    const other = await w.user({ unique_id: `${key}-other`, last_name: w.name('last') });
    const group = await w.group();
    done(await w.api.post(`${group.path}/add-users`, { user_ids: [other.id] }));
    return { key, admin, other, group };
  });

const found = (w: World, query: Query) => w.api.ids(USERS, query);

const reading = casesOf('users', (it) => {
  it('list', 'GET /users lists users', async (w) => {
    const { other, key } = await pair(w);
    has(await found(w, { unique_id: `${key}%` }), other.id, 'The list');
  });
  for (const [value, words] of [
    [1, 'administrators'],
    [0, 'everyone else'],
  ] as const) {
    it(`filter-admin-${value}`, `is_admin=${value} keeps ${words}`, async (w) => {
      const { key, admin, other } = await pair(w);
      equal(await found(w, { is_admin: value, unique_id: `${key}%` }), [value ? admin.id : other.id], 'The list');
    });
  }
  for (const name of ['email_address', 'first_name', 'last_name'] as const) {
    it(`filter-${name.replace('_', '-')}`, `The filter ${name} keeps exact matches only`, async (w) => {
      const value = name === 'email_address' ? `${w.name('exact')}@conformance.example` : w.name('exact');
      const made = await w.user({ [name]: value });
      equal(await found(w, { [name]: value }), [made.id], 'The list');
    });
    it(`filter-${name.replace('_', '-')}-part`, `${name} does not keep users that match in part only`, async (w) => {
      const value = name === 'email_address' ? `${w.name('exact')}@conformance.example` : w.name('exact');
      await w.user({ [name]: value });
      equal(await found(w, { [name]: value.slice(0, -3) }), [], 'The list');
    });
  }
  it('filter-unique-id', 'unique_id keeps the user with this identity key', async (w) => {
    const { key, other } = await pair(w);
    equal(await found(w, { unique_id: `${key}-other` }), [other.id], 'The list');
    equal(await found(w, { unique_id: `${key}-othe_` }), [], 'The list for a key with _');
  });
  it('filter-unique-id-wildcard', '% in unique_id matches any text', async (w) => {
    const { key, admin, other } = await pair(w);
    sameSet(await found(w, { unique_id: `${key}-%` }), [admin.id, other.id], 'The list');
  });
  it('filter-unique-id-inside', '% can stand in the middle of unique_id', async (w) => {
    const { key, other } = await pair(w);
    equal(await found(w, { unique_id: `${key.slice(0, -1)}%other` }), [other.id], 'The list');
  });
  it('filter-group', 'The filter group_id keeps the users of a group', async (w) => {
    const { group, other } = await pair(w);
    equal(await found(w, { group_id: group.id }), [other.id], 'The list');
  });
  for (const join of ['thumbs', 'groups']) {
    it(`joins-${join}`, `The list accepts joins=${join}`, async (w) => {
      const { key, admin, other } = await pair(w);
      sameSet(await found(w, { joins: join, unique_id: `${key}-%` }), [admin.id, other.id], 'The list');
    });
    it(`get-joins-${join}`, `A single user accepts joins=${join}, and keeps its own fields`, async (w) => {
      const { other } = await pair(w);
      equal((await w.api.read(other.path, { joins: join })).id, other.id, 'id');
    });
  }

  /** Returns the id of the second user, who has signed in, and the ids that the filter finds with the address of this user. */
  const second = async (w: World, query: Query) => {
    const { userId } = await w.second();
    const { email_address } = await w.api.read(`${USERS}/${userId}`);
    return { userId, ids: await found(w, { email_address: String(email_address), ...query }) };
  };
  it('filter-login-after', 'last_login_after keeps users who logged in after a time', async (w) => {
    const { userId, ids } = await second(w, { last_login_after: inSeconds(-86_400) });
    equal(ids, [userId], 'The list');
  });
  it('filter-login-after-none', 'last_login_after drops users who logged in before it', async (w) => {
    equal((await second(w, { last_login_after: inSeconds(86_400) })).ids, [], 'The list');
  });
  it('filter-login-before', 'last_login_before keeps users who logged in before a time', async (w) => {
    const { userId, ids } = await second(w, { last_login_before: inSeconds(86_400) });
    equal(ids, [userId], 'The list');
  });
  it('filter-login-before-none', 'last_login_before drops users who logged in after it', async (w) => {
    equal((await second(w, { last_login_before: inSeconds(-86_400) })).ids, [], 'The list');
  });
  it('filter-login-zone', 'Times of last login without a time zone are in UTC', async (w) => {
    const { last_login_date } = await w.api.read(`${USERS}/${(await w.second()).userId}`);
    const at = (seconds: number) =>
      new Date(Date.parse(String(last_login_date)) + seconds * 1000).toISOString().slice(0, 19);
    const { userId, ids } = await second(w, { last_login_after: at(-600), last_login_before: at(600) });
    equal(ids, [userId], 'The list');
  });
  it('filter-login-offset', 'Times of last login may have a time zone', async (w) => {
    const { last_login_date } = await w.api.read(`${USERS}/${(await w.second()).userId}`);
    const zoned = `${new Date(Date.parse(String(last_login_date)) + 2 * 3_600_000 - 600_000).toISOString().slice(0, 19)}+02:00`;
    const { userId, ids } = await second(w, { last_login_after: zoned });
    equal(ids, [userId], 'The list');
  });
  it('get', 'GET /users/<id> answers with the user', async (w) => {
    const { other } = await pair(w);
    equal((await w.api.read(`${USERS}/${other.id}`)).id, other.id, 'id');
  });
  it('get-unknown', 'GET of an id that does not exist is refused', async (w) => {
    refused(await w.api.get(`${USERS}/987654321`));
  });
});

const writing = casesOf('users', (it) => {
  const complete = (w: World) => ({
    is_admin: false,
    email_address: `${w.name('user')}@conformance.example`,
    first_name: 'First',
    last_name: 'Last',
  });
  it('create', 'POST /users answers 201 with a Location header and the user', async (w) => {
    const email_address = `${w.name('user')}@conformance.example`;
    const made = await w.user({ email_address });
    equal(made.answer.object().email_address, email_address, 'email_address in the response');
    const { is_admin, email_address: read } = await w.api.read(made.path);
    equal([is_admin, read], [false, email_address], 'is_admin and email_address');
  });
  for (const name of ['is_admin', 'email_address', 'first_name', 'last_name'] as const) {
    it(`create-no-${name.replace('_', '-')}`, `${name} is required`, async (w) => {
      const { [name]: _left, ...rest } = complete(w);
      const answer = await w.api.post(USERS, rest);
      if (answer.status === 201) await w.api.delete(w.made(answer).path);
      invalid(answer);
    });
  }
  it('create-admin', 'An administrator can be created', async (w) => {
    equal((await w.api.read((await pair(w)).admin.path)).is_admin, true, 'is_admin');
  });
  it('create-unique-id', 'unique_id can be given at creation', async (w) => {
    const unique_id = w.name('key');
    equal((await w.api.read((await w.user({ unique_id })).path)).unique_id, unique_id, 'unique_id');
  });
  it('create-password', 'A user who was given a password can log in with it', async (w) => {
    const credentials = { email: `${w.name('user')}@conformance.example`, password: `Pw-${w.name('x')}!5` };
    await w.user({ email_address: credentials.email, password: credentials.password });
    await signIn(w.site, w.clientId, credentials);
  });
  it('create-no-password', 'password is optional; a user without one cannot log in', async (w) => {
    const email = `${w.name('user')}@conformance.example`;
    await w.user({ email_address: email });
    for (const password of ['anything', '', 'null']) {
      const outcome = await authorize(w.site, codeRequest(w.clientId), { email, password });
      equal(outcome.query.get('code'), null, 'The code');
    }
  });
  it('update-admin', 'is_admin can be changed, and unique_id stays', async (w) => {
    const unique_id = w.name('key');
    const made = await w.user({ unique_id });
    for (const is_admin of [true, false]) {
      done(await w.api.post(made.path, { is_admin }));
      const after = await w.api.read(made.path);
      equal([after.is_admin, after.unique_id], [is_admin, unique_id], 'is_admin and unique_id');
    }
  });
  it('update-unique-id', 'unique_id can be changed, and is_admin stays', async (w) => {
    const [made, unique_id] = [await w.user({ is_admin: true }), w.name('key')];
    done(await w.api.post(made.path, { unique_id }));
    const after = await w.api.read(made.path);
    equal([after.unique_id, after.is_admin], [unique_id, true], 'unique_id and is_admin');
  });
  it('add-groups', 'add-groups adds the user to groups, and adding one again changes nothing', async (w) => {
    const [user, one, two] = [await w.user(), await w.group(), await w.group()];
    for (const group_ids of [[one.id, two.id], [one.id]]) {
      done(await w.api.post(`${user.path}/add-groups`, { group_ids }));
      for (const { id } of [one, two]) equal(await found(w, { group_id: id }), [user.id], 'The users of the group');
    }
  });
  it('remove-groups', 'remove-groups removes the user from groups and keeps the others', async (w) => {
    const [user, kept, left] = [await w.user(), await w.group(), await w.group()];
    done(await w.api.post(`${user.path}/add-groups`, { group_ids: [kept.id, left.id] }));
    done(await w.api.post(`${user.path}/remove-groups`, { group_ids: [left.id] }));
    has(await found(w, { group_id: kept.id }), user.id, 'The users of the group that was kept');
    hasNot(await found(w, { group_id: left.id }), user.id, 'The users of the group that was left');
  });
  for (const action of ['add-groups', 'remove-groups']) {
    it(`${action}-required`, `${action} requires group_ids`, async (w) => {
      invalid(await w.api.post(`${(await w.user()).path}/${action}`, {}));
    });
  }
  it('delete', 'DELETE /users/<id> answers 204, and the user is gone', async (w) => {
    const made = await w.user();
    deleted(await w.api.delete(made.path));
    refused(await w.api.get(made.path));
  });
  it('delete-unknown', 'DELETE of an id that does not exist answers 204', async (w) => {
    deleted(await w.api.delete(`${USERS}/987654321`));
  });
});

const bulk = casesOf('users', (it) => {
  /** Deletes by filter, after checking that the filter finds exactly these users. */
  async function deleteExactly(w: World, api: Api, query: Query, expected: readonly Made[]): Promise<void> {
    sameSet(
      await found(w, query),
      expected.map(({ id }) => id),
      'The list with the filter of the deletion',
    );
    deleted(await api.delete(`${USERS}/bulk-delete`, query));
  }
  it('bulk-delete', 'DELETE /users/bulk-delete answers 204 and deletes the users that match its filters', async (w) => {
    const key = w.name('bulk');
    const gone = [await w.user({ unique_id: `${key}-1` }), await w.user({ unique_id: `${key}-2` })];
    const kept = await w.user({ unique_id: `kept-${key}` });
    await deleteExactly(w, w.api, { unique_id: `${key}-%` }, gone);
    equal(await found(w, { unique_id: `${key}-%` }), [], 'The list with the filter');
    await w.api.read(kept.path);
  });
  it('bulk-delete-filters', 'bulk-delete applies the filters together, as the list does', async (w) => {
    const key = w.name('bulk');
    const admin = await w.user({ unique_id: `${key}-1`, is_admin: true });
    const other = await w.user({ unique_id: `${key}-2` });
    await deleteExactly(w, w.api, { unique_id: `${key}-%`, is_admin: 0 }, [other]);
    await w.api.read(admin.path);
    refused(await w.api.get(other.path));
  });
  it('bulk-delete-self', 'bulk-delete never deletes the caller', async (w) => {
    const key = w.name('bulk');
    const credentials = { email: `${key}@conformance.example`, password: `Pw-${key}!9` };
    const fields = { email_address: credentials.email, password: credentials.password, is_admin: true };
    const self = await w.user({ ...fields, unique_id: `${key}-self` });
    const other = await w.user({ unique_id: `${key}-other` });
    const api = new Api(w.site, await signIn(w.site, w.clientId, credentials));
    const query = { unique_id: `${key}-%` };
    sameSet(await found(w, query), [self.id, other.id], 'The list with the filter of the deletion');
    const answer = await api.delete(`${USERS}/bulk-delete`, query);
    check(answer.status < 500, `The answer is a server error: ${answer}`);
    await w.api.read(self.path);
  });
});

export const userCases: Case[] = [...reading, ...writing, ...bulk];
