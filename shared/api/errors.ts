import { z } from 'zod';

/** The body of an error answer, if it has one. The items of `errors` have no fixed shape. */
export const errorBodySchema = z.object({
  message: z.string().optional(),
  errors: z.unknown().optional(),
  /** An object when what was sent exceeds a quota: an addition of our library service, beside a 422. */
  quota: z.unknown().optional(),
  /** Only in errors of the token endpoint (RFC 6749), like `error_description`. */
  error: z.string().optional(),
  error_description: z.string().optional(),
});
