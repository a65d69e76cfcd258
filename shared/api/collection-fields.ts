// Not in the file of the schemas, because the screens use these constants and must not load a schema library: see
// `podcast-fields.ts`.

/** The maximum number of characters of a collection's name. */
export const MAX_COLLECTION_NAME = 255;
/** The maximum number of characters of a collection's description, as HTML. */
export const MAX_COLLECTION_DESCRIPTION = 200_000;
