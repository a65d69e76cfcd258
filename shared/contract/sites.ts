import { z } from 'zod';

/** A library that this profile knows, with the state of its account. */
export const siteSchema = z.object({
  id: z.string(),
  /** Origin, without a slash at the end. */
  baseUrl: z.string(),
  clientId: z.string(),
  /** Host name as shown. */
  displayName: z.string(),
  /** Who is signed in, as far as the service tells. */
  accountName: z.string().nullable(),
  state: z.enum(['signed-in', 'signed-out', 'needs-sign-in']),
  /** Where the sign-in is kept: `memory` is gone when Mediadesk closes. */
  keptIn: z.enum(['system', 'memory', 'file']),
  /** Whether the site answered last time. */
  reachable: z.boolean(),
});
export type Site = z.output<typeof siteSchema>;

export const signInInputSchema = z.object({
  /** As typed; checked by the engine. */
  baseUrl: z.string().max(2048),
  clientId: z.string().min(1).max(255),
  browser: z.enum(['embedded', 'system']).default('embedded'),
});
