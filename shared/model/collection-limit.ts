/** The maximum number of collections in one move or deletion. */
export const MAX_COLLECTIONS_PER_CHANGE = 1000;
