import { at, type JsonObject } from '../http/answer.ts';
import { type Case, casesOf } from '../suite/case.ts';
import * as is from '../suite/expect.ts';
import { check, equal } from '../suite/expect.ts';
import { fieldCases } from '../suite/field-cases.ts';
import { plainCollection, shown } from '../world/fixtures.ts';
import type { World } from '../world/world.ts';

const named = is.shape({ id: is.filled, display_name: is.string });

const users = casesOf('user-fields', (it) => {
  const second = (w: World) =>
    w.once('second user', async () => w.api.read(`/api2/users/${(await w.second()).userId}`));
  const user = (w: World) => w.once('a user', () => w.user());
  fieldCases(it, 'a user', second, {
    id: is.filled,
    is_admin: is.boolean,
    email_address: is.filled,
    display_name: is.string,
    unique_id: [is.filled, 'identity key for sign-on integrations'],
    created_on: is.timestamp,
    modified_on: is.timestamp,
    last_login_date: [is.timestamp, 'the user has logged in'],
    links: is.object,
    'links.self': is.path,
    'links.groups': is.path,
    'links.thumbs': is.path,
  });
  it('unique-id-default', 'unique_id is basic: and the email address unless something else was given', async (w) => {
    const { unique_id, email_address } = await w.api.read((await user(w)).path);
    equal(unique_id, `basic:${email_address}`, 'unique_id');
  });
  it('thumbs-at-creation', 'The creation response has links without thumbs', async (w) => {
    const links = at((await user(w)).answer.object(), 'links');
    for (const name of ['self', 'groups']) is.isString(at(links, name), `links.${name}`);
    check(at(links, 'thumbs') === undefined, `links is ${is.show(links)}.`);
  });
  it('self-link', 'links.self leads to the user', async (w) => {
    const { links, id } = await w.api.read((await user(w)).path);
    equal((await w.api.read(w.site.pathOf(String(at(links, 'self'))))).id, id, 'id');
  });
  it('groups-link', 'links.groups leads to the groups of the user', async (w) => {
    const [made, group] = [await w.user(), await w.group()];
    is.done(await w.api.post(`${group.path}/add-users`, { user_ids: [made.id] }));
    const link = String(at(await w.api.read(made.path), 'links.groups'));
    is.has(await w.api.ids(w.site.pathOf(link)), group.id, 'The groups behind the link');
  });
  it('thumbs-link', 'links.thumbs leads to the thumbnails of the user', async (w) => {
    const link = String(at(await w.api.read((await user(w)).path), 'links.thumbs'));
    is.hasStatus(await w.api.get(w.site.pathOf(link)), 200);
  });
});

const groups = casesOf('group-fields', (it) => {
  const group = (w: World) => shown(w, () => w.group(), 'group');
  fieldCases(it, 'a group', group, {
    id: is.filled,
    display_name: is.filled,
    created_on: is.timestamp,
    modified_on: is.timestamp,
    links: is.object,
    'links.self': is.path,
    'links.users': is.path,
  });
  it('self-link', 'links.self leads to the group', async (w) => {
    const { links, id } = await group(w);
    equal((await w.api.read(w.site.pathOf(String(at(links, 'self'))))).id, id, 'id');
  });
  it('users-link', 'links.users leads to the users of the group', async (w) => {
    const [made, user] = [await w.group(), await w.user()];
    is.done(await w.api.post(`${made.path}/add-users`, { user_ids: [user.id] }));
    const link = String(at(await w.api.read(made.path), 'links.users'));
    equal(await w.api.ids(w.site.pathOf(link)), [user.id], 'The users behind the link');
  });
  for (const name of ['public', 'registered-users']) {
    it(`built-in-${name}`, `The built-in group ${name} exists, with the fields of a group`, async (w) => {
      const built = await w.api.read(`/api2/groups/${name}`);
      for (const field of ['id', 'display_name', 'links']) check(field in built, `${field} is left out.`);
    });
  }
});

const tags = casesOf('tag-fields', (it) => {
  fieldCases(it, 'a tag', (w) => shown(w, () => w.tag(), 'tag'), { id: is.filled, display_name: is.filled });
});

const roles = casesOf('role-fields', (it) => {
  const role = (w: World) => shown(w, () => w.role(['collection-read']), 'role');
  fieldCases(it, 'a role', role, {
    id: is.filled,
    display_name: is.filled,
    created_on: is.timestamp,
    modified_on: is.timestamp,
    permissions: [is.arrayOf(is.filled), 'permission names'],
    deletable: is.boolean,
    lti: is.boolean,
    links: is.object,
    'links.self': is.path,
  });
  it('self-link', 'links.self leads to the role', async (w) => {
    const { links, id } = await role(w);
    equal((await w.api.read(w.site.pathOf(String(at(links, 'self'))))).id, id, 'id');
  });
});

interface Memberships {
  ofGroup: JsonObject;
  ofUser: JsonObject;
}

/** A membership of a group and one of a user in the same collection. */
const memberships = (w: World): Promise<Memberships> =>
  w.once('memberships', async () => {
    const [role, group, user] = [await w.role(['collection-read']), await w.group(), await w.user()];
    const common = { role_id: role.id, collection_id: (await plainCollection(w)).id };
    const [ofGroup, ofUser] = [
      await w.membership({ ...common, group_id: group.id }),
      await w.membership({ ...common, user_id: user.id }),
    ];
    return { ofGroup: await w.api.read(ofGroup.path), ofUser: await w.api.read(ofUser.path) };
  });

const membershipFields = casesOf('membership-fields', (it) => {
  fieldCases(it, 'a group’s membership', async (w) => (await memberships(w)).ofGroup, {
    id: is.filled,
    group: [named, 'the group'],
    user: [is.nothing, 'the membership is for a group'],
    collection: named,
    role: named,
    created_on: is.timestamp,
    modified_on: is.timestamp,
    links: is.object,
    'links.self': is.path,
  });
  fieldCases(
    it,
    'a user’s membership',
    async (w) => (await memberships(w)).ofUser,
    {
      group: [is.nothing, 'the membership is for a user'],
      user: [is.object, 'the user'],
      collection: named,
      role: named,
    },
    '-of-user',
  );
  it('self-link', 'links.self leads to the membership', async (w) => {
    const { links, id } = (await memberships(w)).ofUser;
    equal((await w.api.read(w.site.pathOf(String(at(links, 'self'))))).id, id, 'id');
  });
  it('names', 'A membership names its group, collection and role as they are named', async (w) => {
    const { ofGroup } = await memberships(w);
    for (const [part, resource] of [
      ['group', 'groups'],
      ['collection', 'collections'],
      ['role', 'roles'],
    ] as const) {
      const { display_name } = await w.api.read(`/api2/${resource}/${at(ofGroup, `${part}.id`)}`);
      equal(at(ofGroup, `${part}.display_name`), display_name, `${part}.display_name`);
    }
  });
  const calculated = (w: World) =>
    w.once('calculated roles', async () => {
      const { userId, collection } = await w.holding(['media-read']);
      const query = { user_id: userId, collection_id: collection.id };
      const [first] = await w.api.list('/api2/memberships/calculate-roles-perms', query);
      check(first !== undefined, 'The list of calculated roles is empty.');
      return first as JsonObject;
    });
  fieldCases(
    it,
    'calculated roles',
    calculated,
    {
      collection: named,
      roles: is.arrayOf(named),
      permissions: [is.arrayOf(is.filled), 'permission names'],
    },
    '-calculated',
  );
});

export const peopleFieldCases: Case[] = [...users, ...groups, ...tags, ...roles, ...membershipFields];
