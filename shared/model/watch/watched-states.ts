/**
 * The state of a file in a watched folder:
 *
 * - `settling`: it may still be written; polled until it is ready
 * - `waiting`: complete, but a rule postpones it, or captions wait for their recording
 * - `incomplete`: unchanged for long, but its contents are not complete: the user decides
 * - `refused`: a rule skips it, or it can't be uploaded (shown as Skipped)
 * - `attached`: captions or a thumbnail that are uploaded with a recording
 * - `queued`: it is an upload, which has not ended
 * - `done`: its contents were uploaded, or need not be
 */
export const WATCHED_STATES = ['settling', 'waiting', 'incomplete', 'refused', 'attached', 'queued', 'done'] as const;
export type WatchedState = (typeof WATCHED_STATES)[number];
