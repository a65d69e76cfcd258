import type { Condition } from '../../database/condition.ts';
import type { Bindable, Store } from '../../database/store.ts';
import { invalid } from '../../wire/problem.ts';
import { param, parseId, parseInstant, type Query, zeroOrOne } from '../../wire/query.ts';

const FILTERS = [
  'is_admin',
  'email_address',
  'first_name',
  'last_name',
  'unique_id',
  'group_id',
  'last_login_before',
  'last_login_after',
] as const;
export type UserFilter = (typeof FILTERS)[number];

const INSTANT_RULE = 'must be an ISO-8601 date and time';

/**
 * The filters of the user list as conditions on a table `u`. A user who never signed in matches no filter of the last
 * login.
 */
export async function userConditions(store: Store, query: Query): Promise<Condition[]> {
  const conditions: Condition[] = [];
  const add = (sql: string, ...params: Bindable[]) => conditions.push({ sql, params });
  const isAdmin = param(query, 'is_admin', zeroOrOne, 'must be 0 or 1');
  if (isAdmin !== undefined) add('u.is_admin = ?', Number(isAdmin));
  for (const name of ['email_address', 'first_name', 'last_name'] as const) {
    const text = query[name];
    const ignoringCase = name === 'email_address' ? ' COLLATE NOCASE' : '';
    if (text) add(`u.${name}${ignoringCase} = ?${ignoringCase}`, text);
  }
  if (query.unique_id?.includes('%')) {
    add('u.id IN (SELECT value FROM json_each(?))', JSON.stringify(await idsLike(store, query.unique_id)));
  } else if (query.unique_id) {
    add('u.unique_id = ?', query.unique_id);
  }
  if (query.group_id) {
    add(
      `EXISTS (SELECT 1 FROM groups g WHERE g.id = ? AND (g.built_in IS NOT NULL
         OR u.id IN (SELECT user_id FROM group_users WHERE group_id = g.id)))`,
      parseId(query.group_id) ?? -1,
    );
  }
  const before = param(query, 'last_login_before', parseInstant, INSTANT_RULE);
  const after = param(query, 'last_login_after', parseInstant, INSTANT_RULE);
  if (before !== undefined) add('u.last_login_on < ?', before);
  if (after !== undefined) add('u.last_login_on > ?', after);
  return conditions;
}

/**
 * Returns the conditions of the same filters for a deletion. A blank or unknown filter would delete more users than intended, so
 * it is refused instead of ignored.
 */
export async function deletionConditions(store: Store, query: Query): Promise<Condition[]> {
  const problems = Object.entries(query).flatMap(([name, value]) => {
    if (name === 'joins') return [];
    if (!FILTERS.some((known) => known === name)) return [{ field: name, message: 'is no filter of users' }];
    return value ? [] : [{ field: name, message: 'must not be blank' }];
  });
  if (problems.length > 0) throw invalid(problems);
  return await userConditions(store, query);
}

async function idsLike(store: Store, pattern: string): Promise<number[]> {
  return (await store.all<{ id: number; unique_id: string }>('SELECT id, unique_id FROM users'))
    .filter(({ unique_id }) => matchesWildcard(unique_id, pattern))
    .map(({ id }) => id);
}

/** Returns whether a text matches a pattern in which % stands for any text, including none. Takes linear time. */
export function matchesWildcard(text: string, pattern: string): boolean {
  const parts = pattern.split('%');
  if (parts.length === 1) return text === pattern;
  const [first = '', last = ''] = [parts[0], parts.at(-1)];
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
  let from = first.length;
  const end = text.length - last.length;
  for (const part of parts.slice(1, -1)) {
    const at = text.indexOf(part, from);
    if (at < 0 || at + part.length > end) return false;
    from = at + part.length;
  }
  return true;
}
