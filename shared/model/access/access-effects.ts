import { bit, maskOf, namesOf, type PermissionMask } from '../../api/permission-sets.ts';
import type { AccessChange, AccessEffects, AccessSubject } from '../../contract/admin/access.ts';
import {
  type AccessFacts,
  chainOf,
  type FactMembership,
  isSameSubject,
  maskOfRole,
  membershipById,
  withMemberships,
} from './access-facts.ts';

/** The number of names that an effect lists. */
const MOST_NAMES = 5;
/** The ids of memberships that a plan creates. */
const PLANNED = 'planned';

/** Returns the facts as they are after a planned change. An unknown membership, collection or role changes nothing. */
export function afterChange(facts: AccessFacts, change: AccessChange): AccessFacts {
  switch (change.kind) {
    case 'set':
      return withMemberships(facts, change.collectionId, (before) => replaced(before, change));
    case 'remove': {
      const found = membershipById(facts, change.membershipId);
      if (found === undefined) return facts;
      return withMemberships(facts, found.collectionId, (before) => before.filter(({ id }) => id !== found.id));
    }
    case 'inherit':
      return afterInheritance(facts, change);
    case 'role': {
      const role = facts.roles.get(change.roleId);
      if (role === undefined) return facts;
      const roles = new Map(facts.roles);
      roles.set(role.id, { ...role, permissions: change.permissions });
      return { ...facts, roles };
    }
  }
}

/**
 * Returns the memberships that keep the access of those who have only an inherited role in a collection: for each subject its nearest
 * role. A subject has one role in one collection, so that further inherited roles of the same subject can't be kept.
 */
export function inheritedToKeep(
  facts: AccessFacts,
  collectionId: string,
): { subject: AccessSubject; roleId: string }[] {
  const [own, ...above] = chainOf(facts, collectionId);
  const has = new Set((facts.memberships.get(own?.id ?? '') ?? []).map(({ subject }) => keyOf(subject)));
  const kept: { subject: AccessSubject; roleId: string }[] = [];
  for (const { id } of above) {
    for (const { subject, roleId } of facts.memberships.get(id) ?? []) {
      if (has.has(keyOf(subject))) continue;
      has.add(keyOf(subject));
      kept.push({ subject, roleId });
    }
  }
  return kept;
}

/**
 * Returns how many users gain and lose each permission somewhere by a change. A collection below the changed one that inherits gains
 * and loses nothing that the changed one doesn't, so that only the changed collections are compared. Administrators have every
 * permission before and after it.
 */
export function effectsOf(before: AccessFacts, change: AccessChange): AccessEffects {
  const after = afterChange(before, change);
  const gained = new Map<string, PermissionMask>();
  const lost = new Map<string, PermissionMask>();
  let isPublic = false;
  const membersOf = membersByGroup(before);
  for (const collectionId of changedPlaces(before, change)) {
    const [was, is] = [grantsIn(before, collectionId), grantsIn(after, collectionId)];
    const groupIds = differing(was.groups, is.groups);
    isPublic ||= groupIds.some((id) => before.groups.get(id)?.builtIn === 'public');
    const userIds =
      was.everybody === is.everybody
        ? new Set([...differing(was.users, is.users), ...groupIds.flatMap((id) => membersOf.get(id) ?? [])])
        : before.users.keys();
    for (const userId of userIds) {
      const user = before.users.get(userId);
      if (user === undefined || user.isAdmin) continue;
      const old = maskFor(was, user);
      const now = maskFor(is, user);
      if (old === now) continue;
      gained.set(user.id, (gained.get(user.id) ?? 0) | (now & ~old));
      lost.set(user.id, (lost.get(user.id) ?? 0) | (old & ~now));
    }
  }
  const nameOf = (id: string) => before.users.get(id)?.name || before.users.get(id)?.email || id;
  const inListOrder = [...before.users.keys()].filter((id) => gained.has(id));
  const effects = namesOf(all(gained) | all(lost)).map((permission) => {
    const those = (masks: ReadonlyMap<string, PermissionMask>) =>
      inListOrder.filter((id) => ((masks.get(id) ?? 0) & bit(permission)) !== 0).map(nameOf);
    const [gain, lose] = [those(gained), those(lost)];
    return {
      permission,
      gain: gain.length,
      lose: lose.length,
      gainNames: gain.slice(0, MOST_NAMES),
      loseNames: lose.slice(0, MOST_NAMES),
    };
  });
  return { people: gained.size, effects, isPublic };
}

interface Grants {
  users: ReadonlyMap<string, PermissionMask>;
  groups: ReadonlyMap<string, PermissionMask>;
  /** The permissions of every user, by the built-in groups. */
  everybody: PermissionMask;
}

/** Returns the ids of the users in each group, except the built-in ones. */
function membersByGroup({ users }: AccessFacts): Map<string, string[]> {
  const by = new Map<string, string[]>();
  for (const { id, groupIds } of users.values()) {
    for (const groupId of groupIds) {
      const known = by.get(groupId);
      if (known === undefined) by.set(groupId, [id]);
      else known.push(id);
    }
  }
  return by;
}

/** Returns the keys whose masks are not the same. */
function differing(one: ReadonlyMap<string, PermissionMask>, other: ReadonlyMap<string, PermissionMask>): string[] {
  return [...new Set([...one.keys(), ...other.keys()])].filter((key) => one.get(key) !== other.get(key));
}

function grantsIn(facts: AccessFacts, collectionId: string): Grants {
  const users = new Map<string, PermissionMask>();
  const groups = new Map<string, PermissionMask>();
  let everybody = 0;
  for (const { id } of chainOf(facts, collectionId)) {
    for (const { subject, roleId } of facts.memberships.get(id) ?? []) {
      const mask = maskOfRole(facts, roleId);
      const into = subject.kind === 'user' ? users : groups;
      into.set(subject.id, (into.get(subject.id) ?? 0) | mask);
      if (subject.kind === 'group' && (facts.groups.get(subject.id)?.builtIn ?? null) !== null) everybody |= mask;
    }
  }
  return { users, groups, everybody };
}

function maskFor(grants: Grants, user: { id: string; groupIds: readonly string[] }): PermissionMask {
  let mask = grants.everybody | (grants.users.get(user.id) ?? 0);
  for (const groupId of user.groupIds) mask |= grants.groups.get(groupId) ?? 0;
  return mask;
}

function changedPlaces(facts: AccessFacts, change: AccessChange): string[] {
  switch (change.kind) {
    case 'set':
    case 'inherit':
      return [change.collectionId];
    case 'remove': {
      const found = membershipById(facts, change.membershipId);
      return found === undefined ? [] : [found.collectionId];
    }
    case 'role': {
      if (maskOf(change.permissions) === maskOfRole(facts, change.roleId)) return [];
      return [...facts.memberships]
        .filter(([, memberships]) => memberships.some(({ roleId }) => roleId === change.roleId))
        .map(([collectionId]) => collectionId);
    }
  }
}

function afterInheritance(facts: AccessFacts, change: Extract<AccessChange, { kind: 'inherit' }>): AccessFacts {
  const { collectionId, inherits, keeps } = change;
  const collection = facts.collections.get(collectionId);
  if (collection === undefined) return facts;
  const collections = new Map(facts.collections);
  collections.set(collectionId, { ...collection, inherits });
  const kept = !inherits && keeps ? inheritedToKeep(facts, collectionId) : [];
  const added = kept.map((each): FactMembership => ({ ...each, id: PLANNED, collectionId }));
  return withMemberships({ ...facts, collections }, collectionId, (before) => [...before, ...added]);
}

function replaced(
  before: readonly FactMembership[],
  { collectionId, subject, roleId }: Extract<AccessChange, { kind: 'set' }>,
): FactMembership[] {
  const others = before.filter((membership) => !isSameSubject(membership.subject, subject));
  return [...others, { id: PLANNED, subject, collectionId, roleId }];
}

const keyOf = ({ kind, id }: AccessSubject) => `${kind} ${id}`;

function all(masks: ReadonlyMap<string, PermissionMask>): PermissionMask {
  let any = 0;
  for (const mask of masks.values()) any |= mask;
  return any;
}
