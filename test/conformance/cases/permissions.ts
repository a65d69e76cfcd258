import type { Answer } from '../http/answer.ts';
import { type AddCase, type Case, casesOf } from '../suite/case.ts';
import { done, has, hasNot, hasStatus, notAllowed, sameSet } from '../suite/expect.ts';
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
  it('media-play-holder', 'A user with media-play and media-download can fetch the content of media', async (w) => {
    const { file } = await audioItem(w);
    const { api } = await w.second();
    await w.grant({ ...file, id: await shelfOf(w) }, ['media-play', 'media-download']);
    hasStatus(await api.get(`${file.path}/content`), 302);
  });
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
  it('by-group', 'A membership of a group gives its members the permissions of the role', async (w) => {
    const { api, userId, collection } = await w.holding([]);
    const [group, role] = [await w.group(), await w.role(['collection-read'])];
    done(await w.api.post(`${group.path}/add-users`, { user_ids: [userId] }));
    await w.membership({ group_id: group.id, role_id: role.id, collection_id: collection.id });
    done(await api.get(collection.path));
  });
  it('withdrawn', 'Deleting a membership removes the permissions that it gave', async (w) => {
    const { api, userId, collection } = await w.holding([]);
    const role = await w.role(['collection-read']);
    const membership = await w.membership({ user_id: userId, role_id: role.id, collection_id: collection.id });
    done(await api.get(collection.path));
    done(await w.api.delete(membership.path));
    notAllowed(await api.get(collection.path));
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
