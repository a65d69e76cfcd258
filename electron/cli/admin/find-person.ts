import type { PeopleQuery, Person } from '../../../shared/contract/admin/people.ts';
import { AppError, appError } from '../../../shared/contract/app-error.ts';
import { MAX_ADMIN_SEARCH } from '../../../shared/model/access/admin-limits.ts';
import type { Engine } from '../../engine/engine.ts';
import { allRows } from './all-rows.ts';
import { namesIn, severalMatch } from './find-named.ts';

/**
 * Returns the user that `ref` names: by the id, otherwise by the e-mail address, otherwise by the unique id, otherwise by the full
 * name. Throws `admin.only`, `api.not-found`, or `input.invalid` with the candidates when several match.
 */
export async function findPerson(engine: Engine, siteId: string, ref: string): Promise<Person> {
  const [match, ...others] = matchesOf(await searched(engine, siteId, ref), ref);
  if (match === undefined) {
    throw appError('api.not-found', { message: `The library has no user “${ref}”.`, details: { user: ref } });
  }
  if (others.length === 0) return match;
  const described = ({ id, name, email, uniqueId }: Person) =>
    `${id}: ${[name, email, uniqueId].filter(Boolean).join(', ')}`;
  throw severalMatch('users', ref, [match, ...others].map(described));
}

/** Returns the users that several names stand for, each once. Throws as `findPerson`. */
export async function findPeople(engine: Engine, siteId: string, refs: readonly string[]): Promise<Person[]> {
  const found = new Map<string, Person>();
  for (const ref of refs) {
    const person = await findPerson(engine, siteId, ref);
    found.set(person.id, person);
  }
  return [...found.values()];
}

/**
 * The same, without the names of nobody, which are in `missing`: a deletion that was interrupted is repeated with all its names. Throws
 * `api.not-found` when no name stands for a user.
 */
export async function findPresentPeople(
  engine: Engine,
  siteId: string,
  refs: readonly string[],
): Promise<{ people: Person[]; missing: string[] }> {
  const found = new Map<string, Person>();
  const missing: string[] = [];
  let first: AppError | null = null;
  for (const ref of refs) {
    try {
      const person = await findPerson(engine, siteId, ref);
      found.set(person.id, person);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'api.not-found') throw error;
      first ??= error;
      missing.push(ref);
    }
  }
  if (first !== null && found.size === 0) throw first;
  return { people: [...found.values()], missing };
}

/**
 * Returns the users that a list such as `ada@example.org, Grace Hopper` names, each once. A name with a comma is found when it stands
 * alone. Throws as `findPerson`.
 */
export async function findListedPeople(engine: Engine, siteId: string, list: string): Promise<Person[]> {
  const isOne = matchesOf(await searched(engine, siteId, list), list).length > 0;
  const refs = isOne ? [list] : namesIn(list);
  if (refs.length === 0) throw appError('input.invalid', { message: 'Enter at least one user.' });
  return findPeople(engine, siteId, refs);
}

/** Returns all users of the library. Throws `admin.only`. */
export function allPeople(engine: Engine, siteId: string): Promise<Person[]> {
  return searched(engine, siteId, '');
}

/** Returns all users with the words of a text: those that the text may name are among them. */
async function searched(engine: Engine, siteId: string, ref: string): Promise<Person[]> {
  // A longer text is cut; `matchesOf` compares with the whole one.
  const text = ref.trim().slice(0, MAX_ADMIN_SEARCH);
  const all = { facet: 'all', groupId: null, lastLoginBefore: null } as const;
  const query: PeopleQuery = { siteId, text, ...all, sort: 'name', descending: false };
  return allRows((part) => engine.call('admin.people', { query, ...part }));
}

function matchesOf(people: readonly Person[], ref: string): Person[] {
  const wanted = ref.normalize('NFC').trim();
  const kinds: ((person: Person) => boolean)[] = [
    ({ id }) => id === wanted,
    ({ email }) => email !== '' && email.toLowerCase() === wanted.toLowerCase(),
    ({ uniqueId }) => uniqueId !== '' && uniqueId === wanted,
    ({ name }) => name.normalize('NFC').trim() === wanted,
  ];
  for (const isMatch of kinds) {
    const matches = people.filter(isMatch);
    if (matches.length > 0) return matches;
  }
  return [];
}
