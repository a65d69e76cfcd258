import { expect, test } from 'vitest';
import { matchesWildcard } from '../../../service/resources/users/user-filter.ts';

test.each([
  ['abc', 'abc', true],
  ['abc', 'ab', false],
  ['abc', '%', true],
  ['', '%', true],
  ['abc', 'a%c', true],
  ['abc', 'a%b', false],
  ['aba', 'ab%ba', false],
  ['abba', 'ab%ba', true],
  ['a*c', 'a*%', true],
  ['axc', 'a*%', false],
  ['a%c', 'a%c', true],
  ['one two three', '%two%', true],
  ['one two three', '%two%two%', false],
  ['xayaz', '%a%a%', true],
  ['xyaz', '%a%z%z', false],
])('%j matches the pattern %j: %s', (text, pattern, expected) => {
  expect(matchesWildcard(text, pattern)).toBe(expected);
});
