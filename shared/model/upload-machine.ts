import type { UploadDescriptor } from '../api/files.ts';
import type { AppErrorData } from '../contract/app-error.ts';
import type { DuplicateChoice, PublishChoice } from '../contract/upload-choices.ts';
import { type FollowUp, type FollowUpFacts, failedPublication, followUpDueAt, retriedFollowUp } from './follow-ups.ts';
import type { Priority } from './priorities.ts';
import { type FailedTry, type RetriedStep, type TriesByStep, withFailure, withSuccess } from './retries.ts';
import { SUCCEEDED_STEPS } from './succeeded-steps.ts';
import { isEnded, type UploadState } from './upload-states.ts';

export type Destination = UploadDescriptor['protocols']['form_data'];

/** The part of a row that a cancel overwrites. */
interface CancelledFrom {
  state: UploadState;
  nextAttemptAt: number | null;
  endedAt: number | null;
}

/**
 * The durable row that takes one local file to a media file whose status is `complete`.
 *
 * The `…IntentAt` fields are written before an effect and the ids after it, so that a row read after a crash shows what
 * may have happened. All times are epoch milliseconds.
 */
export interface Upload {
  id: string;
  batchId: string;
  siteId: string;
  /** Empty until the library has answered which collection the batch's `collectionRef` names. */
  collectionId: string;
  path: string;
  fileName: string;
  /** The fingerprint that the attempt is bound to. */
  sizeBytes: number;
  mtimeMs: number;
  identity: string;
  /** SHA-256 of the first and the last 64 KiB, as far as they were read. */
  edgeHash: string | null;
  /** The path that the file was added by, if it was followed to another since. */
  movedFrom: string | null;
  title: string;
  tags: string[];
  publish: PublishChoice;
  /** The user's choice; the progress of the upload never changes it. */
  priority: Priority;
  /** What becomes of it when its collection has these contents already. The user's decision sets it to `upload`. */
  duplicates: DuplicateChoice;
  /** The collection was searched and has no match, so that the upload may continue. */
  duplicateCheckedAt: number | null;

  state: UploadState;
  /** Retries in all, since it was added or the user retried it. Waiting for a network, a site or a sign-in uses none. */
  attempts: number;
  /** Retries used up, by step: each is reset when the step succeeds. */
  tries: TriesByStep;
  nextAttemptAt: number | null;
  error: AppErrorData | null;

  itemIntentAt: number | null;
  /** The same instant by the service's clock; null where that was not known. */
  itemIntentServerAt: number | null;
  /** The library said that it created the item, but did not name it: one exists, and none is created beside it. */
  itemAnsweredAt: number | null;
  mediaId: string | null;
  /** Files of the item that this upload gave up because their bytes are no good, and that may still be there. */
  spoiledFileIds: readonly string[];
  /** Null beside a `fileId`: that file is no good, see `isSpoiled`. */
  fileIntentAt: number | null;
  fileId: string | null;
  /** Items and placeholders in a row that led to no destination. */
  fruitless: number;
  destination: Destination | null;
  destinationAt: number | null;
  /** Set once bytes may have gone to the destination: it is not used a second time. */
  sendStartedAt: number | null;
  sentAt: number | null;
  sha256: string | null;
  /** The service was notified, if it requires that. */
  finishedAt: number | null;
  completedAt: number | null;
  /** How long its processing has been polled, or before that whether its bytes are noticed, by a clock that is never set. */
  watchedMs: number;

  /** What is to be done once it is complete; never a reason for it to fail. */
  followUps: FollowUp[];
  /** The state before the user's cancel, for its undo; null when it was not cancelled. */
  cancelledFrom: CancelledFrom | null;

  /** When the follow-ups are due; null when none is pending, or the upload has not ended. */
  followUpAt: number | null;

  addedAt: number;
  endedAt: number | null;
}

/** A fact about an upload. Each is stored, in order, before anything is done because of it. */
export type UploadEvent =
  | { kind: 'started' }
  | { kind: 'file-seen'; sizeBytes: number; mtimeMs: number; identity: string; edgeHash: string | null }
  | { kind: 'file-moved'; path: string; fileName: string }
  | { kind: 'collection-found'; collectionId: string }
  | { kind: 'duplicates-checked'; at: number }
  | { kind: 'skipped'; error: AppErrorData; at: number }
  | { kind: 'duplicate-resolved'; choice: 'skip' | 'upload'; error: AppErrorData | null; at: number }
  | { kind: 'item-intended'; at: number; serverAt?: number | null; answeredAt?: number | null }
  | { kind: 'item-created'; mediaId: string }
  | { kind: 'item-absent' }
  | { kind: 'item-gone' }
  | { kind: 'file-intended'; at: number }
  | { kind: 'file-created'; fileId: string; destination: Destination | null; at: number }
  /** `isFruitless`: it was created, but nothing could be sent to it. `mayStay`: with bytes, because it may not be deleted. */
  | { kind: 'file-dropped'; isFruitless?: boolean; mayStay?: boolean }
  | { kind: 'send-started'; at: number }
  | { kind: 'sent'; at: number; sha256: string | null }
  | { kind: 'finished'; at: number }
  | { kind: 'completed'; at: number }
  | { kind: 'published'; at: number }
  /** It stays a draft: the upload is complete all the same, and what is left is a follow-up. */
  | { kind: 'publish-refused'; error: AppErrorData; at: number }
  /** `failed`: what the retry is counted against; null where waiting uses none. */
  | { kind: 'delayed'; error: AppErrorData; until: number; failed: FailedTry | null }
  /** The requests of a step were answered; it is only too early for its end. */
  | { kind: 'answered'; step: RetriedStep }
  | { kind: 'failed'; error: AppErrorData; at: number }
  | { kind: 'put-back'; error: AppErrorData | null }
  | { kind: 'interrupted' }
  | { kind: 'paused' }
  | { kind: 'resumed'; transferAlive: boolean }
  | { kind: 'cancelled'; at: number }
  /** The library holds nothing of the cancelled or skipped upload, or only what stays: a complete file, as a draft. */
  | { kind: 'cleaned-up' }
  /** `itemId`: the item that the user chose; null: a new one. */
  | { kind: 'retried'; itemId?: string | null }
  | { kind: 'cancel-undone' }
  | { kind: 'watched'; ms: number }
  | { kind: 'follow-up-noted'; index: number; facts: FollowUpFacts }
  | { kind: 'follow-up-done'; index: number }
  | { kind: 'follow-up-failed'; index: number; error: AppErrorData }
  /** `tries`: where they have changed. */
  | {
      kind: 'follow-up-delayed';
      index: number;
      error: AppErrorData | null;
      until: number;
      countsAsAttempt: boolean;
      tries?: FollowUp['tries'];
    }
  | { kind: 'follow-ups-retried' };

const NO_FILE = {
  fileIntentAt: null,
  fileId: null,
  destination: null,
  destinationAt: null,
  sendStartedAt: null,
  sentAt: null,
  sha256: null,
  finishedAt: null,
  completedAt: null,
  watchedMs: 0,
  followUpAt: null,
} as const satisfies Partial<Upload>;

const NO_ITEM = {
  itemIntentAt: null,
  itemIntentServerAt: null,
  itemAnsweredAt: null,
  mediaId: null,
  spoiledFileIds: [],
} as const satisfies Partial<Upload>;

/** Returns a new row. */
export const UNTRIED = {
  edgeHash: null,
  movedFrom: null,
  duplicateCheckedAt: null,
  attempts: 0,
  tries: {},
  nextAttemptAt: null,
  error: null,
  ...NO_ITEM,
  fruitless: 0,
  ...NO_FILE,
  cancelledFrom: null,
  endedAt: null,
} as const satisfies Partial<Upload>;

/** Returns the row after a fact. No other code changes an upload. */
export function applyUploadEvent(upload: Upload, event: UploadEvent): Upload {
  return withTurn(decided(upload, event));
}

function decided(upload: Upload, event: UploadEvent): Upload {
  const next = withProgress(transition(upload, event), event);
  if (event.kind === 'published' && isLateCancel(upload)) return { ...next, cancelledFrom: null };
  // A fact that arrives after a decision of the user adds knowledge; it does not change the decision.
  if (isEnded(upload.state) && !REOPENING.has(event.kind)) {
    return { ...next, state: upload.state, error: upload.error, endedAt: upload.endedAt, nextAttemptAt: null };
  }
  if (upload.state === 'paused' && HELD_BACK.has(event.kind)) return { ...next, state: 'paused', nextAttemptAt: null };
  return next;
}

/** Whether a publication that was on its way when the cancel was recorded overrides it: the file was complete already. */
export function isLateCancel({ state, completedAt }: Pick<Upload, 'state' | 'completedAt'>): boolean {
  return state === 'cancelled' && completedAt !== null;
}

/** The row with the counts of retries that its fact has ended. */
function withProgress(upload: Upload, event: UploadEvent): Upload {
  const succeeded = event.kind === 'answered' ? [event.step] : SUCCEEDED_STEPS[event.kind];
  if (succeeded === undefined) return upload;
  const tries = withSuccess(upload.tries, succeeded);
  return tries === upload.tries ? upload : { ...upload, tries };
}

const REOPENING: ReadonlySet<UploadEvent['kind']> = new Set([
  'retried',
  'cancelled',
  'cancel-undone',
  'duplicate-resolved',
]);
const HELD_BACK: ReadonlySet<UploadEvent['kind']> = new Set(['started', 'send-started', 'sent', 'delayed', 'put-back']);

function transition(upload: Upload, event: UploadEvent): Upload {
  switch (event.kind) {
    case 'started':
      return { ...upload, state: 'preparing', error: null, nextAttemptAt: null };
    case 'file-seen':
      return fileSeen(upload, event);
    case 'file-moved':
      return fileMoved(upload, event);
    case 'collection-found':
      return { ...upload, collectionId: event.collectionId };
    case 'duplicates-checked':
      return { ...upload, duplicateCheckedAt: event.at };
    case 'skipped':
      return { ...upload, state: 'skipped', error: event.error, endedAt: event.at, nextAttemptAt: null };
    case 'duplicate-resolved':
      return duplicateResolved(upload, event);
    case 'item-intended':
      return {
        ...upload,
        itemIntentAt: event.at,
        itemIntentServerAt: event.serverAt ?? null,
        itemAnsweredAt: event.answeredAt ?? null,
      };
    case 'item-created':
      return { ...upload, mediaId: event.mediaId };
    case 'item-absent':
      return { ...upload, ...NO_ITEM, mediaId: upload.mediaId, spoiledFileIds: upload.spoiledFileIds };
    case 'item-gone':
      return { ...withoutFile(upload), ...NO_ITEM, fruitless: upload.fruitless + 1 };
    case 'cleaned-up':
      // A complete file stays in the library as a draft: nothing was removed, and nothing is left to find out.
      if (upload.completedAt !== null) return { ...upload, cancelledFrom: null };
      return { ...withoutFile(upload), ...NO_ITEM };
    case 'file-intended':
      return { ...upload, fileIntentAt: event.at };
    case 'file-created': {
      const { fileId, destination, at } = event;
      const fruitless = destination === null ? upload.fruitless : 0;
      return { ...upload, fileId, destination, destinationAt: at, sendStartedAt: null, fruitless };
    }
    case 'file-dropped':
      return fileDropped(upload, event);
    case 'send-started':
      return { ...upload, state: 'sending', sendStartedAt: event.at };
    case 'sent':
      return { ...upload, state: 'finishing', sentAt: event.at, sha256: event.sha256 };
    case 'finished':
      return { ...upload, state: 'processing', finishedAt: event.at, error: null, watchedMs: 0 };
    case 'completed':
      return completed(upload, event.at);
    case 'published':
      // A refusal may have been noted behind a cancel; the retry that followed has published it.
      return { ...upload, state: 'complete', endedAt: event.at, error: null, followUps: withoutPublication(upload) };
    case 'publish-refused': {
      const followUps = [...withoutPublication(upload), failedPublication(event.error)];
      return { ...upload, state: 'complete', endedAt: event.at, error: null, nextAttemptAt: null, followUps };
    }
    case 'delayed':
      return delayed(upload, event);
    case 'failed':
      return { ...upload, state: 'failed', error: event.error, endedAt: event.at, nextAttemptAt: null };
    case 'put-back':
      return { ...upload, state: idleState(upload), error: event.error, nextAttemptAt: null };
    case 'interrupted':
      return interrupted(upload);
    case 'paused':
      return { ...upload, state: 'paused', nextAttemptAt: null };
    case 'resumed': {
      const state = event.transferAlive ? 'sending' : idleState(upload);
      return { ...upload, state, error: null, nextAttemptAt: null };
    }
    case 'cancelled':
      return {
        ...upload,
        state: 'cancelled',
        endedAt: event.at,
        nextAttemptAt: null,
        cancelledFrom: overwritten(upload),
      };
    case 'cancel-undone':
      return cancelUndone(upload);
    case 'retried':
      return retried(upload, event.itemId);
    case 'answered':
      return upload;
    case 'watched':
      return { ...upload, watchedMs: event.ms };
    case 'follow-up-noted':
      return withFollowUp(upload, event.index, event.facts);
    case 'follow-up-done':
      return withFollowUp(upload, event.index, { state: 'done', error: null, nextAt: null });
    case 'follow-up-failed':
      return withFollowUp(upload, event.index, { state: 'failed', error: event.error, nextAt: null });
    case 'follow-up-delayed':
      return followUpDelayed(upload, event);
    case 'follow-ups-retried':
      return { ...upload, followUps: upload.followUps.map(retriedFollowUp) };
  }
}

type EventOf<Kind extends UploadEvent['kind']> = Extract<UploadEvent, { kind: Kind }>;

function fileSeen(upload: Upload, { sizeBytes, mtimeMs, identity, edgeHash }: EventOf<'file-seen'>): Upload {
  // A placeholder that was made for another size can't take this file: without a destination it is replaced.
  const destination = sizeBytes === upload.sizeBytes ? upload.destination : null;
  const sameEdges = edgeHash === upload.edgeHash || edgeHash === null || upload.edgeHash === null;
  const isSame = sizeBytes === upload.sizeBytes && mtimeMs === upload.mtimeMs && sameEdges;
  // Other contents can be a duplicate where the old ones were none.
  const duplicateCheckedAt = isSame ? upload.duplicateCheckedAt : null;
  return { ...upload, sizeBytes, mtimeMs, identity, edgeHash, destination, duplicateCheckedAt };
}

function fileMoved(upload: Upload, { path, fileName }: EventOf<'file-moved'>): Upload {
  const movedFrom = upload.movedFrom ?? upload.path;
  // A name that the library knows stays.
  const isNamed = upload.fileIntentAt !== null;
  const name = isNamed ? upload.fileName : fileName;
  return { ...upload, path, fileName: name, movedFrom: movedFrom === path ? null : movedFrom };
}

function completed(upload: Upload, at: number): Upload {
  // The answer of a request that was sent before the file was given up, or before the upload was cancelled: its item is
  // about to be removed then.
  if (upload.fileId === null || isEnded(upload.state)) return upload;
  const after = { ...upload, completedAt: at, error: null, nextAttemptAt: null };
  if (upload.publish.kind !== 'draft') return { ...after, state: 'publishing' };
  return { ...after, state: 'complete', endedAt: at };
}

function delayed(upload: Upload, { error, until, failed }: EventOf<'delayed'>): Upload {
  const after: Upload = { ...upload, state: 'waiting', error, nextAttemptAt: until };
  if (failed === null) return after;
  return { ...after, attempts: upload.attempts + 1, tries: withFailure(upload.tries, failed) };
}

function interrupted(upload: Upload): Upload {
  const isIdle = upload.state === 'waiting' || upload.state === 'paused' || isEnded(upload.state);
  return isIdle ? upload : { ...upload, state: idleState(upload) };
}

function followUpDelayed(upload: Upload, event: EventOf<'follow-up-delayed'>): Upload {
  const { index, error, until, countsAsAttempt } = event;
  const before = upload.followUps[index];
  const attempts = (before?.attempts ?? 0) + (countsAsAttempt ? 1 : 0);
  // While the site as a whole is unreachable, nothing was tried yet.
  const wasTried = before?.wasTried === true || countsAsAttempt || error === null;
  const tries = event.tries ?? before?.tries ?? {};
  return withFollowUp(upload, index, { error, attempts, tries, wasTried, nextAt: until });
}

function withoutPublication({ followUps }: Upload): FollowUp[] {
  return followUps.some(({ kind }) => kind === 'publish')
    ? followUps.filter(({ kind }) => kind !== 'publish')
    : followUps;
}

function withFollowUp(upload: Upload, index: number, changes: Partial<FollowUp>): Upload {
  const followUps = upload.followUps.map((each, at) => (at === index ? { ...each, ...changes } : each));
  return { ...upload, followUps };
}

/** Follow-ups are due once the file is complete. */
function withTurn(upload: Upload): Upload {
  const isComplete = upload.state === 'complete';
  const isTurn = isComplete || upload.state === 'publishing';
  return { ...upload, followUpAt: isTurn ? followUpDueAt(upload.followUps, isComplete) : null };
}

/** Without its file an upload has to be sent again: it is no longer one that only waits for the service. */
function withoutFile(upload: Upload): Upload {
  const isFollowed = upload.state === 'processing' || upload.state === 'publishing';
  return { ...upload, ...NO_FILE, state: isFollowed ? 'queued' : upload.state };
}

function fileDropped(upload: Upload, event: Extract<UploadEvent, { kind: 'file-dropped' }>): Upload {
  const { fileId, fruitless, spoiledFileIds } = upload;
  return {
    ...withoutFile(upload),
    fruitless: fruitless + (event.isFruitless === true ? 1 : 0),
    spoiledFileIds: event.mayStay === true && fileId !== null ? [...spoiledFileIds, fileId] : spoiledFileIds,
  };
}

/** Returns the state of an idle row: after its bytes were delivered it only waits for the service. */
function idleState(upload: Upload): UploadState {
  if (upload.completedAt !== null) return 'publishing';
  return upload.finishedAt === null ? 'queued' : 'processing';
}

/** Failures after which the bytes in the library are no good, so that the file has to go again. */
const SPOILED = new Set(['upload.processing-failed', 'upload.size-differs']);

/** Whether the file was sent to its end. */
export function isDelivered({ sentAt, finishedAt }: Pick<Upload, 'sentAt' | 'finishedAt'>): boolean {
  return sentAt !== null || finishedAt !== null;
}

/** Whether the media file that the row knows is to be removed, because its bytes are no good. */
export function isSpoiled({ fileId, fileIntentAt }: Pick<Upload, 'fileId' | 'fileIntentAt'>): boolean {
  return fileId !== null && fileIntentAt === null;
}

function retried(upload: Upload, itemId?: string | null): Upload {
  // Another upload of the same contents may have taken its place meanwhile.
  const duplicateCheckedAt = null;
  const cleared: Upload = {
    ...upload,
    duplicateCheckedAt,
    attempts: 0,
    fruitless: 0,
    nextAttemptAt: null,
    error: null,
    endedAt: null,
    cancelledFrom: null,
  };
  const code = upload.error?.code ?? '';
  // A cancelled upload continues from its known state: its file may have arrived.
  const isNoGood = upload.state !== 'cancelled' && SPOILED.has(code);
  const fileReset = isNoGood ? { ...cleared, ...NO_FILE, fileId: upload.fileId } : cleared;
  // Without a choice the library is asked again: a new item could be a second one.
  const itemReset =
    itemId === undefined || code !== 'upload.may-exist' ? fileReset : { ...fileReset, ...NO_ITEM, mediaId: itemId };
  return { ...itemReset, state: idleState(itemReset) };
}

/** A second cancel keeps what the first one overwrote. */
function overwritten({ state, nextAttemptAt, endedAt, cancelledFrom }: Upload): CancelledFrom | null {
  return state === 'cancelled' ? cancelledFrom : { state, nextAttemptAt, endedAt };
}

/**
 * Puts back what the cancel overwrote. The step that ran at the time was ended, so a running upload is queued again.
 * What was learnt since, such as an item that was made or removed, stays.
 */
function cancelUndone(upload: Upload): Upload {
  const { cancelledFrom: from } = upload;
  if (upload.state !== 'cancelled' || from === null) return upload;
  // Another upload of the same contents may have taken its place meanwhile.
  const open: Upload = { ...upload, cancelledFrom: null, duplicateCheckedAt: null };
  const { nextAttemptAt, endedAt } = from;
  if (isEnded(from.state)) return { ...open, state: from.state, endedAt };
  const isHeld = from.state === 'waiting' || from.state === 'paused';
  return { ...open, state: isHeld ? from.state : idleState(open), nextAttemptAt, endedAt: null };
}

function duplicateResolved(upload: Upload, event: Extract<UploadEvent, { kind: 'duplicate-resolved' }>): Upload {
  if (event.choice === 'skip') {
    const { error, at: endedAt } = event;
    return { ...upload, state: 'skipped', error, endedAt, nextAttemptAt: null, cancelledFrom: null };
  }
  return retried({ ...upload, duplicates: 'upload' });
}

/** Returns true when the user has to choose between skipping the file and uploading it again. */
export function asksAboutDuplicate({ state, error }: { state: UploadState; error: { code: string } | null }): boolean {
  return state === 'failed' && error?.code === 'upload.duplicate';
}

/** Returns true when the user has to choose the item of the upload, or a new one. */
export function asksAboutItem({ state, error }: { state: UploadState; error: { code: string } | null }): boolean {
  return state === 'failed' && error?.code === 'upload.may-exist';
}

/** Returns whether a command applies to a state; bulk commands skip other rows. */
export const COMMAND_STATES = {
  pause: ['queued', 'preparing', 'sending', 'finishing', 'waiting'],
  resume: ['paused'],
  cancel: ['queued', 'preparing', 'sending', 'finishing', 'processing', 'publishing', 'waiting', 'paused', 'failed'],
  retry: ['failed', 'cancelled', 'waiting'],
} as const satisfies Record<string, readonly UploadState[]>;

export type UploadCommand = keyof typeof COMMAND_STATES;

export function commandApplies(command: UploadCommand, state: UploadState): boolean {
  return (COMMAND_STATES[command] as readonly UploadState[]).includes(state);
}
