/** The maximum number of files that a preview checks. Adding has no such limit. */
export const PREVIEW_LIMIT = 100_000;
/** The maximum number of files that a preview lists. Further files are counted, and added with the options of the batch. */
export const MOST_LISTED_FILES = 20_000;
