import { maskOf, type PermissionMask } from '../../api/permission-sets.ts';
import type { AccessSubject } from '../../contract/admin/access.ts';

export interface FactUser {
  id: string;
  name: string;
  email: string;
  isAdmin: boolean;
  /** Without the built-in groups. */
  groupIds: readonly string[];
}

export interface FactGroup {
  id: string;
  name: string;
  builtIn: 'public' | 'registered-users' | null;
}

export interface FactRole {
  id: string;
  name: string;
  permissions: readonly string[];
}

export interface FactCollection {
  id: string;
  /** null: at the top, or the parent is not visible. */
  parentId: string | null;
  name: string;
  /** Whether the roles in its parent count in it as well. */
  inherits: boolean;
}

/** The role of one user or group in one collection. */
export interface FactMembership {
  id: string;
  subject: AccessSubject;
  collectionId: string;
  roleId: string;
}

/** All facts of a library that decide who may do what. */
export interface AccessFacts {
  users: ReadonlyMap<string, FactUser>;
  groups: ReadonlyMap<string, FactGroup>;
  roles: ReadonlyMap<string, FactRole>;
  collections: ReadonlyMap<string, FactCollection>;
  /** By collection. */
  memberships: ReadonlyMap<string, readonly FactMembership[]>;
}

/** Returns the collection and those above it whose roles count in it, from the innermost on. A cycle ends where it began. */
export function chainOf({ collections }: AccessFacts, collectionId: string): FactCollection[] {
  const chain: FactCollection[] = [];
  const seen = new Set<string>();
  let next = collections.get(collectionId);
  while (next !== undefined && !seen.has(next.id)) {
    chain.push(next);
    seen.add(next.id);
    next = next.inherits && next.parentId !== null ? collections.get(next.parentId) : undefined;
  }
  return chain;
}

/** Returns the names of the collections above a collection and its own, from the top. */
export function pathTo({ collections }: Pick<AccessFacts, 'collections'>, collectionId: string): string[] {
  const path: string[] = [];
  const seen = new Set<string>();
  let next = collections.get(collectionId);
  while (next !== undefined && !seen.has(next.id)) {
    path.unshift(next.name);
    seen.add(next.id);
    next = next.parentId === null ? undefined : collections.get(next.parentId);
  }
  return path;
}

/** Returns the groups to which a user belongs: the own ones, and the built-in ones. */
export function groupsOfUser({ groups }: Pick<AccessFacts, 'groups'>, user: FactUser): Set<string> {
  const ids = new Set(user.groupIds);
  for (const { id, builtIn } of groups.values()) if (builtIn !== null) ids.add(id);
  return ids;
}

/** Returns the facts with other memberships in one collection. */
export function withMemberships(
  facts: AccessFacts,
  collectionId: string,
  change: (before: readonly FactMembership[]) => readonly FactMembership[],
): AccessFacts {
  const memberships = new Map(facts.memberships);
  memberships.set(collectionId, change(facts.memberships.get(collectionId) ?? []));
  return { ...facts, memberships };
}

/** Returns the membership with this id. */
export function membershipById({ memberships }: AccessFacts, id: string): FactMembership | undefined {
  for (const each of memberships.values()) {
    const found = each.find((membership) => membership.id === id);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function isSameSubject(one: AccessSubject, other: AccessSubject): boolean {
  return one.kind === other.kind && one.id === other.id;
}

export function maskOfRole({ roles }: AccessFacts, roleId: string): PermissionMask {
  return maskOf([...(roles.get(roleId)?.permissions ?? [])]);
}
