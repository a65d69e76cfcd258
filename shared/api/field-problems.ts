/** A refused value: the API's name of its field (null: of none), and why. */
export interface FieldProblem {
  field: string | null;
  message: string;
}

/** Lists in lists say nothing more, and thousands of them would exhaust the stack. */
const MOST_DEPTH = 8;

/** A sentence that names its field, as some libraries and earlier versions of this program write it. */
const NAMED = /^([a-z][a-z0-9_]{0,63}): /;

/**
 * Returns the refused values in a 422's `errors`, whatever its shape: `{field, message}`, `{field: [messages]}`, or sentences, which
 * may begin with `field: `. `of`: the field of all of them.
 */
export function fieldProblems(errors: unknown, of: string | null = null, depth = 0): FieldProblem[] {
  if (depth > MOST_DEPTH) return [];
  if (typeof errors === 'string') {
    const field = of ?? NAMED.exec(errors)?.[1] ?? null;
    return [{ field, message: of === null && field !== null ? errors.slice(field.length + 2) : errors }];
  }
  if (Array.isArray(errors)) return errors.flatMap((each) => fieldProblems(each, of, depth + 1));
  if (typeof errors !== 'object' || errors === null) return [];
  const { field, message } = errors as { field?: unknown; message?: unknown };
  if (typeof message === 'string') return [{ field: typeof field === 'string' ? field : of, message }];
  return Object.entries(errors).flatMap(([name, value]) => fieldProblems(value, of ?? name, depth + 1));
}

/** Returns a refused value as a sentence. */
export function problemText({ field, message }: FieldProblem): string {
  return field === null ? message : `${field}: ${message}`;
}
