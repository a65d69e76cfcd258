// The tree that the user sees: the collections of the library with the edits that are not sent yet.
import { expect, it } from 'vitest';
import { indexOf, type StoredEntry } from '../../../../electron/engine/library/collections/collection-index.ts';
import { withPendingCollections } from '../../../../electron/engine/library/collections/effective-collections.ts';
import type { CollectionOp } from '../../../../shared/model/edits/collection-ops.ts';

const row = (id: string, parentId: string | null): StoredEntry => ({
  id,
  parentId,
  displayName: `Collection ${id}`,
  slug: `c${id}`,
  isPodcast: false,
  mediaCount: 0,
});
const moved = (base: string, mine: string): CollectionOp[] => [{ kind: 'move-to-parent', v: 1, base, mine }];

/** Returns each shown collection with its shown parent, by id, while these moves are pending. */
function parentsOf(rows: readonly StoredEntry[], moves: Readonly<Record<string, CollectionOp[]>>) {
  const pending = { revision: 1, opsOf: new Map(Object.entries(moves)), asking: new Set<string>() };
  const { nodes } = withPendingCollections(indexOf(rows), pending, (id) => id);
  return Object.fromEntries([...nodes.values()].map(({ row: shown }) => [shown.id, shown.parentId]));
}

it('a collection is shown at the target of its pending move', () => {
  const rows = [row('1', null), row('2', '1'), row('3', '1')];
  expect(parentsOf(rows, { 2: moved('1', '3') })).toEqual({ 1: null, 2: '3', 3: '1' });
});

it.each<[string, StoredEntry[]]>([
  ['the new parent itself', [row('1', null), row('2', '1'), row('3', '2')]],
  ['a collection above the new parent', [row('1', null), row('2', '1'), row('4', '2'), row('3', '4')]],
])('a collection with a pending move is shown in its old place when someone moved %s into it', (_, rows) => {
  const places = Object.fromEntries(rows.map(({ id, parentId }) => [id, parentId]));
  expect(parentsOf(rows, { 2: moved('1', '3') })).toEqual(places);
});

it('one of two collections keeps its present place when their pending moves form a cycle', () => {
  const rows = [row('1', null), row('2', '1'), row('3', '1')];
  const moves = { 2: moved('1', '3'), 3: moved('1', '2') };
  expect(parentsOf(rows, moves)).toEqual({ 1: null, 2: '1', 3: '2' });
});
