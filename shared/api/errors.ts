import { z } from 'zod';

/** The body of an error answer, if it has one. The items of `errors` have no fixed shape. */
export const errorBodySchema = z.object({
  message: z.string().optional(),
  errors: z.unknown().optional(),
  /** Only in errors of the token endpoint (RFC 6749), like `error_description`. */
  error: z.string().optional(),
  error_description: z.string().optional(),
});

/**
 * Returns the sentences in a 422's `errors`, whatever its shape: strings, `{field, message}`, or `{field: [messages]}`.
 */
export function errorSentences(errors: unknown): string[] {
  if (typeof errors === 'string') return [errors];
  if (Array.isArray(errors)) return errors.flatMap(errorSentences);
  if (typeof errors !== 'object' || errors === null) return [];
  const { field, message } = errors as { field?: unknown; message?: unknown };
  if (typeof message === 'string') return [typeof field === 'string' ? `${field}: ${message}` : message];
  return Object.entries(errors).flatMap(([name, value]) => errorSentences(value).map((text) => `${name}: ${text}`));
}
