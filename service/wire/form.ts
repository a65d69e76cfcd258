import { badRequest } from './problem.ts';
import { queryOf } from './query.ts';

export type Fields = Readonly<Record<string, string | undefined>>;

/** Returns the fields of a form. A repeated field is a bad request, as is a field that is not text. */
export function fieldsOf(body: unknown): Fields {
  const given = (body ?? {}) as object;
  if (Object.values(given).some((value) => typeof value !== 'string')) {
    throw badRequest('Every field of the form must be given once, as text.');
  }
  return queryOf(given);
}
