/**
 * The states of an upload as screens show them.
 *
 * `queued → preparing → sending → finishing → processing → publishing → complete`, with `waiting` (retried by
 * itself) and `paused` aside, and `failed`, `cancelled`, `skipped` as other ends.
 */
export const UPLOAD_STATES = [
  'queued',
  'preparing',
  'sending',
  'finishing',
  'processing',
  'publishing',
  'waiting',
  'paused',
  'complete',
  'failed',
  'cancelled',
  'skipped',
] as const;

export type UploadState = (typeof UPLOAD_STATES)[number];

/**
 * Which states each filter of an upload list shows. Cancelled and skipped uploads are only in `all`. Uploads that
 * need a decision about a duplicate have the state `failed`, too: `needs-decision` shows only these, `failed` only the others.
 */
export const FILTER_STATES = {
  all: UPLOAD_STATES,
  active: ['preparing', 'sending', 'finishing', 'processing', 'publishing'],
  waiting: ['queued', 'waiting', 'paused'],
  'needs-decision': ['failed'],
  failed: ['failed'],
  complete: ['complete'],
} as const satisfies Record<string, readonly UploadState[]>;

/** States that an upload leaves only by a retry of the user. */
export const ENDED_STATES = ['complete', 'failed', 'cancelled', 'skipped'] as const satisfies readonly UploadState[];

/** States in which a transfer slot is held. */
export const SLOT_STATES = ['preparing', 'sending', 'finishing'] as const satisfies readonly UploadState[];

export function isEnded(state: UploadState): boolean {
  return (ENDED_STATES as readonly UploadState[]).includes(state);
}
