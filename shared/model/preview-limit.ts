/** The most files that a preview looks at. Adding knows no such limit. */
export const PREVIEW_LIMIT = 100_000;
