import type { Json, JsonObject } from '../http/answer.ts';
import type { Query } from '../http/site.ts';
import { type Case, casesOf } from '../suite/case.ts';
import * as is from '../suite/expect.ts';
import { check, deleted, done, equal, has, hasNot, hasStatus, invalid, refused, sameSet } from '../suite/expect.ts';
import { withDependencies } from '../world/permissions.ts';
import type { World } from '../world/world.ts';
import { permissionsOf } from './permissions.ts';

const roles = casesOf('roles', (it) => {
  const ROLES = '/api2/roles';
  it('list', 'GET /roles lists roles', async (w) => {
    const made = await w.role(['collection-read']);
    has(await w.api.ids(ROLES, { per_page: 100 }), made.id, 'The list');
  });
  it('filter-name', 'The filter display_name keeps exact matches only', async (w) => {
    const display_name = w.name('exact');
    const made = await w.role(['collection-read'], { display_name });
    await w.role(['collection-read'], { display_name: `${display_name}-more` });
    equal(await w.api.ids(ROLES, { display_name }), [made.id], 'The list');
    equal(await w.api.ids(ROLES, { display_name: `${display_name}%` }), [], 'The list for a name with %');
    equal(await w.api.ids(ROLES, { display_name, permissions: 'media-play' }), [], 'The list with a permission');
  });
  for (const flag of ['deletable', 'lti'] as const) {
    for (const value of [1, 0]) {
      it(`filter-${flag}-${value}`, `${flag}=${value} keeps roles whose ${flag} is ${value === 1}`, async (w) => {
        const made = await w.role(['collection-read']);
        const fits = (role: JsonObject | undefined) => role?.[flag] === (value === 1);
        const items = await w.api.list(ROLES, { [flag]: value, per_page: 100 });
        check(items.every(fits), `A role with another ${flag} is in the list.`);
        const isListed = items.some(({ id }) => id === made.id);
        equal(isListed, fits(await w.api.read(made.path)), 'Whether the new role is in the list');
      });
    }
  }
  it('filter-permissions', 'The filter permissions keeps roles that have all of the permissions', async (w) => {
    const display_name = w.name('same');
    const both = await w.role(withDependencies(['media-play', 'media-like']), { display_name });
    const one = await w.role(withDependencies(['media-play']));
    const ids = await w.api.ids(ROLES, { permissions: 'media-play,media-like', per_page: 100 });
    has(ids, both.id, 'The list');
    hasNot(ids, one.id, 'The list');
  });
  it('filter-permission-one', 'The filter permissions can name a single permission', async (w) => {
    const [plays, reads] = [await w.role(withDependencies(['media-play'])), await w.role(['collection-read'])];
    const ids = await w.api.ids(ROLES, { permissions: 'media-play', per_page: 100 });
    has(ids, plays.id, 'The list');
    hasNot(ids, reads.id, 'The list');
  });
  it('count', 'GET /roles/count answers {count}, the length of the list', async (w) => {
    const { count } = await w.api.read(`${ROLES}/count`);
    equal(count, (await w.api.ids(ROLES, { per_page: 100 })).length, 'count');
  });
  const COUNTED: Readonly<Record<string, Query>> = {
    deletable: { deletable: 1 },
    lti: { lti: 0 },
    permissions: { permissions: 'media-read' },
  };
  it('count-name', 'The count applies the filter display_name', async (w) => {
    const display_name = w.name('counted');
    await w.role(['collection-read'], { display_name });
    equal((await w.api.read(`${ROLES}/count`, { display_name })).count, 1, 'count');
  });
  for (const [name, query] of Object.entries(COUNTED)) {
    it(`count-${name}`, `The count applies the filter ${name}`, async (w) => {
      const ids = await w.api.ids(ROLES, { ...query, per_page: 100 });
      equal((await w.api.read(`${ROLES}/count`, query)).count, ids.length, 'count');
    });
  }
  it('get', 'GET /roles/<id> answers with the role', async (w) => {
    const made = await w.role(['collection-read']);
    equal((await w.api.read(`${ROLES}/${made.id}`)).id, made.id, 'id');
  });
  it('get-unknown', 'GET of an id that does not exist is refused', async (w) => {
    refused(await w.api.get(`${ROLES}/987654321`));
  });
  it('create', 'POST /roles answers 200 with the role and a Location header', async (w) => {
    const display_name = w.name('made');
    const made = await w.role(['collection-read'], { display_name });
    equal(made.answer.object().display_name, display_name, 'display_name in the response');
    equal((await w.api.read(made.path)).display_name, display_name, 'display_name');
  });
  for (const name of ['display_name', 'permissions'] as const) {
    it(`create-no-${name.replace('_', '-')}`, `${name} is required`, async (w) => {
      const { [name]: _left, ...rest } = { display_name: w.name('role'), permissions: ['collection-read'] };
      const answer = await w.api.post(ROLES, rest);
      if (answer.ok) await w.api.delete(w.made(answer).path);
      invalid(answer);
    });
  }
  it('create-unknown', 'A role can’t have an unknown permission', async (w) => {
    const answer = await w.api.post(ROLES, { display_name: w.name('role'), permissions: ['media-eat'] });
    if (answer.ok) {
      const { path } = w.made(answer);
      hasNot((await w.api.read(path)).permissions as Json[], 'media-eat', 'The role');
      await w.api.delete(path);
    } else invalid(answer);
  });
  it('update-name', 'display_name can be changed, and permissions stay', async (w) => {
    const [made, display_name] = [await w.role(['collection-read']), w.name('renamed')];
    done(await w.api.post(made.path, { display_name }));
    const after = await w.api.read(made.path);
    equal([after.display_name, after.permissions], [display_name, ['collection-read']], 'The role');
  });
  it('update-permissions', 'permissions can be changed, and display_name stays', async (w) => {
    const [display_name, permissions] = [w.name('kept'), withDependencies(['media-play'])];
    const made = await w.role(['collection-read'], { display_name });
    done(await w.api.post(made.path, { permissions }));
    sameSet(await permissionsOf(w, made), permissions, 'The role’s permissions');
    equal((await w.api.read(made.path)).display_name, display_name, 'display_name');
  });
  for (const action of ['add-permissions', 'remove-permissions']) {
    it(`${action}-required`, `${action} requires permissions`, async (w) => {
      invalid(await w.api.post(`${(await w.role(['collection-read'])).path}/${action}`, {}));
    });
  }
  it('add-permissions', 'add-permissions keeps the existing permissions of the role', async (w) => {
    const made = await w.role(['collection-read']);
    done(await w.api.post(`${made.path}/add-permissions`, { permissions: ['media-read'] }));
    sameSet(await permissionsOf(w, made), ['collection-read', 'media-read'], 'The role’s permissions');
  });
  it('remove-permissions', 'remove-permissions leaves the others', async (w) => {
    const made = await w.role(['collection-read', 'media-read']);
    done(await w.api.post(`${made.path}/remove-permissions`, { permissions: ['media-read'] }));
    sameSet(await permissionsOf(w, made), ['collection-read'], 'The role’s permissions');
  });
  it('delete', 'DELETE /roles/<id> answers 204, and the role is gone', async (w) => {
    const made = await w.role(['collection-read']);
    deleted(await w.api.delete(made.path));
    refused(await w.api.get(made.path));
  });
  it('delete-unknown', 'DELETE of an id that does not exist answers 204', async (w) => {
    deleted(await w.api.delete(`${ROLES}/987654321`));
  });
});

const memberships = casesOf('memberships', (it) => {
  const MEMBERSHIPS = '/api2/memberships';
  /** A membership of a user and one of a group, each in its own collection and with its own role. */
  const pair = (w: World) =>
    w.once('pair of memberships', async () => {
      const parts = async () => ({ role: await w.role(['collection-read']), collection: await w.collection() });
      const [one, two] = [await parts(), await parts()];
      const [user, group] = [await w.user(), await w.group()];
      const ids = (part: typeof one) => ({ role_id: part.role.id, collection_id: part.collection.id });
      const ofUser = await w.membership({ ...ids(one), user_id: user.id });
      const ofGroup = await w.membership({ ...ids(two), group_id: group.id });
      return { user, group, ofUser, ofGroup, one, two };
    });
  const FILTERS: Readonly<Record<string, (parts: Awaited<ReturnType<typeof pair>>) => string>> = {
    user_id: ({ user }) => user.id,
    collection_id: ({ one }) => one.collection.id,
    role_id: ({ one }) => one.role.id,
  };
  for (const [name, idOf] of Object.entries(FILTERS)) {
    it(`filter-${name.replace('_', '-')}`, `The filter ${name} keeps memberships with this id`, async (w) => {
      const parts = await pair(w);
      equal(await w.api.ids(MEMBERSHIPS, { [name]: idOf(parts) }), [parts.ofUser.id], 'The list');
    });
  }
  it('filter-group-id', 'The filter group_id keeps memberships with this id', async (w) => {
    const { group, ofGroup } = await pair(w);
    equal(await w.api.ids(MEMBERSHIPS, { group_id: group.id }), [ofGroup.id], 'The list');
  });
  it('filter-together', 'Filters apply together', async (w) => {
    const { user, two } = await pair(w);
    equal(await w.api.ids(MEMBERSHIPS, { user_id: user.id, collection_id: two.collection.id }), [], 'The list');
  });
  it('get', 'GET /memberships/<id> answers with the membership', async (w) => {
    const { ofUser } = await pair(w);
    equal((await w.api.read(`${MEMBERSHIPS}/${ofUser.id}`)).id, ofUser.id, 'id');
  });
  it('get-unknown', 'GET of an id that does not exist is refused', async (w) => {
    refused(await w.api.get(`${MEMBERSHIPS}/987654321`));
  });
  it('create-user', 'POST /memberships with user_id answers 201 with the membership', async (w) => {
    const { ofUser, one } = await pair(w);
    hasStatus(ofUser.answer, 201);
    equal(is.show((ofUser.answer.object().role as JsonObject).id), is.show(one.role.id), 'role in the response');
  });
  it('create-group', 'POST /memberships with group_id answers 201 with the membership', async (w) => {
    const { ofGroup, group } = await pair(w);
    equal((ofGroup.answer.object().group as JsonObject).id, group.id, 'group in the response');
  });
  const body = async (w: World) => ({
    role_id: (await w.role(['collection-read'])).id,
    collection_id: (await w.collection()).id,
  });
  it('create-both', 'user_id and group_id together: 400', async (w) => {
    const { user, group } = await pair(w);
    const answer = await w.api.post(MEMBERSHIPS, { ...(await body(w)), user_id: user.id, group_id: group.id });
    hasStatus(answer, 400);
  });
  it('create-neither', 'One of user_id and group_id is required', async (w) => {
    invalid(await w.api.post(MEMBERSHIPS, await body(w)));
  });
  for (const name of ['role_id', 'collection_id'] as const) {
    it(`create-no-${name.replace('_', '-')}`, `${name} is required`, async (w) => {
      const { [name]: _left, ...rest } = { ...(await body(w)), user_id: (await pair(w)).user.id };
      invalid(await w.api.post(MEMBERSHIPS, rest));
    });
  }
  for (const whose of ['user', 'group'] as const) {
    it(
      `replace-${whose}`,
      `A new membership replaces an earlier one of the same ${whose} and collection`,
      async (w) => {
        const subject = { [`${whose}_id`]: whose === 'user' ? (await w.user()).id : (await w.group()).id };
        const [first, elsewhere] = [await body(w), await w.membership({ ...(await body(w)), ...subject })];
        await w.membership({ ...first, ...subject });
        const role = await w.role(['collection-read']);
        await w.membership({ ...first, role_id: role.id, ...subject });
        const items = await w.api.list(MEMBERSHIPS, { ...subject, collection_id: first.collection_id });
        equal(
          items.map((item) => (item.role as JsonObject).id ?? null),
          [role.id],
          'The roles of the memberships',
        );
        await w.api.read(elsewhere.path);
      },
    );
  }
  it('update', 'POST /memberships/<id> answers 200 and changes the role', async (w) => {
    const made = await w.membership({ ...(await body(w)), user_id: (await w.user()).id });
    const role = await w.role(['collection-read']);
    hasStatus(await w.api.post(made.path, { role_id: role.id }), 200);
    equal(((await w.api.read(made.path)).role as JsonObject).id, role.id, 'role');
  });
  for (const whose of ['user', 'group'] as const) {
    it(`update-${whose}`, `An update can give the membership to another ${whose}`, async (w) => {
      const made = await w.membership({ ...(await body(w)), user_id: (await w.user()).id });
      const [role, next] = [await w.role(['collection-read']), whose === 'user' ? await w.user() : await w.group()];
      hasStatus(await w.api.post(made.path, { role_id: role.id, [`${whose}_id`]: next.id }), 200);
      const items = await w.api.list(MEMBERSHIPS, { [`${whose}_id`]: next.id });
      equal(
        items.map((item) => (item.role as JsonObject).id ?? null),
        [role.id],
        `The roles of the ${whose}’s memberships`,
      );
    });
  }
  it('update-both', 'An update with user_id and group_id: 400', async (w) => {
    const { ofUser, one, user, group } = await pair(w);
    hasStatus(await w.api.post(ofUser.path, { role_id: one.role.id, user_id: user.id, group_id: group.id }), 400);
  });
  it('update-no-role', 'role_id is required for an update', async (w) => {
    invalid(await w.api.post((await pair(w)).ofUser.path, {}));
  });
  it('delete', 'DELETE /memberships/<id> answers 204, and the membership is gone', async (w) => {
    const made = await w.membership({ ...(await body(w)), user_id: (await w.user()).id });
    deleted(await w.api.delete(made.path));
    refused(await w.api.get(made.path));
  });
  it('delete-unknown', 'DELETE of an id that does not exist answers 204', async (w) => {
    deleted(await w.api.delete(`${MEMBERSHIPS}/987654321`));
  });

  const CALCULATE = `${MEMBERSHIPS}/calculate-roles-perms`;
  const calculated = async (w: World, query: Query, collectionId: string): Promise<JsonObject | undefined> =>
    (await w.api.list(CALCULATE, query)).find((item) => (item.collection as JsonObject).id === collectionId);
  for (const whose of ['user', 'group'] as const) {
    it(
      `calculate-${whose}`,
      `calculate-roles-perms with ${whose}_id returns the roles and permissions in each collection`,
      async (w) => {
        const { user, group, one, two } = await pair(w);
        const [subject, part] = whose === 'user' ? [user, one] : [group, two];
        const item = await calculated(w, { [`${whose}_id`]: subject.id }, part.collection.id);
        has(
          ((item?.roles ?? []) as JsonObject[]).map(({ id }) => id),
          part.role.id,
          'The roles',
        );
        has((item?.permissions ?? []) as Json[], 'collection-read', 'The permissions');
      },
    );
  }
  it('calculate-collection', 'collection_id limits the result to one collection', async (w) => {
    const { user, one } = await pair(w);
    const items = await w.api.list(CALCULATE, { user_id: user.id, collection_id: one.collection.id });
    equal(
      items.map((item) => (item.collection as JsonObject).id ?? null),
      [one.collection.id],
      'The collections',
    );
  });
  it('calculate-both', 'calculate-roles-perms with user_id and group_id: 400', async (w) => {
    const { user, group } = await pair(w);
    hasStatus(await w.api.get(CALCULATE, { user_id: user.id, group_id: group.id }), 400);
  });
  it('calculate-neither', 'calculate-roles-perms requires exactly one of user_id and group_id', async (w) => {
    refused(await w.api.get(CALCULATE));
  });
});

export const roleAndMembershipCases: Case[] = [...roles, ...memberships];
