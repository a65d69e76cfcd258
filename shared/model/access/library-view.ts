import { ALL_PERMISSIONS, bit, closed, type PermissionMask } from '../../api/permission-sets.ts';
import type { AccessSubject } from '../../contract/admin/access.ts';
import { groupedBy } from '../grouped-by.ts';
import { sortKey } from '../sort-key.ts';
import { type AccessFacts, chainOf, type FactCollection, maskOfRole } from './access-facts.ts';
import { holderTest } from './explain-access.ts';

/** A collection as a user or a group finds it in the library, before and after a planned change. */
export interface ViewedCollection {
  collectionId: string;
  name: string;
  /** The number of visible collections above it. */
  depth: number;
  /** The permissions before the change; 0: not visible. */
  was: PermissionMask;
  is: PermissionMask;
}

/**
 * Returns the collections that a subject sees before or after a change, in the order of the tree. A visible collection below a hidden one
 * is listed below the nearest visible one, or at the top. `after`: the same facts as `before` without a change.
 */
export function libraryAs(before: AccessFacts, after: AccessFacts, subject: AccessSubject): ViewedCollection[] {
  const was = maskTest(before, subject);
  const is = before === after ? was : maskTest(after, subject);
  const { roots, below } = treeOf(before);
  const rows: ViewedCollection[] = [];
  const open = roots.map((collection) => ({ collection, depth: 0 })).reverse();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { collection, depth } = next;
    const row = { was: was(collection.id), is: is(collection.id) };
    const isShown = row.was !== 0 || row.is !== 0;
    if (isShown) rows.push({ collectionId: collection.id, name: collection.name, depth, ...row });
    const childDepth = isShown ? depth + 1 : depth;
    const children = (below.get(collection.id) ?? []).map((child) => ({ collection: child, depth: childDepth }));
    open.push(...children.reverse());
  }
  return rows;
}

/** Returns the permissions of a subject by collection, 0 where the subject does not even see the collection. */
function maskTest(facts: AccessFacts, subject: AccessSubject): (collectionId: string) => PermissionMask {
  if (subject.kind === 'user' && facts.users.get(subject.id)?.isAdmin === true) return () => ALL_PERMISSIONS;
  const holds = holderTest(facts, subject);
  const own = new Map<string, PermissionMask>();
  for (const [collectionId, memberships] of facts.memberships) {
    let mask = 0;
    for (const membership of memberships) if (holds(membership)) mask |= maskOfRole(facts, membership.roleId);
    if (mask !== 0) own.set(collectionId, mask);
  }
  return (collectionId) => {
    let mask = 0;
    for (const { id } of chainOf(facts, collectionId)) mask |= own.get(id) ?? 0;
    const effective = closed(mask);
    return (effective & bit('collection-read')) === 0 ? 0 : effective;
  };
}

/** Returns the collections at the top, and those below each, by name. Collections in a cycle have no way to the top: none is listed. */
function treeOf({ collections }: AccessFacts): {
  roots: FactCollection[];
  below: ReadonlyMap<string, FactCollection[]>;
} {
  const keyed = [...collections.values()].map((collection) => ({ collection, key: sortKey(collection.name) }));
  keyed.sort((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0));
  const sorted = keyed.map(({ collection }) => collection);
  const isRoot = ({ parentId }: FactCollection) => parentId === null || !collections.has(parentId);
  return {
    roots: sorted.filter(isRoot),
    below: groupedBy(
      sorted.filter((collection) => !isRoot(collection)),
      ({ parentId }) => parentId ?? '',
    ),
  };
}
