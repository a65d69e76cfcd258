import { z } from 'zod';
import { appErrorSchema } from './app-error.ts';
import { continuedSchema, signInInputSchema, siteSchema, unsentSchema } from './sites.ts';

const nothing = z.null();
const siteRef = z.object({ siteId: z.string() });

/** The part of the contract that is about the accounts of this profile. */
export const SITE_CALLS = {
  'sites.list': { input: nothing, output: z.array(siteSchema) },
  /** Returns when the sign-in has ended, with or without success. Only one sign-in runs at a time. */
  'sites.signIn': { input: signInInputSchema, output: siteSchema },
  /**
   * Gives the text that the user copied from the last page of a sign-in with `redirect: 'paste'`: the code, or the title of the
   * page. Throws `input.invalid` for another text, and `sign-in.not-waiting` when no sign-in waits for it.
   */
  'sites.pasteCode': { input: z.object({ text: z.string().max(4096) }), output: nothing },
  'sites.cancelSignIn': { input: nothing, output: nothing },
  /** The number of unsent edits and uploads, for a question before a sign-out. Throws `site.unknown`. */
  'sites.unsent': { input: siteRef, output: unsentSchema },
  /**
   * Deletes the sign-in of an account and the copy of its library. Its edits and uploads stay on this computer, and are sent
   * after its next sign-in. Callers ask before a sign-out with unsent edits or uploads: `sites.unsent`.
   */
  /**
   * Continues with a library that was restored from a backup (`Site.restored`). Ids of the library may belong to other items now, so
   * nothing that refers to them is sent unasked: unsent edits become refused (`site.restored`) and can be sent again or dropped;
   * uploads start over with a new item; additions to items, and actions after uploads, fail and can be retried. Nothing is removed
   * in the library. The copy of the library is read anew. Without effect on a library that was not restored. Throws `site.unknown`.
   */
  'sites.continueRestored': { input: siteRef, output: continuedSchema },
  'sites.signOut': { input: siteRef, output: nothing },
  /**
   * Sends one request with the sign-in of an account. `problem`: why no request can succeed now, such as a refused sign-in, a
   * keychain that does not return it, or a library that does not answer; null when the library answers. Throws `site.unknown`.
   */
  'sites.check': { input: siteRef, output: z.object({ problem: appErrorSchema.nullable() }) },
  /**
   * Compares the clock of this computer with that of a library. `aheadMs`: by how much this computer is ahead, accurate to
   * about a second; null when the library does not report its time or can't be reached.
   */
  'sites.clock': { input: siteRef, output: z.object({ aheadMs: z.number().nullable() }) },
} as const;
