// Whether what is known of a user contradicts a filter of a deletion.
import { describe, expect, it } from 'vitest';
import type { Directory } from '../../../../electron/engine/admin/directory.ts';
import { contradicts, matchesPattern } from '../../../../electron/engine/admin/filter-check.ts';
import type { PeopleFilter } from '../../../../shared/contract/admin/people.ts';

const ada = {
  id: '1',
  name: 'Ada Crew',
  email: 'Ada@example.org',
  uniqueId: 'basic:Ada@example.org',
  isAdmin: false,
  createdOn: null,
  lastLoginOn: '2026-03-01T12:00:00Z' as string | null,
  groupIds: ['g'],
  searched: '',
  nameKey: '',
};
const directory = {
  users: new Map([
    ['1', ada],
    ['2', { ...ada, id: '2', lastLoginOn: null }],
  ]),
  groups: new Map(
    [
      { id: 'g', builtIn: null },
      { id: 'other', builtIn: null },
      { id: 'all', builtIn: 'registered-users' },
    ].map((group) => [group.id, group]),
  ),
} as unknown as Directory;

describe('a listed user', () => {
  const matching: PeopleFilter[] = [
    { isAdmin: false, groupId: 'g', email: 'ada@EXAMPLE.org' },
    { groupId: 'all' },
    { uniqueId: 'BASIC:%@example%' },
    { firstName: 'Somebody' },
    { lastLoginBefore: '2026-03-01T12:00:00Z', lastLoginAfter: '2026-03-01T12:00:00.5Z' },
  ];
  it.each(matching)('is taken for one of the filter %j', (filter) => {
    expect(contradicts(directory, filter, '1')).toBe(false);
  });

  const others: PeopleFilter[] = [
    { isAdmin: true },
    { groupId: 'other' },
    { email: 'a@example.org' },
    { uniqueId: 'saml:%' },
    { lastLoginBefore: '2026-02-28T00:00:00Z' },
    { lastLoginAfter: '2026-03-02T00:00:00Z' },
  ];
  it.each(others)('contradicts the filter %j', (filter) => {
    expect(contradicts(directory, { groupId: 'g', ...filter }, '1')).toBe(true);
  });

  it('who never signed in contradicts only a sign-in after a time', () => {
    expect(contradicts(directory, { lastLoginAfter: '2020-01-01T00:00:00Z' }, '2')).toBe(true);
    expect(contradicts(directory, { lastLoginBefore: '2020-01-01T00:00:00Z' }, '2')).toBe(false);
  });
});

it.each([
  ['abc', 'abc', true],
  ['abc', 'ab', false],
  ['abc', '%', true],
  ['', '%', true],
  ['abcabc', 'a%c', true],
  ['aba', 'aba%ba', false],
  ['abcd', 'a%c%d', true],
  ['abcd', 'a%d%d', false],
  ['abc', 'a_c', false],
])('the text “%s” matches the pattern “%s”: %s', (text, pattern, isMatch) => {
  expect(matchesPattern(text, pattern)).toBe(isMatch);
});
