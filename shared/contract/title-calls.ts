import { z } from 'zod';
import { MOST_LISTED_FILES } from '../model/preview-limit.ts';

/** An item whose title is equal to a new title or similar to it. */
const similarItemSchema = z.object({
  id: z.string(),
  title: z.string(),
  type: z.string().nullable(),
  collectionId: z.string(),
  /** null: unknown, such as for a collection that the user can't read. */
  collectionName: z.string().nullable(),
  durationSeconds: z.number().nullable(),
  createdOn: z.string().nullable(),
  modifiedOn: z.string().nullable(),
});
export type SimilarItem = z.output<typeof similarItemSchema>;

const titleSeriesSchema = z.object({
  before: z.string(),
  between: z.string(),
  number: z.number(),
  digits: z.number(),
  title: z.string(),
  titles: z.number(),
});

/** The calls about titles that items will get. They read this computer's copy of the library. */
export const TITLE_CALLS = {
  /**
   * Returns for each title the most similar item of its collection, if there is one: see `SimilarTitles`. null without a complete
   * copy of the library, and when a later call began.
   */
  'library.similarItems': {
    input: z.object({
      siteId: z.string(),
      titles: z
        .array(
          z.object({
            /** Identifies the title in the result. */
            key: z.string(),
            title: z.string(),
            collectionId: z.string(),
            /** null: unknown. */
            seconds: z.number().nullable(),
          }),
        )
        .max(MOST_LISTED_FILES),
    }),
    output: z.object({
      similar: z.array(z.object({ key: z.string(), item: similarItemSchema, isEqual: z.boolean() })).nullable(),
    }),
  },
  /** Returns the numbered titles of a collection, see `TitleSeries`; null when it has none, and without a complete copy. */
  'library.titleSeries': {
    input: z.object({ siteId: z.string(), collectionId: z.string() }),
    output: z.object({ series: titleSeriesSchema.nullable() }),
  },
} as const;
