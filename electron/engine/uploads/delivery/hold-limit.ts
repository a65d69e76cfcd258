/**
 * A connection on hold is closed after this time, and the file starts again from its first byte later. Object stores
 * close idle uploads: AWS after 20 s, Swift after 60 s, Ceph after 65 s.
 */
export const LONGEST_HOLD_MS = 15_000;
