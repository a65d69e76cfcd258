import { type AppError, appError } from '../../../shared/contract/app-error.ts';
import { nameKey } from '../../../shared/model/access/name-key.ts';
import { readNameList } from '../../../shared/model/name-list.ts';
import { UsageError } from '../arguments/usage-error.ts';

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
 * Returns the rows that a list such as `Camera crew, "Sound, light"` names, each once. A name with a comma is also found without quotes
 * when it stands alone. null: none. Throws as `findNamed` and `namesIn`.
 */
export function findListed<R extends Named>(rows: readonly R[], kind: Kind, list: string | null): R[] {
  if (list === null) return [];
  return findAll(rows, kind, matchesOf(rows, list).length > 0 ? [list] : namesIn(list));
}

/**
 * Returns the names in a list with commas, without blanks around them and without empty ones. A name with a comma is in double
 * quotes. Throws `UsageError` for a quote that is not closed.
 */
export function namesIn(list: string): string[] {
  const names = readNameList(list, ',');
  if (names === null) throw new UsageError(`A name in double quotes doesn’t end, or something follows it: ${list}`);
  return names;
}

function matchesOf<R extends Named>(rows: readonly R[], ref: string): R[] {
  const wanted = nameKey(ref);
  const byId = rows.filter(({ id }) => id === wanted);
  return byId.length > 0 ? byId : rows.filter(({ name }) => nameKey(name) === wanted);
}

/** Returns the error for a name that stands for several. `candidates`: texts that begin with the id. */
export function severalMatch(kinds: string, ref: string, candidates: readonly string[]): AppError {
  return appError('input.invalid', {
    message: `“${ref}” matches ${candidates.length} ${kinds}. Use the ID of one of them.`,
    details: { name: ref, errors: candidates.slice(0, NAMED_MATCHES) },
  });
}
