/**
 * The states of an upload as screens show them.
 *
 * The normal order is `queued → preparing → sending → finishing → processing → publishing → complete`. In addition:
 * `waiting` (resumes automatically), `paused`, and the ended states `failed`, `cancelled` and `skipped`.
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
 * The states that each filter of an upload list shows. `unskipped` and `skipped` are the two parts of `all`; cancelled
 * uploads are in no other filter. An upload that needs a decision about a duplicate has the state `failed`:
 * `needs-decision` shows these uploads, and `failed` shows the other failed ones.
 */
export const FILTER_STATES = {
  all: UPLOAD_STATES,
  unskipped: UPLOAD_STATES.filter((state) => state !== 'skipped'),
  active: ['preparing', 'sending', 'finishing', 'processing', 'publishing'],
  waiting: ['queued', 'waiting', 'paused'],
  'needs-decision': ['failed'],
  failed: ['failed'],
  complete: ['complete'],
  skipped: ['skipped'],
} as const satisfies Record<string, readonly UploadState[]>;

/**
 * States without further steps. An upload leaves them by a command of the user (a retry, an undo, a decision about a duplicate),
 * or `cancelled` when its publication took effect after all.
 */
export const ENDED_STATES = ['complete', 'failed', 'cancelled', 'skipped'] as const satisfies readonly UploadState[];

/** States of a delivery that uses a slot. */
export const SLOT_STATES = ['preparing', 'sending', 'finishing'] as const satisfies readonly UploadState[];

export function isEnded(state: UploadState): boolean {
  return (ENDED_STATES as readonly UploadState[]).includes(state);
}

/** States of uploads that have not ended. */
export const OPEN_UPLOAD_STATES: readonly UploadState[] = UPLOAD_STATES.filter((state) => !isEnded(state));
