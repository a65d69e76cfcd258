// Apart from the schemas, because the screens use this and must not load a schema library, see `podcast-fields.ts`.

/** The most characters that the name of a collection may have. */
export const MAX_COLLECTION_NAME = 255;
