import { expect, test } from 'vitest';
import { isSlug, slugify } from '../../../service/resources/collections/slug.ts';

test.each([
  ['Einführung in C++', 'einfuhrung-in-c'],
  ['  --  ', 'collection'],
  ['物理学', '物理学'],
  ['a'.repeat(150), 'a'.repeat(100)],
])('the slug of %j is %j', (name, slug) => {
  expect(slugify(name)).toBe(slug);
  expect(isSlug(slugify(name))).toBe(true);
});
