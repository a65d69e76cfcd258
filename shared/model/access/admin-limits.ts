/** Characters of a name or of another line about a user, a group, a role or a tag. */
export const MAX_ADMIN_LINE = 255;
/** Characters of the name of an existing tag, which other programs may have created. */
export const MAX_TAG_NAME = 1000;
/** Characters of a searched text. */
export const MAX_ADMIN_SEARCH = 200;
/** The number of entries of the log that are read at once. */
export const MAX_LOG_ENTRIES = 100_000;
/** Above this number of users, a deletion asks for their number. */
export const MOST_UNTYPED_DELETIONS = 20;
/** The number of users, groups or tags that one call changes. */
export const MAX_ADMIN_IDS = 100_000;
/** The number of tags that one call merges into another one. */
export const MAX_MERGED_TAGS = 1000;
/** The number of rows that one call returns of a list. */
export const MAX_ADMIN_ROWS = 1000;
/** The number of tags whose items one call counts: the library counts those of each tag by a request. */
export const MAX_COUNTED_TAGS = 50;
/** The number of users that one call returns as those who have a permission. */
export const MAX_WHO = 10_000;
/** The number of users that one call returns with all their places. */
export const MAX_REPORT_USERS = 100;
