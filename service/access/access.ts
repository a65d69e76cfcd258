import { bit, maskOf, type Permission } from '../../shared/api/permission-sets.ts';
import type { Condition } from '../database/condition.ts';
import type { Store } from '../database/store.ts';
import { type EffectiveAccess, effectiveAccess, type Grant, type TreeRow } from './effective-permissions.ts';

/** The rights of one user in each collection. */
export interface Access {
  may(permission: Permission, collectionId: number): boolean;
  /**
   * Returns a function that makes a SQL condition for a column of collection ids: true where the user has the permission.
   * Returns undefined when the user has the permission in every collection.
   */
  condition(permission: Permission): ((column: string) => Condition) | undefined;
  /** The access in each collection in which there is any; empty for an administrator, who may do everything. */
  effective(): ReadonlyMap<number, EffectiveAccess>;
}

/** Computes the access of users and groups: on first use, and again after a change in the database that affects it. */
export interface AccessRegister {
  of(caller: { userId: number; isAdmin: boolean }): Promise<Access>;
  /** The access that a group gives its members. */
  ofGroup(groupId: number): Promise<Access>;
  /** The access of anonymous visitors: the roles of the public group. */
  ofPublic(): Promise<Access>;
}

const ADMIN: Access = {
  may: () => true,
  condition: () => undefined,
  effective: () => new Map(),
};

/** The number of different sets of grants that are cached; users with the same grants share one. */
const MAX_KNOWN = 100;

export function createAccessRegister(store: Store): AccessRegister {
  async function accessOf(holder: string, grantsOf: () => Promise<Grant[]>): Promise<Access> {
    const { tree, holders, known } = await store.derived('access', 'access', () => emptyCache(store));
    let key = holders.get(holder);
    let grants: Grant[] | undefined;
    if (key === undefined) {
      grants = await grantsOf();
      key = JSON.stringify(grants);
      holders.set(holder, key);
    }
    const access = known.get(key) ?? accessFrom(effectiveAccess(tree, grants ?? (await grantsOf())), tree.length);
    // Reinserts the entry, so that the most recently used entry is the last one.
    known.delete(key);
    known.set(key, access);
    for (const oldest of known.keys()) {
      if (known.size <= MAX_KNOWN) break;
      known.delete(oldest);
    }
    return access;
  }

  return {
    of: async ({ userId, isAdmin }) =>
      isAdmin ? ADMIN : await accessOf(`user ${userId}`, () => grantsOfUser(store, userId)),
    ofGroup: (groupId) => accessOf(`group ${groupId}`, () => grantsOfGroup(store, groupId)),
    ofPublic: () => accessOf('public', () => grantsOfBuiltIn(store, ['public'])),
  };
}

/** The cache for the present tree and the present grants. */
interface Known {
  tree: readonly TreeRow[];
  /** The grants of each user and group, as text. */
  holders: Map<string, string>;
  /** The access that each cached set of grants gives. */
  known: Map<string, Access>;
}

async function emptyCache(store: Store): Promise<Known> {
  return { tree: await readTree(store), holders: new Map(), known: new Map() };
}

function accessFrom(effective: Map<number, EffectiveAccess>, collections: number): Access {
  const conditions = new Map<Permission, ReturnType<Access['condition']>>();
  const may = (permission: Permission, collectionId: number) =>
    ((effective.get(collectionId)?.mask ?? 0) & bit(permission)) !== 0;
  return {
    may,
    condition(permission) {
      if (!conditions.has(permission)) {
        const ids = [...effective.keys()].filter((id) => may(permission, id));
        conditions.set(permission, conditionFor(ids, collections));
      }
      return conditions.get(permission);
    },
    effective: () => effective,
  };
}

/** Up to this share of the collections, a condition lists their ids; above this share, it tests a map of all collections. */
const FEW = 1 / 100;

function conditionFor(ids: readonly number[], collections: number): ReturnType<Access['condition']> {
  if (ids.length === collections) return undefined;
  if (ids.length === 0) return () => ({ sql: 'FALSE', params: [] });
  if (ids.length <= collections * FEW) {
    const list = JSON.stringify(ids);
    return (column) => ({ sql: `${column} IN (SELECT value FROM json_each(?))`, params: [list] });
  }
  // One byte for each collection, addressed by its id: the cheapest test for each of a hundred thousand rows.
  const map = new Uint8Array(ids.reduce((largest, id) => Math.max(largest, id), 0));
  for (const id of ids) map[id - 1] = 1;
  return (column) => ({ sql: `substr(?, ${column}, 1) > x'00'`, params: [map] });
}

async function readTree(store: Store): Promise<TreeRow[]> {
  return (
    await store.all<{ id: number; parent_id: number | null; inherit_memberships: number }>(
      'SELECT id, parent_id, inherit_memberships FROM collections',
    )
  ).map((row) => ({ ...row, inherit_memberships: row.inherit_memberships === 1 }));
}

interface GrantRow {
  collection_id: number;
  role_id: number;
  permissions: string;
}

const GRANT_COLUMNS = 'm.collection_id, m.role_id, r.permissions FROM memberships m JOIN roles r ON r.id = m.role_id';

/** Returns the user's own memberships, those of the user's groups, and those of the two built-in groups of every user. */
async function grantsOfUser(store: Store, userId: number): Promise<Grant[]> {
  const rows = await store.all<GrantRow>(
    `SELECT ${GRANT_COLUMNS} WHERE m.user_id = ?
       OR m.group_id IN (SELECT group_id FROM group_users WHERE user_id = ?)`,
    userId,
    userId,
  );
  return [...rows.map(toGrant), ...(await grantsOfBuiltIn(store, ['public', 'registered-users']))];
}

async function grantsOfGroup(store: Store, groupId: number): Promise<Grant[]> {
  return (await store.all<GrantRow>(`SELECT ${GRANT_COLUMNS} WHERE m.group_id = ?`, groupId)).map(toGrant);
}

async function grantsOfBuiltIn(store: Store, names: string[]): Promise<Grant[]> {
  return (
    await store.all<GrantRow>(
      `SELECT ${GRANT_COLUMNS} JOIN groups g ON g.id = m.group_id
       WHERE g.built_in IN (SELECT atom FROM json_each(?))`,
      JSON.stringify(names),
    )
  ).map(toGrant);
}

function toGrant(row: GrantRow): Grant {
  return {
    collectionId: row.collection_id,
    roleId: row.role_id,
    mask: maskOf(JSON.parse(row.permissions) as string[]),
  };
}
