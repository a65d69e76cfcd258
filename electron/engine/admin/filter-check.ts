import type { PeopleFilter } from '../../../shared/contract/admin/people.ts';
import type { Directory, DirectoryUser } from './directory.ts';

/**
 * Returns whether what is known of a user contradicts a filter of the library's list of users. Names are not compared: a user is read
 * with the name as it is shown, not with its parts. A user who is not known contradicts nothing.
 */
export function contradicts({ users, groups }: Directory, filter: PeopleFilter, userId: string): boolean {
  const user = users.get(userId);
  if (user === undefined) return false;
  const { isAdmin, email, uniqueId, groupId } = filter;
  const isOwnGroup = groupId !== undefined && (groups.get(groupId)?.builtIn ?? null) === null;
  return (
    (isAdmin !== undefined && isAdmin !== user.isAdmin) ||
    (email !== undefined && email.toLowerCase() !== user.email.toLowerCase()) ||
    (uniqueId !== undefined && !matchesPattern(user.uniqueId.toLowerCase(), uniqueId.toLowerCase())) ||
    (isOwnGroup && !user.groupIds.includes(groupId)) ||
    contradictsTimes(user, filter)
  );
}

/** The times of a library may have whole seconds only: equal ones contradict nothing. */
function contradictsTimes(
  { lastLoginOn }: DirectoryUser,
  { lastLoginBefore, lastLoginAfter }: Pick<PeopleFilter, 'lastLoginBefore' | 'lastLoginAfter'>,
): boolean {
  // The API does not say whether users who never signed in did so before a time.
  if (lastLoginOn === null) return lastLoginAfter !== undefined;
  const at = Date.parse(lastLoginOn);
  const isLater = lastLoginBefore !== undefined && at > Date.parse(lastLoginBefore);
  return isLater || (lastLoginAfter !== undefined && at < Math.floor(Date.parse(lastLoginAfter) / 1000) * 1000);
}

/** Returns whether a text matches a pattern in which `%` stands for any text, including none. Takes linear time for each part. */
export function matchesPattern(text: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.split('%');
  const last = rest.pop();
  if (last === undefined) return text === pattern;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  let from = first.length;
  for (const part of rest) {
    const at = text.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return from + last.length <= text.length;
}
