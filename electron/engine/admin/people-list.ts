import type { PeopleQuery, Person } from '../../../shared/contract/admin/people.ts';
import type { PeopleSort } from '../../../shared/model/access/people-lists.ts';
import { hasWords } from '../../../shared/model/library-query/searched-text.ts';
import type { DirectoryUser } from './directory.ts';

/** Returns the users of a query in its order. */
export function peopleOf(users: Iterable<DirectoryUser>, query: PeopleQuery): DirectoryUser[] {
  const matches = hasWords(query.text);
  const found: DirectoryUser[] = [];
  for (const user of users) {
    const isMatch = user.id === query.text.trim() || matches(user.searched);
    if (isMatch && isListed(user, query)) found.push(user);
  }
  const direction = query.descending ? -1 : 1;
  return found.sort((one, other) => direction * compare(one, other, query.sort) || (one.id < other.id ? -1 : 1));
}

/** Returns a user without what only lists need. */
export function toPerson({ searched: _searched, nameKey: _nameKey, ...person }: DirectoryUser): Person {
  return person;
}

function isListed(user: Person, { facet, groupId, lastLoginBefore }: PeopleQuery): boolean {
  if (groupId !== null && !user.groupIds.includes(groupId)) return false;
  if (lastLoginBefore !== null && user.lastLoginOn !== null && user.lastLoginOn >= lastLoginBefore) return false;
  switch (facet) {
    case 'all':
      return true;
    case 'administrators':
      return user.isAdmin;
    case 'no-group':
      return user.groupIds.length === 0;
    case 'never-signed-in':
      return user.lastLoginOn === null;
    case 'other-sign-on':
      return !user.uniqueId.startsWith('basic:');
  }
}

const KEYS: Record<PeopleSort, (user: DirectoryUser) => string> = {
  name: ({ nameKey }) => nameKey,
  email: ({ email }) => email.toLowerCase(),
  lastLogin: ({ lastLoginOn }) => lastLoginOn ?? '',
  created: ({ createdOn }) => createdOn ?? '',
};

function compare(one: DirectoryUser, other: DirectoryUser, sort: PeopleSort): number {
  const [a, b] = [KEYS[sort](one), KEYS[sort](other)];
  return a < b ? -1 : a > b ? 1 : 0;
}
