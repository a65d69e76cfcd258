import { z } from 'zod';

/** The events about the administration of a library. */
export const ADMIN_EVENTS = {
  /** Users, groups, roles or memberships of a library changed, or were read again. */
  onDidChangeDirectory: z.object({ siteId: z.string() }),
  /**
   * The library refused an account that was an administrator until then. `administrators`: those whom it knew last, by name and e-mail
   * address, without the account itself.
   */
  onDidLoseRights: z.object({
    siteId: z.string(),
    administrators: z.array(z.object({ name: z.string(), email: z.string() })),
  }),
  /** An administrator changed tags of a library. */
  onDidChangeTags: z.object({ siteId: z.string() }),
  /** A merge of tags advances; after each item. `items`: all items of the merge, as far as they are listed. */
  onDidProgressTagMerge: z.object({ siteId: z.string(), done: z.number(), items: z.number() }),
} as const;
