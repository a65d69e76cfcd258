/**
 * The maximum number of characters of the fields of an item and of one tag, and of tags of an item. The API has no limits and
 * leaves them to each library; these are Mediadesk's own, the same for uploads, edits, rules and spreadsheets. Titles of new
 * items are shorter, see `cleanTitle`.
 */
export const ITEM_LIMITS = { title: 1000, byline: 1000, description: 200_000, tag: 200, tags: 500 } as const;
