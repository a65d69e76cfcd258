// Not in the file of the schemas, because the screens use this constant and must not load a schema library: see
// `podcast-fields.ts`.

/** The maximum number of characters of a collection's name. */
export const MAX_COLLECTION_NAME = 255;
