import { z } from 'zod';
import { mediaRowSchema } from './library.ts';

/** A week of hours, with an instant at its end. */
const MOST_INSTANTS = 7 * 24 + 1;
/** The most rows of a slot. A day with more items has a list of its own. */
const MOST_SLOT_ROWS = 50;

const calendarQuerySchema = z.object({
  siteId: z.string(),
  /** Only items in this collection and below it. */
  collectionId: z.string().nullable().default(null),
  /** Epoch milliseconds, ascending: slot n lasts from instant n to instant n + 1, which is not a part of it. */
  instants: z
    .array(z.number().int())
    .min(2)
    .max(MOST_INSTANTS)
    .refine((instants) => instants.every((each, index) => index === 0 || each >= (instants[index - 1] ?? 0))),
  /** The number of rows of each slot: its first ones. */
  rows: z.number().int().min(0).max(MOST_SLOT_ROWS),
});
export type CalendarQuery = z.output<typeof calendarQuerySchema>;

/** The items of a calendar by their publish date. The slots are in the order of the query. */
const calendarSchema = z.object({
  slots: z.array(
    z.object({
      /** The number of all items in the slot. */
      count: z.number(),
      rows: z.array(mediaRowSchema),
    }),
  ),
});
export type Calendar = z.output<typeof calendarSchema>;

/** The calls about the publish dates of items. */
export const CALENDAR_CALLS = {
  /**
   * Returns the items whose publish date is in the slots of a calendar, with their pending edits. They are read from this computer's
   * copy of the library; null while there is no complete copy.
   */
  'library.calendar': { input: z.object({ query: calendarQuerySchema }), output: calendarSchema.nullable() },
} as const;
