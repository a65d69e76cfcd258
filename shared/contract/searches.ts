import { z } from 'zod';

/** The searches that every account has at first. The user can rename and delete them. */
const SEARCH_PRESETS = ['drafts', 'captions-missing'] as const;
export type SearchPreset = (typeof SEARCH_PRESETS)[number];

export const MAX_SAVED_SEARCHES = 200;
const searchName = z.string().trim().max(100);

/** A search that the user saved, with the collection in which it searches. */
export const savedSearchSchema = z.object({
  id: z.string(),
  /** null: the user saved it. */
  preset: z.enum(SEARCH_PRESETS).nullable(),
  /** Empty for a preset that was not renamed: the screen shows a name of its own. */
  name: searchName,
  search: z.string().max(1000),
  /** null: the whole library. */
  collectionId: z.string().nullable(),
  includesBelow: z.boolean(),
  /** The latest change in the copy of the library when the user saw the results last, in epoch seconds; null: never. */
  seenUntil: z.number().nullish(),
});
export type SavedSearch = z.output<typeof savedSearchSchema>;

/** A saved search with the number of matching items in this computer's copy of the library. */
const listedSearchSchema = savedSearchSchema.extend({
  /** null: there is no complete copy yet. */
  count: z.number().nullable(),
  /** The number of items that may match as well: it depends on their captions, which are not known yet. */
  captionsUnknown: z.number(),
  /** The number of items that were added or changed since the user saw the results; 0 when that is unknown. */
  changed: z.number(),
});
export type ListedSearch = z.output<typeof listedSearchSchema>;

const siteRef = z.object({ siteId: z.string() });
const searchRef = siteRef.extend({ id: z.string() });
const searches = z.array(listedSearchSchema);

/**
 * The calls about saved searches. Each returns all searches of the account in their order; a change is durable when it returns.
 */
export const SEARCH_CALLS = {
  'searches.list': { input: siteRef, output: searches },
  /** Adds a search at the end. Throws `library.too-many-searches`. */
  'searches.add': {
    input: siteRef.extend({
      name: searchName.min(1),
      search: z.string().max(1000),
      collectionId: z.string().nullable(),
      includesBelow: z.boolean(),
    }),
    output: searches,
  },
  /** Records that the user sees the results now. */
  'searches.markSeen': { input: searchRef, output: searches },
  'searches.rename': { input: searchRef.extend({ name: searchName.min(1) }), output: searches },
  'searches.remove': { input: searchRef, output: searches },
  /** `to`: its new position among all, from 0. */
  'searches.move': { input: searchRef.extend({ to: z.number().int().min(0) }), output: searches },
} as const;
