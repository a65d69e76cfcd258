import { expect, it } from 'vitest';
import { withPending } from '../../../../electron/engine/library/collections/collection-deletion.ts';

it('the count of a deletion includes what pending edits move into a collection, and excludes what they move out of it', () => {
  const counted = { id: '1', collectionIds: ['1', '2', '3'], items: 10 };
  const movedIn = { added: ['4', '5'], removed: [], items: 5 };
  expect(withPending(counted, [movedIn], ['1'])).toEqual({
    id: '1',
    collectionIds: ['1', '2', '3', '4', '5'],
    items: 15,
  });
  const movedOut = { added: [], removed: ['2', '3'], items: -5 };
  expect(withPending(counted, [movedOut], ['1'])).toEqual({ id: '1', collectionIds: ['1'], items: 5 });
});

it('what a pending edit moves from one chosen collection into another is deleted', () => {
  const counted = { collectionIds: ['1', '2', '3'], items: 10 };
  const moved = [
    { added: [], removed: ['3'], items: -5 },
    { added: ['3'], removed: [], items: 5 },
  ];
  expect(withPending(counted, moved, ['1', '2'])).toEqual(counted);
});

it('a deletion counts each collection once, and all chosen ones, when the library already has the pending moves', () => {
  const counted = { collectionIds: ['1', '2'], items: 0 };
  const moved = { added: ['2'], removed: ['1', '3'], items: -2 };
  expect(withPending(counted, [moved], ['1'])).toEqual({ collectionIds: ['1', '2'], items: 0 });
});
