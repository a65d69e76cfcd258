/**
 * The most characters of the fields of an item and of one tag, and the most tags of an item. The API names no limits and
 * leaves them to each library; these are Mediadesk's own, the same for uploads, edits, rules and spreadsheets. Titles of new
 * items are shorter, see `cleanTitle`.
 */
export const ITEM_LIMITS = { title: 1000, byline: 1000, description: 200_000, tag: 200, tags: 500 } as const;
