import { expect, it } from 'vitest';
import { withPendingCounts } from '../../../../electron/engine/library/collections/collection-deletion.ts';

it('the count of a deletion includes what pending edits move into a collection, and excludes what they move out of it', () => {
  const counted = { id: '1', collections: 3, items: 10 };
  expect(withPendingCounts(counted, [{ collections: 2, items: 5 }], 1)).toEqual({ id: '1', collections: 5, items: 15 });
  expect(withPendingCounts(counted, [{ collections: -2, items: -5 }], 1)).toEqual({
    id: '1',
    collections: 1,
    items: 5,
  });
});

it('a deletion never counts less than the chosen collections, also when the library already has the pending moves', () => {
  const counted = { collections: 1, items: 0 };
  expect(withPendingCounts(counted, [{ collections: -1, items: -2 }], 1)).toEqual({ collections: 1, items: 0 });
});
