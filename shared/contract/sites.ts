import { z } from 'zod';

/** One account of this profile: a person at a library. The same library is there once for each person. */
export const siteSchema = z.object({
  id: z.string(),
  /** Origin, without a slash at the end. */
  baseUrl: z.string(),
  clientId: z.string(),
  /** Host name as shown. */
  displayName: z.string(),
  /** The user id at the library; null when the library does not report it. */
  userId: z.string().nullable(),
  /** The account's display name, if the service reports it; also while signed out. */
  accountName: z.string().nullable(),
  state: z.enum(['signed-in', 'signed-out', 'needs-sign-in']),
  /** Where the sign-in is kept: `memory` is gone when Mediadesk closes. */
  keptIn: z.enum(['system', 'memory', 'file']),
  /** Whether the site answered the last request. */
  reachable: z.boolean(),
});
export type Site = z.output<typeof siteSchema>;

export const signInInputSchema = z.object({
  /** As typed; checked by the engine. */
  baseUrl: z.string().max(2048),
  clientId: z.string().min(1).max(255),
  browser: z.enum(['embedded', 'system']).default('embedded'),
});
