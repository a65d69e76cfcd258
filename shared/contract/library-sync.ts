import { z } from 'zod';
import { appErrorSchema } from './app-error.ts';

/** How complete this computer's copy of a library is; `none`: there is no copy. */
const SYNC_PHASES = ['none', 'first-sync', 'ready'] as const;

/** The state of this computer's copy of one account's library. */
export const syncStatusSchema = z.object({
  siteId: z.string(),
  phase: z.enum(SYNC_PHASES),
  /** A pass is reading from the library now. */
  isRunning: z.boolean(),
  /** Items in the copy. */
  items: z.number(),
  /** Items of the library when the first sync began; null when the library did not report it. */
  total: z.number().nullable(),
  /** When the last complete pass ended, in epoch milliseconds; null when none has. */
  syncedAt: z.number().nullable(),
  /** Why the last pass ended early; null when it was complete. */
  error: appErrorSchema.nullable(),
  /** The number of items that the library stopped listing: too many at once to remove them without a confirmation. */
  vanished: z.number(),
});
export type SyncStatus = z.output<typeof syncStatusSchema>;
