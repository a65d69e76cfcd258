import type { ReportPlace, ReportWay } from '../../contract/admin/access.ts';
import { sortKey } from '../sort-key.ts';
import {
  type AccessFacts,
  chainOf,
  type FactCollection,
  type FactMembership,
  type FactUser,
  groupsOfUser,
  pathTo,
} from './access-facts.ts';
import { permissionsInOrder } from './explain-access.ts';

interface Place {
  id: string;
  path: string[];
  /** The collection and those above it whose roles count in it. */
  chain: readonly FactCollection[];
}

/** The memberships of one user or group that give at least one permission, by collection. */
type Held = Map<string, FactMembership[]>;

/**
 * Returns a function that lists the collections in which a user has at least one permission, by path, with the ways to them: the same
 * that `waysTo` and `permissionsBy` return for one collection. `collectionId` null: all collections. Administrators, who may do everything
 * everywhere, are not treated in another way.
 */
export function reachIn(facts: AccessFacts, collectionId: string | null): (user: FactUser) => ReportPlace[] {
  const places = placesIn(facts, collectionId);
  const held = heldBySubject(facts);
  // What many users have by the same groups is built once.
  const shared = new Map<string, ReportPlace>();

  function placeBy(place: Place, memberships: readonly FactMembership[]): ReportPlace {
    if (memberships.some(({ subject }) => subject.kind === 'user')) return reportPlace(facts, place, memberships);
    const key = [place.id, ...memberships.map(({ id }) => id)].join(' ');
    const known = shared.get(key) ?? reportPlace(facts, place, memberships);
    shared.set(key, known);
    return known;
  }

  return (user) => {
    const all = [`user ${user.id}`, ...[...groupsOfUser(facts, user)].map((id) => `group ${id}`)].flatMap(
      (key) => held.get(key) ?? [],
    );
    if (all.length === 0) return [];
    return places.flatMap((place) => {
      const memberships = place.chain.flatMap(({ id }) => all.flatMap((each) => each.get(id) ?? []));
      return memberships.length === 0 ? [] : [placeBy(place, memberships)];
    });
  };
}

function placesIn(facts: AccessFacts, collectionId: string | null): Place[] {
  const ids = collectionId === null ? [...facts.collections.keys()] : [collectionId];
  return ids
    .map((id) => {
      const path = pathTo(facts, id);
      return { id, path, chain: chainOf(facts, id), key: sortKey(path.join('\u0001')) };
    })
    .sort((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0));
}

function heldBySubject({ memberships, roles }: AccessFacts): ReadonlyMap<string, Held> {
  const by = new Map<string, Held>();
  for (const [collectionId, each] of memberships) {
    for (const membership of each) {
      if ((roles.get(membership.roleId)?.permissions.length ?? 0) === 0) continue;
      const key = `${membership.subject.kind} ${membership.subject.id}`;
      const held: Held = by.get(key) ?? new Map();
      held.set(collectionId, [...(held.get(collectionId) ?? []), membership]);
      by.set(key, held);
    }
  }
  return by;
}

function reportPlace(facts: AccessFacts, { id, path }: Place, memberships: readonly FactMembership[]): ReportPlace {
  const { roles, groups } = facts;
  const ways = memberships.map(({ subject, collectionId, roleId }): ReportWay => {
    const isInherited = collectionId !== id;
    return {
      role: { id: roleId, name: roles.get(roleId)?.name ?? '' },
      group: subject.kind === 'user' ? null : { id: subject.id, name: groups.get(subject.id)?.name ?? '' },
      inheritedFrom: isInherited ? { id: collectionId, path: pathTo(facts, collectionId) } : null,
    };
  });
  const permissions = permissionsInOrder(memberships.flatMap(({ roleId }) => roles.get(roleId)?.permissions ?? []));
  return { collectionId: id, path, permissions, ways };
}
