import type { Store } from '../store/database.ts';
import { type EffectiveAccess, effectiveAccess, type Grant, type TreeRow } from './effective-permissions.ts';
import { bit, maskOf, type Permission } from './permissions.ts';

/** What one person may do in each collection. */
export interface Access {
  may(permission: Permission, collectionId: number): boolean;
  /** Ids of the collections where the permission is held; `all` instead of a list for those who hold it everywhere. */
  where(permission: Permission): readonly number[] | 'all';
  effective(): ReadonlyMap<number, EffectiveAccess>;
}

export interface AccessRegister {
  of(caller: { userId: number; isAdmin: boolean }): Access;
  /** What anyone may do who has not signed in: the roles of the public group. */
  ofPublic(): Access;
  /** To be called after any change to collections, roles, memberships or groups. */
  invalidate(): void;
}

const ADMIN: Access = { may: () => true, where: () => 'all', effective: () => new Map() };

/** Calculates access on first use and keeps it until something changes that it rests on. */
export function createAccessRegister(store: Store): AccessRegister {
  let tree: TreeRow[] | undefined;
  const known = new Map<string, Access>();

  function calculate(key: string, grants: () => Grant[]): Access {
    const held = known.get(key);
    if (held) return held;
    tree ??= readTree(store);
    const access = accessFrom(effectiveAccess(tree, grants()));
    known.set(key, access);
    return access;
  }

  return {
    of: ({ userId, isAdmin }) => (isAdmin ? ADMIN : calculate(`user ${userId}`, () => grantsOfUser(store, userId))),
    ofPublic: () => calculate('public', () => grantsOfBuiltIn(store, ['public'])),
    invalidate() {
      tree = undefined;
      known.clear();
    },
  };
}

function accessFrom(effective: Map<number, EffectiveAccess>): Access {
  const lists = new Map<Permission, number[]>();
  return {
    may: (permission, collectionId) => ((effective.get(collectionId)?.mask ?? 0) & bit(permission)) !== 0,
    where(permission) {
      let ids = lists.get(permission);
      if (!ids) {
        const wanted = bit(permission);
        ids = [...effective].filter(([, { mask }]) => (mask & wanted) !== 0).map(([id]) => id);
        lists.set(permission, ids);
      }
      return ids;
    },
    effective: () => effective,
  };
}

function readTree(store: Store): TreeRow[] {
  return store
    .all<{ id: number; parent_id: number | null; inherit_memberships: number }>(
      'SELECT id, parent_id, inherit_memberships FROM collections',
    )
    .map((row) => ({ ...row, inherit_memberships: row.inherit_memberships === 1 }));
}

interface GrantRow {
  collection_id: number;
  role_id: number;
  permissions: string;
}

const GRANT_COLUMNS = 'm.collection_id, m.role_id, r.permissions FROM memberships m JOIN roles r ON r.id = m.role_id';

/** Own memberships, those of the groups the user is in, and those of the two groups that everyone signed in is in. */
function grantsOfUser(store: Store, userId: number): Grant[] {
  const rows = store.all<GrantRow>(
    `SELECT ${GRANT_COLUMNS} WHERE m.user_id = ?
       OR m.group_id IN (SELECT group_id FROM group_users WHERE user_id = ?)`,
    userId,
    userId,
  );
  return [...rows.map(toGrant), ...grantsOfBuiltIn(store, ['public', 'registered-users'])];
}

function grantsOfBuiltIn(store: Store, names: string[]): Grant[] {
  return store
    .all<GrantRow>(
      `SELECT ${GRANT_COLUMNS} JOIN groups g ON g.id = m.group_id
       WHERE g.built_in IN (SELECT value FROM json_each(?))`,
      JSON.stringify(names),
    )
    .map(toGrant);
}

function toGrant(row: GrantRow): Grant {
  return {
    collectionId: row.collection_id,
    roleId: row.role_id,
    mask: maskOf(JSON.parse(row.permissions) as string[]),
  };
}
