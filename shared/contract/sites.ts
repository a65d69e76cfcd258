import { z } from 'zod';
import { appErrorSchema } from './app-error.ts';
import { editTotalsSchema } from './edits.ts';

/** One account of this profile: a user at a library. Two users of one library are two accounts. */
export const siteSchema = z.object({
  id: z.string(),
  /** Origin without a trailing slash. */
  baseUrl: z.string(),
  clientId: z.string(),
  /** The host name of the library, as screens show it. */
  displayName: z.string(),
  /** The user id at the library; null when the library does not report it. */
  userId: z.string().nullable(),
  /** The account's display name, if the library reports it; also while signed out. */
  accountName: z.string().nullable(),
  state: z.enum(['signed-in', 'signed-out', 'needs-sign-in']),
  /** Where the sign-in is stored; `memory`: it is lost when Mediadesk closes. */
  keptIn: z.enum(['system', 'memory', 'file']),
  /** Why the stored sign-in can't be read, or can't be stored; null when the keychain works. */
  problem: appErrorSchema.nullable(),
  /** Whether the site answered the latest request. */
  reachable: z.boolean(),
  /**
   * Whether the library was restored from a backup since: nothing is changed in it until `sites.continueRestored`. Only for
   * libraries that report it.
   */
  restored: z.boolean(),
});
export type Site = z.output<typeof siteSchema>;

export const signInInputSchema = z.object({
  /** As typed by the user; the engine checks it. */
  baseUrl: z.string().max(2048),
  clientId: z.string().min(1).max(255),
  browser: z.enum(['embedded', 'system']).default('embedded'),
  /**
   * How the code of the sign-in arrives: `loopback` (the default), the browser on this computer returns it; `paste`, the page shows it, in any
   * browser on any computer, and `sites.pasteCode` gets it.
   */
  redirect: z.enum(['loopback', 'paste']).optional(),
  /** The local port for `loopback`, for a tunnel; any free port unless given. */
  port: z.number().int().min(1).max(65_535).optional(),
});

/** Edits and uploads of an account that its library does not have yet. */
export const unsentSchema = z.object({
  /** Edited items and collections by state. */
  edits: editTotalsSchema,
  /** Listed uploads that are not complete. `failed` excludes those with a question about a duplicate: `needsDecision`. */
  uploads: z.object({ pending: z.number(), failed: z.number(), needsDecision: z.number() }),
});
export type Unsent = z.output<typeof unsentSchema>;

/** What continuing with a restored library changed: the edits that wait for a look, the uploads that start over or
 * failed, and the watched folders that were paused because a collection of their rules is missing or has another name. */
export const continuedSchema = z.object({
  edits: z.number(),
  restarted: z.number(),
  failed: z.number(),
  folders: z.number(),
});
export type Continued = z.output<typeof continuedSchema>;
