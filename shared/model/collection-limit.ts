/** The most collections that one move or deletion takes. */
export const MAX_COLLECTIONS_PER_CHANGE = 1000;
