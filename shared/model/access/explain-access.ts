import { PERMISSIONS, type Permission } from '../../api/permissions.ts';
import type { AccessSubject, Way } from '../../contract/admin/access.ts';
import { type AccessFacts, chainOf, type FactMembership, groupsOfUser } from './access-facts.ts';

/**
 * Returns every way in which a subject gets permissions in a collection, the nearest memberships first. For a user, the roles of the
 * user's groups count, those of the two built-in groups included; for a group only its own roles.
 */
export function waysTo(facts: AccessFacts, subject: AccessSubject, collectionId: string): Way[] {
  const holds = holderTest(facts, subject);
  const ways: Way[] = [];
  const user = subject.kind === 'user' ? facts.users.get(subject.id) : undefined;
  if (user?.isAdmin === true) {
    ways.push({
      kind: 'administrator',
      membershipId: null,
      group: null,
      collection: null,
      role: null,
      permissions: [...PERMISSIONS],
    });
  }
  for (const [levels, { id, name }] of chainOf(facts, collectionId).entries()) {
    for (const membership of facts.memberships.get(id) ?? []) {
      if (holds(membership)) ways.push(wayBy(facts, membership, { id, name, levels }, subject));
    }
  }
  return ways;
}

/** Returns the permissions of all ways together: the known ones in the order of the API's table, then others by name. */
export function permissionsBy(ways: readonly Way[]): string[] {
  return permissionsInOrder(ways.flatMap(({ permissions }) => permissions));
}

/** Returns each name once: the known permissions in the order of the API's table, then others by name. */
export function permissionsInOrder(names: readonly string[]): string[] {
  const given = new Set(names);
  const known: readonly string[] = PERMISSIONS.filter((name) => given.has(name));
  return [...known, ...[...given].filter((name) => !PERMISSIONS.some((each) => each === name)).sort()];
}

export function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  const set = new Set(one);
  return set.size === new Set(other).size && other.every((name) => set.has(name));
}

/**
 * Returns the collections with a membership of a subject, or of its groups. In every other collection, the subject has what it has in the
 * collection above, or nothing.
 */
export function placesOf(facts: AccessFacts, subject: AccessSubject): string[] {
  const holds = holderTest(facts, subject);
  const places: string[] = [];
  for (const [collectionId, memberships] of facts.memberships) {
    if (facts.collections.has(collectionId) && memberships.some(holds)) places.push(collectionId);
  }
  return places;
}

/** Returns the ids of the users who have a permission in a collection, and whether visitors have it. */
export function whoMay(
  facts: AccessFacts,
  collectionId: string,
  permission: Permission,
): { ids: string[]; isPublic: boolean } {
  const ids: string[] = [];
  const gives = ({ roleId }: FactMembership) => facts.roles.get(roleId)?.permissions.includes(permission) === true;
  const giving = chainOf(facts, collectionId).flatMap(({ id }) => (facts.memberships.get(id) ?? []).filter(gives));
  const direct = new Set<string>();
  const viaGroups = new Set<string>();
  for (const { subject } of giving) (subject.kind === 'user' ? direct : viaGroups).add(subject.id);
  const isForAll = [...viaGroups].some((id) => (facts.groups.get(id)?.builtIn ?? null) !== null);
  for (const user of facts.users.values()) {
    const may =
      isForAll || user.isAdmin || direct.has(user.id) || user.groupIds.some((groupId) => viaGroups.has(groupId));
    if (may) ids.push(user.id);
  }
  return { ids, isPublic: [...viaGroups].some((id) => facts.groups.get(id)?.builtIn === 'public') };
}

/** Returns a test of whether a membership counts for a subject: for a user, also those of the user's groups. */
export function holderTest(facts: AccessFacts, subject: AccessSubject): (membership: FactMembership) => boolean {
  const user = subject.kind === 'user' ? facts.users.get(subject.id) : undefined;
  const groupIds = user === undefined ? new Set<string>() : groupsOfUser(facts, user);
  if (subject.kind === 'group') groupIds.add(subject.id);
  return ({ subject: { kind, id } }) =>
    kind === 'user' ? subject.kind === 'user' && id === subject.id : groupIds.has(id);
}

function wayBy(
  { groups, roles }: AccessFacts,
  { id, subject: { kind, id: holderId }, roleId }: FactMembership,
  collection: Way['collection'],
  asked: AccessSubject,
): Way {
  const role = roles.get(roleId);
  const isOwn = kind === asked.kind;
  return {
    kind: 'membership',
    membershipId: id,
    group: isOwn ? null : { id: holderId, name: groups.get(holderId)?.name ?? '' },
    collection,
    role: { id: roleId, name: role?.name ?? '' },
    permissions: permissionsInOrder(role?.permissions ?? []),
  };
}
