import { describe, expect, it } from 'vitest';
import {
  CATEGORY_ENTRIES,
  categoryText,
  PODCAST_CATEGORIES,
  readCategory,
} from '../../../shared/model/podcast-categories.ts';

describe('the categories of podcasts', () => {
  it('are 19 with 91 subcategories, each once', () => {
    expect(Object.keys(PODCAST_CATEGORIES)).toHaveLength(19);
    expect(CATEGORY_ENTRIES).toHaveLength(110);
    const names = CATEGORY_ENTRIES.map((entry) => categoryText(entry, null));
    expect(new Set(names).size).toBe(110);
  });

  it('are parsed from their written form, for every entry', () => {
    for (const entry of CATEGORY_ENTRIES) expect(readCategory(categoryText(entry, null))).toEqual(entry);
  });

  it('keep the separator of the stored value', () => {
    const drama = { category: 'Fiction', subcategory: 'Drama' };
    expect(readCategory('Arts > Books')).toEqual({ category: 'Arts', subcategory: 'Books' });
    expect(categoryText(drama, 'Arts > Books')).toBe('Fiction > Drama');
    expect(categoryText(drama, 'Arts')).toBe('Fiction: Drama');
    expect(categoryText({ category: 'Arts', subcategory: null }, 'Fiction/Drama')).toBe('Arts');
  });

  it.each(['', 'arts', 'Arts: Drama', 'Music:Music Interviews:', 'null', '__proto__', 'constructor', 'TV & Film >'])(
    'do not include “%s”',
    (value) => {
      expect(readCategory(value)).toBeNull();
    },
  );
});
