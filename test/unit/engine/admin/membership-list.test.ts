import { describe, expect, it } from 'vitest';
import type { Directory } from '../../../../electron/engine/admin/directory.ts';
import { createMembershipList } from '../../../../electron/engine/admin/membership-list.ts';
import type { FactMembership } from '../../../../shared/model/access/access-facts.ts';

/** A map that counts how often all its entries are read. */
class CountingMap<V> extends Map<string, V> {
  reads = 0;

  override [Symbol.iterator](): MapIterator<[string, V]> {
    this.reads += 1;
    return super[Symbol.iterator]();
  }
}

const membership = (id: string, userId: string): FactMembership => ({
  id,
  subject: { kind: 'user', id: userId },
  collectionId: 'c',
  roleId: 'r',
});

function directoryOf(
  ...memberships: FactMembership[]
): Directory & { memberships: CountingMap<readonly FactMembership[]> } {
  return {
    users: new Map(),
    groups: new Map(),
    roles: new Map(),
    collections: new Map(),
    memberships: new CountingMap([['c', memberships]]),
    skipped: 0,
    revision: 0,
    readAt: 0,
  };
}

const ALL = { subject: null, collectionId: null, roleId: null };

describe('a list of memberships', () => {
  it('is sorted once for all its pages, and again after a change, for another filter or another directory', () => {
    const { rowsOf } = createMembershipList();
    const directory = directoryOf(membership('1', 'u'), membership('2', 'v'));
    for (let page = 0; page < 5; page++) expect(rowsOf(directory, ALL)).toHaveLength(2);
    expect(directory.memberships.reads).toBe(1);
    const own = { ...ALL, subject: { kind: 'user' as const, id: 'v' } };
    expect(rowsOf(directory, own).map(({ id }) => id)).toEqual(['2']);
    expect(rowsOf(directory, { ...own, subject: { kind: 'group', id: 'v' } })).toEqual([]);
    directory.memberships.set('c', [membership('3', 'v')]);
    directory.revision += 1;
    expect(rowsOf(directory, own).map(({ id }) => id)).toEqual(['3']);
    expect(rowsOf(directoryOf(membership('4', 'v')), own).map(({ id }) => id)).toEqual(['4']);
    expect(rowsOf(directory, own).map(({ id }) => id)).toEqual(['3']);
  });
});
