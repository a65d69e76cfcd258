/**
 * The kinds of follow-ups of a complete file, in the order in which they are done. `source` (the local recording) comes
 * last. `publish` exists only when the library refused to publish: the item is a draft, and a retry publishes it.
 * `old-file`: the file of the item that the new one replaces is deleted. `details`: a file on this computer that described the
 * item; nothing of it is sent, and it goes where the recording goes.
 */
export const FOLLOW_UP_KINDS = ['captions', 'thumbnail', 'tags', 'details', 'publish', 'old-file', 'source'] as const;
export type FollowUpKind = (typeof FOLLOW_UP_KINDS)[number];

export const FOLLOW_UP_STATES = ['pending', 'done', 'failed'] as const;

export type FollowUpState = (typeof FOLLOW_UP_STATES)[number];
