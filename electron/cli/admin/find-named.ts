import { type AppError, appError } from '../../../shared/contract/app-error.ts';

/** A group, role or tag. */
interface Named {
  id: string;
  name: string;
}

type Kind = 'group' | 'role' | 'tag';

const NAMED_MATCHES = 10;

/** Returns the row that `ref` names, by its id, otherwise by its name. Throws `api.not-found`, or `input.invalid` when several match. */
export function findNamed<R extends Named>(rows: readonly R[], kind: Kind, ref: string): R {
  const [match, ...others] = matchesOf(rows, ref);
  if (match === undefined) {
    throw appError('api.not-found', { message: `The library has no ${kind} “${ref}”.`, details: { [kind]: ref } });
  }
  if (others.length === 0) return match;
  throw severalMatch(
    `${kind}s`,
    ref,
    [match, ...others].map(({ id, name }) => `${id}: ${name}`),
  );
}

/** Returns the rows that several names stand for, each once. Throws as `findNamed`. */
export function findAll<R extends Named>(rows: readonly R[], kind: Kind, refs: readonly string[]): R[] {
  return [...new Set(refs.map((ref) => findNamed(rows, kind, ref)))];
}

/**
 * Returns the rows that a list such as `Camera crew, Editors` names, each once. A name with a comma is found when it stands alone.
 * null: none. Throws as `findNamed`.
 */
export function findListed<R extends Named>(rows: readonly R[], kind: Kind, list: string | null): R[] {
  if (list === null) return [];
  return findAll(rows, kind, matchesOf(rows, list).length > 0 ? [list] : namesIn(list));
}

/** Returns the names in a list with commas, without blanks around them and without empty ones. */
export function namesIn(list: string): string[] {
  return list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function matchesOf<R extends Named>(rows: readonly R[], ref: string): R[] {
  const wanted = ref.normalize('NFC').trim();
  const byId = rows.filter(({ id }) => id === wanted);
  return byId.length > 0 ? byId : rows.filter(({ name }) => name.normalize('NFC').trim() === wanted);
}

/** Returns the error for a name that stands for several. `candidates`: texts that begin with the id. */
export function severalMatch(kinds: string, ref: string, candidates: readonly string[]): AppError {
  return appError('input.invalid', {
    message: `“${ref}” matches ${candidates.length} ${kinds}. Use the ID of one of them.`,
    details: { name: ref, errors: candidates.slice(0, NAMED_MATCHES) },
  });
}
