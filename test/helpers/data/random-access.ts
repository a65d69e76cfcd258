// Random libraries with what the service calculates for them, for tests of access.
import fc from 'fast-check';
import { type EffectiveAccess, effectiveAccess, type Grant } from '../../../service/access/effective-permissions.ts';
import { ALL_PERMISSIONS, closed, maskOf, namesOf } from '../../../shared/api/permission-sets.ts';
import type { AccessFacts, FactMembership } from '../../../shared/model/access/access-facts.ts';

const GROUPS = [
  { id: '1', name: 'Public', builtIn: 'public' as const },
  { id: '2', name: 'Registered users', builtIn: 'registered-users' as const },
  ...['3', '4', '5'].map((id) => ({ id, name: `Group ${id}`, builtIn: null })),
];

const byId = <T extends { id: string }>(items: readonly T[]) => new Map(items.map((item) => [item.id, item]));

/** A library with up to twelve collections in several trees, five users, five groups and four roles. */
export const libraries: fc.Arbitrary<AccessFacts> = fc
  .record({
    collections: fc.array(fc.record({ parent: fc.nat(20), inherits: fc.boolean() }), { minLength: 1, maxLength: 12 }),
    users: fc.array(
      fc.record({ isAdmin: fc.nat(9).map((digit) => digit === 0), groupIds: fc.subarray(['3', '4', '5']) }),
      { minLength: 1, maxLength: 5 },
    ),
    roles: fc.array(fc.nat(ALL_PERMISSIONS), { minLength: 1, maxLength: 4 }),
    memberships: fc.array(fc.record({ subject: fc.nat(9), collection: fc.nat(11), role: fc.nat(3) }), {
      maxLength: 14,
    }),
  })
  .map(({ collections, users, roles, memberships }) => {
    const people = users.map((user, index) => ({ ...user, id: `${index + 1}`, name: `User ${index + 1}`, email: '' }));
    const places = collections.map(({ parent, inherits }, index) => ({
      id: `${index + 1}`,
      name: `Collection ${index + 1}`,
      inherits,
      parentId: parent < index ? `${parent + 1}` : null,
    }));
    // A subject has one role in a collection: the last one counts.
    const held = new Map<string, FactMembership>();
    for (const [index, { subject, collection, role }] of memberships.entries()) {
      const kind = subject < 5 ? ('user' as const) : ('group' as const);
      const id = subject < 5 ? people[subject % people.length]?.id : GROUPS[subject - 5]?.id;
      const collectionId = places[collection % places.length]?.id ?? '';
      const membership = {
        id: `m${index}`,
        subject: { kind, id: id ?? '' },
        collectionId,
        roleId: `${(role % roles.length) + 1}`,
      };
      held.set(`${kind} ${id} ${collectionId}`, membership);
    }
    const by = new Map<string, FactMembership[]>();
    for (const membership of held.values()) {
      by.set(membership.collectionId, [...(by.get(membership.collectionId) ?? []), membership]);
    }
    return {
      users: byId(people),
      groups: byId(GROUPS),
      roles: byId(
        roles.map((mask, index) => ({
          id: `${index + 1}`,
          name: `Role ${index + 1}`,
          permissions: namesOf(closed(mask)),
        })),
      ),
      collections: byId(places),
      memberships: by,
    };
  });

/** The roles and permissions of a user in each collection, as the service calculates them for a user who is no administrator. */
export function accessOf(facts: AccessFacts, userId: string): ReadonlyMap<number, EffectiveAccess> {
  const user = facts.users.get(userId);
  const groupIds = new Set([...(user?.groupIds ?? []), '1', '2']);
  const grants = [...facts.memberships.values()].flat().flatMap(({ subject, collectionId, roleId }): Grant[] => {
    const counts = subject.kind === 'user' ? subject.id === userId : groupIds.has(subject.id);
    const mask = maskOf([...(facts.roles.get(roleId)?.permissions ?? [])]);
    return counts ? [{ collectionId: Number(collectionId), roleId: Number(roleId), mask }] : [];
  });
  const tree = [...facts.collections.values()].map(({ id, parentId, inherits }) => ({
    id: Number(id),
    parent_id: parentId === null ? null : Number(parentId),
    inherit_memberships: inherits,
  }));
  return effectiveAccess(tree, grants);
}

/** The permissions of a user in each collection, as the service calculates them. */
export function calculated(facts: AccessFacts, userId: string): Map<string, number> {
  const ids = [...facts.collections.keys()];
  if (facts.users.get(userId)?.isAdmin === true) return new Map(ids.map((id) => [id, ALL_PERMISSIONS]));
  const access = accessOf(facts, userId);
  return new Map(ids.map((id) => [id, access.get(Number(id))?.mask ?? 0]));
}
