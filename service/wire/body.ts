import { z } from 'zod';
import { badRequest, invalid, type RefusedField } from './problem.ts';

/**
 * Validates a JSON body. A body that is not an object is a bad request; invalid values are reported for each field.
 * Unknown fields are ignored.
 */
export function bodyOf<T extends z.ZodType>(schema: T, body: unknown): z.output<T> {
  const given = body ?? {};
  if (typeof given !== 'object' || Array.isArray(given)) throw badRequest('The body must be a JSON object.');
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  throw invalid(result.error.issues.map((issue) => toFieldProblem(issue, given)));
}

function toFieldProblem(issue: z.core.$ZodIssue, given: object): RefusedField {
  const field = issue.path.map(String).join('.') || '(body)';
  return { field, message: valueAt(given, issue.path) === undefined ? 'is required' : sentence(issue) };
}

function valueAt(given: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce((value, key) => (value as Record<PropertyKey, unknown> | null | undefined)?.[key], given);
}

function sentence(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type')
    return `must be ${issue.expected === 'int' ? 'a whole number' : `of type ${issue.expected}`}`;
  return issue.message;
}

function isCleanLine(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: this pattern finds control characters
  return text.isWellFormed() && !/[\u0000-\u001f\u007f]/.test(text);
}

function isCleanText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000');
}

/** A schema for one line of text: no control characters, trimmed length 1..max. */
export function line(max: number) {
  return z
    .string()
    .max(max, `must have at most ${max} characters`)
    .refine(isCleanLine, 'must not contain control characters')
    .refine((text) => text.trim() !== '', 'must not be blank');
}

/** A schema for one line of text that may be empty. */
export function optionalLine(max: number) {
  return z
    .string()
    .max(max, `must have at most ${max} characters`)
    .refine(isCleanLine, 'must not contain control characters');
}

/** The value of a field that may have none: null for an empty line. */
export function lineOrNull(given: string | null | undefined): string | null {
  return given || null;
}

/** A schema for text with any number of lines. */
export function text(max: number) {
  return z
    .string()
    .max(max, `must have at most ${max} characters`)
    .refine(isCleanText, 'must be valid text without NUL characters');
}

/** The schema of an identifier in a body: a string, or a number, which is converted to its decimal text. */
export const bodyId = z.union([z.string().max(40), z.number().int().transform(String)], 'must be an identifier');
