import { describe, expect, it } from 'vitest';
import {
  collectionsWithMedia,
  emptyCollectionWords,
} from '../../../../renderer/views/library/media/empty-collection-text.ts';
import type { CollectionRow } from '../../../../shared/contract/library.ts';

const title = (childCount: number, mediaCountBelow: number | null) =>
  emptyCollectionWords('Physics', { childCount, mediaCountBelow });

describe('a list without items', () => {
  it('is not called empty when collections below it have items, and states how many', () => {
    expect(title(3, 91).title).toBe('No items directly in Physics');
    expect(title(3, 91).text).toMatch(/^Its subcollections have 91 items\./);
    expect(title(3, 1).text).toMatch(/^Its subcollections have 1 item\./);
    expect(title(3, null).title).toBe('No items directly in Physics');
  });

  it('is called empty when there is nothing in it or below it', () => {
    expect(title(0, 0).title).toBe('Physics is empty');
    expect(title(2, 0).title).toBe('Physics and its subcollections are empty');
    expect(emptyCollectionWords(null, null).title).toBe('This library is empty');
  });

  it('links to the collections below it that have items', () => {
    const row = (id: string, mediaCount: number | null, mediaCountBelow: number | null) =>
      ({ id, displayName: id, mediaCount, mediaCountBelow }) as CollectionRow;
    expect(collectionsWithMedia([row('a', 40, 0), row('b', 0, 0), row('c', 0, 51), row('d', null, null)])).toEqual([
      { id: 'a', displayName: 'a', count: 40 },
      { id: 'c', displayName: 'c', count: 51 },
    ]);
  });
});
