/**
 * A held connection is closed after this long, and the file starts again from its first byte later. Object stores end an
 * upload that is idle: AWS after 20 s, Swift after 60 s, Ceph after 65 s.
 */
export const LONGEST_HOLD_MS = 15_000;
