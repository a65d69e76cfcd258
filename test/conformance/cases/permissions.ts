import type { Answer } from '../http/answer.ts';
import { type AddCase, type Case, casesOf } from '../suite/case.ts';
import {
  deleted,
  done,
  equal,
  has,
  hasNot,
  hasStatus,
  invalid,
  notAllowed,
  refused,
  sameSet,
} from '../suite/expect.ts';
import { audioItem } from '../world/fixtures.ts';
import type { Made } from '../world/makers.ts';
import { publish, unpublish } from '../world/makers.ts';
import type { Holder } from '../world/people.ts';
import {
  allWithout,
  DEPENDS_ON,
  PERMISSIONS,
  type Permission,
  withDependencies,
  withDependents,
} from '../world/permissions.ts';
import type { World } from '../world/world.ts';

/** The current permissions of a role. */
export async function permissionsOf(w: World, role: Made): Promise<string[]> {
  const { permissions } = await w.api.read(role.path);
  return Array.isArray(permissions) ? permissions.map(String) : [];
}

/** Requests a change of permissions. The API does not say whether a forbidden change is refused or ignored. */
async function change(w: World, role: Made, how: 'add' | 'remove', permissions: readonly string[]): Promise<void> {
  const answer = await w.api.post(`${role.path}/${how}-permissions`, { permissions: [...permissions] });
  if (answer.status >= 500) done(answer);
}

/** A request that needs a permission: one case sends it with the permission, another without. */
interface Deed {
  name: string;
  act(w: World, holder: Holder): Promise<Answer>;
}

const DEEDS: Partial<Record<Permission, Deed>> = {
  'collection-create': {
    name: 'create collections',
    act: (w, { api, collection }) =>
      api.post('/api2/collections', { display_name: w.name('deed'), parent_id: collection.id }),
  },
  'collection-delete': {
    name: 'delete collections',
    act: (_w, { api, collection }) => api.delete(collection.path),
  },
  'collection-read': {
    name: 'view collections',
    act: (_w, { api, collection }) => api.get(collection.path),
  },
  'collection-update': {
    name: 'edit collections',
    act: (w, { api, collection }) => api.post(collection.path, { display_name: w.name('deed') }),
  },
  'media-create': {
    name: 'create media',
    act: async (w, { api, collection }) =>
      api.post('/api2/media', { title: w.name('deed'), collection_id: collection.id }),
  },
  'media-read': {
    name: 'view media',
    act: async (w, { api, collection }) => {
      const media = await w.media({ collection_id: collection.id });
      await publish(w.api, media);
      return api.get(media.path);
    },
  },
  'media-update': {
    name: 'edit media',
    act: async (w, { api, collection }) => {
      const media = await w.media({ collection_id: collection.id });
      await publish(w.api, media);
      return api.post(media.path, { byline: 'Deed' });
    },
  },
  'media-delete': {
    name: 'delete media',
    act: async (w, { api, collection }) => {
      const media = await w.media({ collection_id: collection.id });
      await publish(w.api, media);
      return api.delete(media.path);
    },
  },
  'media-publish': {
    name: 'publish media',
    act: async (w, { api, collection }) => {
      const media = await w.media({ collection_id: collection.id });
      await publish(w.api, media);
      return api.post(`${media.path}/unpublish`);
    },
  },
};

const deeds = casesOf('permissions', (it) => {
  for (const permission of PERMISSIONS) {
    it(permission, `A role can have ${permission} with its dependencies`, async (w) => {
      const permissions = withDependencies([permission]);
      sameSet(await permissionsOf(w, await w.role(permissions)), permissions, 'The role’s permissions');
    });
  }
  it('all', 'A role can have all nineteen permissions', async (w) => {
    sameSet(await permissionsOf(w, await w.role(PERMISSIONS)), PERMISSIONS, 'The role’s permissions');
  });
  for (const [name, { name: words, act }] of Object.entries(DEEDS)) {
    const permission = name as Permission;
    it(`${permission}-holder`, `A user with ${permission} may ${words}`, async (w) => {
      done(await act(w, await w.holding([permission])));
    });
    it(
      `${permission}-others`,
      `Without ${permission} a user may not ${words}, whatever other permissions they have`,
      async (w) => {
        notAllowed(await act(w, await w.holding(allWithout(permission))));
      },
    );
  }
  it(
    'media-play-holder',
    'A user with media-play and media-download can fetch the content of media, and a user with neither can’t',
    async (w) => {
      const { file } = await audioItem(w);
      const { api } = await w.second();
      const answerWith = async (permissions: Permission[]) => {
        await w.grant({ ...file, id: await shelfOf(w) }, permissions);
        return api.get(`${file.path}/content`);
      };
      notAllowed(await answerWith(['media-read', 'media-like']));
      hasStatus(await answerWith(['media-play', 'media-download']), 302);
    },
  );
  it('unpublished', 'With media-read alone, unpublished items of others are not visible', async (w) => {
    const { api, collection } = await w.holding(['media-read']);
    const media = await w.media({ collection_id: collection.id });
    await unpublish(w.api, media);
    notAllowed(await api.get(media.path));
    hasNot(await api.ids('/api2/media', { collection_id: collection.id }), media.id, 'The list');
  });
  it('inherited', 'Permissions in a parent apply to a collection that inherits memberships', async (w) => {
    const { api, collection } = await w.holding(['collection-read']);
    const below = await w.collection({ parent_id: collection.id, inherit_memberships: true });
    done(await api.get(below.path));
  });
  it('not-inherited', 'Permissions in a parent do not apply to a collection that inherits none', async (w) => {
    const { api, collection } = await w.holding(['collection-read']);
    const below = await w.collection({ parent_id: collection.id, inherit_memberships: false });
    notAllowed(await api.get(below.path));
  });
  it(
    'inherited-later',
    'A change of inherit_memberships changes the permissions below the collection too',
    async (w) => {
      const { api, collection } = await w.holding(['collection-read']);
      const middle = await w.collection({ parent_id: collection.id, inherit_memberships: false });
      const below = await w.collection({ parent_id: middle.id, inherit_memberships: true });
      notAllowed(await api.get(below.path));
      done(await w.api.post(middle.path, { inherit_memberships: true }));
      done(await api.get(below.path));
      done(await w.api.post(middle.path, { inherit_memberships: false }));
      notAllowed(await api.get(below.path));
    },
  );
  it('inherited-moved', 'A moved collection inherits the permissions in its new parent, and no others', async (w) => {
    const { api, collection } = await w.holding(['collection-read']);
    const [closed, moving] = [await w.collection(), await w.collection({ inherit_memberships: true })];
    for (const [parent, allowed] of [
      [collection, true],
      [closed, false],
    ] as const) {
      done(await w.api.post(`${moving.path}/move`, { new_parent_id: parent.id }));
      (allowed ? done : notAllowed)(await api.get(moving.path));
    }
  });
  for (const whose of ['user', 'group'] as const) {
    it(
      `by-${whose}`,
      `What a ${whose}’s membership gives can be seen in lists and the tree as long as the membership and its role give it`,
      async (w) => {
        const { api, userId, collection } = await w.holding([]);
        const media = await w.media({ collection_id: collection.id });
        await publish(w.api, media);
        const [group, none] = [await w.group(), await w.role([])];
        done(await w.api.post(`${group.path}/add-users`, { user_ids: [userId] }));
        const role = await w.role(['collection-read', 'media-read']);
        const seen = async () => [
          (await api.ids('/api2/collections', { parent_id: await w.homeId() })).includes(collection.id),
          (await api.ids('/api2/media', { collection_id: collection.id })).includes(media.id),
          (await api.get('/api2/collections/tree')).text.includes(`"${collection.id}"`),
        ];
        const isSeen = async (expected: boolean, when: string) =>
          equal(await seen(), [expected, expected, expected], `What is in the lists and the tree ${when}`);
        await isSeen(false, 'before');
        const subject = whose === 'user' ? { user_id: userId } : { group_id: group.id };
        const given = await w.membership({ ...subject, role_id: role.id, collection_id: collection.id });
        await isSeen(true, 'with the membership');
        done(await w.api.post(given.path, { role_id: none.id }));
        await isSeen(false, 'with a role without permissions');
        done(await w.api.post(given.path, { role_id: role.id }));
        await isSeen(true, 'with the first role again');
        done(await w.api.delete(given.path));
        await isSeen(false, 'without the membership');
      },
    );
  }
  it(
    'by-group-left',
    'Users who leave a group, and users of a deleted group, lose what its membership gave',
    async (w) => {
      const { api, userId, collection } = await w.holding([]);
      const [group, role] = [await w.group(), await w.role(['collection-read'])];
      await w.membership({ group_id: group.id, role_id: role.id, collection_id: collection.id });
      for (const leave of [
        () => w.api.post(`/api2/users/${userId}/remove-groups`, { group_ids: [group.id] }),
        () => w.api.delete(group.path),
      ]) {
        notAllowed(await api.get(collection.path));
        done(await w.api.post(`${group.path}/add-users`, { user_ids: [userId] }));
        done(await api.get(collection.path));
        done(await leave());
      }
      notAllowed(await api.get(collection.path));
    },
  );
  it('role-changed', 'A change of a role, or its deletion, changes the permissions of its holders', async (w) => {
    const { api, userId, collection } = await w.holding([]);
    const role = await w.role(['collection-read']);
    const membership = await w.membership({ user_id: userId, role_id: role.id, collection_id: collection.id });
    const rename = () => api.post(collection.path, { display_name: w.name('mine') });
    notAllowed(await rename());
    done(await w.api.post(`${role.path}/add-permissions`, { permissions: ['collection-update'] }));
    done(await rename());
    done(await w.api.post(role.path, { permissions: ['collection-read'] }));
    notAllowed(await rename());
    deleted(await w.api.delete(role.path));
    notAllowed(await api.get(collection.path));
    refused(await w.api.get(membership.path));
  });
});

async function shelfOf(w: World): Promise<string> {
  return String((await w.api.read((await audioItem(w)).media.path)).collection_id);
}

/** Adds the cases that add and remove one permission of the dependency table. */
function dependencyCases(it: AddCase, permission: Permission): void {
  const needed = DEPENDS_ON[permission];
  const words = needed.length > 0 ? needed.join(', ') : 'nothing';

  it(`add-${permission}`, `${permission} depends on ${words}, and can be added with that`, async (w) => {
    const below = withDependencies([permission]).filter((name) => name !== permission);
    // A role without any permission is a separate case, so the role has an unrelated one here.
    const base = below.length > 0 ? below : allWithout(permission).slice(0, 1);
    const role = await w.role(withDependencies(base));
    await change(w, role, 'add', [permission]);
    sameSet(await permissionsOf(w, role), [...withDependencies(base), permission], 'The role’s permissions');
  });

  for (const missing of needed) {
    it(`add-${permission}-without-${missing}`, `${permission} is not added to a role without ${missing}`, async (w) => {
      const held = allWithout(missing);
      const role = await w.role(held);
      await change(w, role, 'add', [permission]);
      sameSet(await permissionsOf(w, role), held, 'The role’s permissions');
    });
    it(`remove-${missing}-from-${permission}`, `Removing ${missing} also removes ${permission}`, async (w) => {
      const held = withDependencies([permission]);
      const role = await w.role(held);
      await change(w, role, 'remove', [missing]);
      const left = await permissionsOf(w, role);
      for (const gone of [missing, permission]) hasNot(left, gone, 'The role');
      sameSet(
        left,
        held.filter((name) => !withDependents(missing).includes(name)),
        'The remaining permissions',
      );
    });
  }

  it(`remove-${permission}`, `Removing ${permission} removes its dependents and nothing else`, async (w) => {
    const role = await w.role(PERMISSIONS);
    await change(w, role, 'remove', [permission]);
    sameSet(await permissionsOf(w, role), allWithout(permission), 'The role’s permissions');
  });
}

const dependencies = casesOf('dependencies', (it) => {
  for (const permission of PERMISSIONS) dependencyCases(it, permission);

  it('transitive', 'Dependencies are transitive: media-play is not added without collection-read', async (w) => {
    const role = await w.role(['admin-panel-access']);
    await change(w, role, 'add', ['media-play']);
    sameSet(await permissionsOf(w, role), ['admin-panel-access'], 'The role’s permissions');
  });
  for (const how of ['creation', 'update'] as const) {
    it(
      `${how}-without`,
      `In a${how === 'update' ? 'n' : ''} ${how} too, media-play is not added without media-read`,
      async (w) => {
        const [display_name, permissions] = [w.name('role'), ['collection-read', 'media-play']];
        const role = how === 'update' ? await w.role(['collection-read']) : null;
        const answer = await w.api.post(role?.path ?? '/api2/roles', { display_name, permissions });
        if (!answer.ok) return void invalid(answer);
        sameSet(await permissionsOf(w, role ?? w.made(answer)), ['collection-read'], 'The role’s permissions');
        if (role === null) deleted(await w.api.delete(w.made(answer).path));
      },
    );
  }
  it('together', 'Permissions that are added together may depend on each other, in any order', async (w) => {
    const role = await w.role([]);
    await change(w, role, 'add', ['media-play', 'collection-read', 'media-read']);
    sameSet(await permissionsOf(w, role), withDependencies(['media-play']), 'The role’s permissions');
  });
  it('example', 'Adding media-play requires media-read and collection-read', async (w) => {
    const role = await w.role(['collection-read']);
    await change(w, role, 'add', ['media-play']);
    hasNot(await permissionsOf(w, role), 'media-play', 'The role');
    await change(w, role, 'add', ['media-read']);
    await change(w, role, 'add', ['media-play']);
    has(await permissionsOf(w, role), 'media-play', 'The role');
  });
});

export const permissionCases: Case[] = [...deeds, ...dependencies];
