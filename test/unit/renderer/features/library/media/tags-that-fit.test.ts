import fc from 'fast-check';
import { expect, it } from 'vitest';
import { tagsThatFit } from '../../../../../../renderer/features/library/media/tags-that-fit.ts';

it('a wider column shows more tags', () => {
  const tags = ['lecture', 'optics', 'physics', 'summer term'];
  expect(tagsThatFit(tags, 170)).toBe(2);
  expect(tagsThatFit(tags, 290)).toBe(4);
  expect(tagsThatFit(['optics'], 170)).toBe(1);
  expect(tagsThatFit([], 170)).toBe(0);
});

it('a column has room for the tags that it shows together with the count of the hidden ones', () => {
  expect(tagsThatFit(['optics', 'physics'], 120)).toBe(2);
  expect(tagsThatFit(['optics', 'physics', 'summer term'], 120)).toBe(1);
  expect(tagsThatFit(['optics', 'physics', 'summer term'], 150)).toBe(2);
});

it('a column shows at least one tag, and never fewer when it is wider', () => {
  const tags = fc.array(fc.string({ maxLength: 60 }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(tags, fc.integer({ min: 0, max: 600 }), fc.integer({ min: 0, max: 600 }), (all, width, more) => {
      const shown = tagsThatFit(all, width);
      expect(shown).toBeGreaterThanOrEqual(1);
      expect(tagsThatFit(all, width + more)).toBeGreaterThanOrEqual(shown);
    }),
  );
});
