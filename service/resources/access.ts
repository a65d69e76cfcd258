import type { Store } from '../store/database.ts';
import { type EffectiveAccess, effectiveAccess, type Grant, type TreeRow } from './effective-permissions.ts';
import { bit, maskOf, type Permission } from './permissions.ts';

/** What one person may do in each collection. */
export interface Access {
  may(permission: Permission, collectionId: number): boolean;
  /** Ids of the collections where the permission is held; `all` instead of a list for those who hold it everywhere. */
  where(permission: Permission): readonly number[] | 'all';
  /** The same as a condition on a column of collection ids, in whichever form is shorter; undefined for everywhere. */
  condition(permission: Permission): ((column: string) => { sql: string; params: [string] }) | undefined;
  effective(): ReadonlyMap<number, EffectiveAccess>;
}

export interface AccessRegister {
  of(caller: { userId: number; isAdmin: boolean }): Access;
  /** What a group gives to those who are in it. */
  ofGroup(groupId: number): Access;
  /** What anyone may do who has not signed in: the roles of the public group. */
  ofPublic(): Access;
  /** To be called after any change to collections, roles, memberships or groups. */
  invalidate(): void;
}

const ADMIN: Access = {
  may: () => true,
  where: () => 'all',
  condition: () => undefined,
  effective: () => new Map(),
};

/** Calculates access on first use and keeps it until something changes that it rests on. */
export function createAccessRegister(store: Store): AccessRegister {
  let tree: TreeRow[] | undefined;
  const known = new Map<string, Access>();

  function calculate(key: string, grants: () => Grant[]): Access {
    const held = known.get(key);
    if (held) return held;
    tree ??= readTree(store);
    const access = accessFrom(effectiveAccess(tree, grants()), tree);
    known.set(key, access);
    return access;
  }

  return {
    of: ({ userId, isAdmin }) => (isAdmin ? ADMIN : calculate(`user ${userId}`, () => grantsOfUser(store, userId))),
    ofGroup: (groupId) => calculate(`group ${groupId}`, () => grantsOfGroup(store, groupId)),
    ofPublic: () => calculate('public', () => grantsOfBuiltIn(store, ['public'])),
    invalidate() {
      tree = undefined;
      known.clear();
    },
  };
}

function accessFrom(effective: Map<number, EffectiveAccess>, tree: readonly TreeRow[]): Access {
  const may = (permission: Permission, collectionId: number) =>
    ((effective.get(collectionId)?.mask ?? 0) & bit(permission)) !== 0;
  const lists = new Map<Permission, number[]>();
  const conditions = new Map<Permission, ReturnType<Access['condition']>>();

  function where(permission: Permission): readonly number[] {
    const ids = lists.get(permission) ?? [...effective.keys()].filter((id) => may(permission, id));
    lists.set(permission, ids);
    return ids;
  }

  return {
    may,
    where,
    condition(permission) {
      if (!conditions.has(permission)) conditions.set(permission, conditionFor(where(permission), tree));
      return conditions.get(permission);
    },
    effective: () => effective,
  };
}

/** The unary plus keeps SQLite from starting with this list: a page is found by walking the order that it is asked in. */
function conditionFor(ids: readonly number[], tree: readonly TreeRow[]): ReturnType<Access['condition']> {
  if (ids.length === tree.length) return undefined;
  const inside = ids.length * 2 <= tree.length;
  const held = new Set(ids);
  const list = JSON.stringify(inside ? ids : tree.map((row) => row.id).filter((id) => !held.has(id)));
  const operator = inside ? 'IN' : 'NOT IN';
  return (column) => ({ sql: `+${column} ${operator} (SELECT value FROM json_each(?))`, params: [list] });
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

function grantsOfGroup(store: Store, groupId: number): Grant[] {
  return store.all<GrantRow>(`SELECT ${GRANT_COLUMNS} WHERE m.group_id = ?`, groupId).map(toGrant);
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
