import { describe, expect, it } from 'vitest';
import { emptyCollectionWords } from '../../../../../../renderer/features/library/media/empty-collection-text.ts';

const title = (childCount: number, mediaCountBelow: number | null) =>
  emptyCollectionWords('Physics', { childCount, mediaCountBelow });

describe('a list without items', () => {
  it('is not called empty when subcollections have items, and states how many', () => {
    expect(title(3, 91).title).toBe('No items directly in Physics');
    expect(title(3, 91).text).toMatch(/^Its subcollections have 91 items\./);
    expect(title(3, 1).text).toMatch(/^Its subcollections have 1 item\./);
    expect(title(3, null).title).toBe('No items directly in Physics');
  });

  it('is called empty when it and its subcollections have no items', () => {
    expect(title(0, 0).title).toBe('Physics is empty');
    expect(title(2, 0).title).toBe('Physics and its subcollections are empty');
    expect(emptyCollectionWords(null, null).title).toBe('This library is empty');
  });
});
