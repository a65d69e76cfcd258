/** The maximum number of files that a preview checks. Adding has no such limit. */
export const PREVIEW_LIMIT = 100_000;
