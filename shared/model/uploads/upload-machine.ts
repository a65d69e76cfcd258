import {
  delayedFollowUp,
  endedFollowUp,
  type FollowUp,
  failedPublication,
  followUpDueAt,
  followUpsOfNewItem,
  isReplaced,
  type KnownFile,
  retriedFollowUp,
  withAcceptedFile,
  withoutPublication,
  withTagCheck,
} from './follow-ups.ts';
import { withFailure, withSuccess } from './retries.ts';
import { SUCCEEDED_STEPS } from './succeeded-steps.ts';
import type { CancelledFrom, EventOf, Upload, UploadEvent } from './upload.ts';
import { isEnded, type UploadState } from './upload-states.ts';

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

/** The fields of a new row that no step has filled yet. An addition has the id of its item from the beginning. */
export const UNTRIED = {
  titleNotice: null,
  addition: null,
  edgeHash: null,
  movedFrom: null,
  duplicateCheckedAt: null,
  retries: 0,
  retriesByStep: {},
  nextAttemptAt: null,
  error: null,
  ...NO_ITEM,
  fruitless: 0,
  ...NO_FILE,
  cancelledFrom: null,
  endedAt: null,
  clearedAt: null,
} as const satisfies Partial<Upload>;

/** Returns the row after an event. Every change of an upload goes through this function. */
export function applyUploadEvent(upload: Upload, event: UploadEvent): Upload {
  return withPlace(withFollowUpTime(decided(upload, event)));
}

function decided(upload: Upload, event: UploadEvent): Upload {
  const next = withProgress(transition(upload, event), event);
  if (event.kind === 'published' && isLateCancel(upload)) return { ...next, cancelledFrom: null };
  // An event that arrives after a decision of the user adds facts; it does not change the decision.
  if (isEnded(upload.state) && !REOPENING.has(event.kind)) {
    return { ...next, state: upload.state, error: upload.error, endedAt: upload.endedAt, nextAttemptAt: null };
  }
  if (upload.state === 'paused' && KEEPS_PAUSE.has(event.kind))
    return { ...next, state: 'paused', nextAttemptAt: null };
  return next;
}

/**
 * Returns true when a publication that was in flight at the time of the cancel overrides the cancel: the file was
 * already complete.
 */
export function isLateCancel({ state, completedAt }: Pick<Upload, 'state' | 'completedAt'>): boolean {
  return state === 'cancelled' && completedAt !== null;
}

/** Returns the row without the retry counts of the steps that succeeded with this event. */
function withProgress(upload: Upload, event: UploadEvent): Upload {
  const succeeded = event.kind === 'answered' ? [event.step] : SUCCEEDED_STEPS[event.kind];
  if (succeeded === undefined) return upload;
  const retriesByStep = withSuccess(upload.retriesByStep, succeeded);
  return retriesByStep === upload.retriesByStep ? upload : { ...upload, retriesByStep };
}

const REOPENING: ReadonlySet<UploadEvent['kind']> = new Set([
  'retried',
  'replacement-accepted',
  'cancelled',
  'cancel-undone',
  'duplicate-resolved',
]);
/** Events of a step that was running when the user paused the upload: it stays paused. */
const KEEPS_PAUSE: ReadonlySet<UploadEvent['kind']> = new Set([
  'started',
  'send-started',
  'sent',
  'delayed',
  'put-back',
]);

function transition(upload: Upload, event: UploadEvent): Upload {
  switch (event.kind) {
    case 'started':
      return { ...upload, state: 'preparing', error: null, nextAttemptAt: null };
    case 'file-seen':
      return fileSeen(upload, event);
    case 'file-moved':
      return fileMoved(upload, event);
    case 'described':
      return isDescribable(upload) ? withFields(upload, event) : upload;
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
      return { ...withNewItem(withoutFile(upload)), fruitless: upload.fruitless + 1 };
    case 'cleaned-up':
      // A complete file stays in the library as a draft: nothing is removed, and no further check is needed.
      if (upload.completedAt !== null) return { ...upload, cancelledFrom: null };
      return withoutItem(withoutFile(upload));
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
      // A refusal can have been recorded after a cancel; the retry that followed has published the item.
      return {
        ...upload,
        state: 'complete',
        endedAt: event.at,
        error: null,
        followUps: withoutPublication(upload.followUps),
      };
    case 'publish-refused': {
      const followUps = [...withoutPublication(upload.followUps), failedPublication(event.error)];
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
    case 'replacement-accepted':
      return withReplacement(upload, event.file);
    case 'answered':
      return upload;
    case 'watched':
      return { ...upload, watchedMs: event.ms };
    case 'follow-up-added':
      return { ...upload, followUps: [...upload.followUps, event.followUp] };
    case 'follow-up-noted':
      return withFollowUp(upload, event.index, (before) => ({ ...before, ...event.facts }));
    case 'companion-accepted':
      return withFollowUp(upload, event.index, (before) => withAcceptedFile(before, event.file));
    case 'follow-up-done':
      return withFollowUp(upload, event.index, (before) => endedFollowUp(before, null));
    case 'follow-up-failed':
      return withFollowUp(upload, event.index, (before) => endedFollowUp(before, event.error));
    case 'follow-up-delayed':
      return withFollowUp(upload, event.index, (before) => delayedFollowUp(before, event));
    case 'follow-ups-retried':
      return { ...upload, followUps: upload.followUps.map(retriedFollowUp) };
    case 'cleared':
    case 'clear-undone':
      return { ...upload, clearedAt: event.kind === 'cleared' ? event.at : null };
  }
}

function fileSeen(
  upload: Upload,
  { sizeBytes, mtimeMs, identity, volume = upload.volume, edgeHash }: EventOf<'file-seen'>,
): Upload {
  // A placeholder for another size can't take this file: without a destination it will be replaced.
  const destination = sizeBytes === upload.sizeBytes ? upload.destination : null;
  const sameEdges = edgeHash === upload.edgeHash || edgeHash === null || upload.edgeHash === null;
  const isSame = sizeBytes === upload.sizeBytes && mtimeMs === upload.mtimeMs && sameEdges;
  // The new contents can be a duplicate even if the old ones were not.
  const duplicateCheckedAt = isSame ? upload.duplicateCheckedAt : null;
  return { ...upload, sizeBytes, mtimeMs, identity, volume, edgeHash, destination, duplicateCheckedAt };
}

function fileMoved(upload: Upload, { path, fileName }: EventOf<'file-moved'>): Upload {
  const movedFrom = upload.movedFrom ?? upload.path;
  // The library already has the file under this name, so it does not change.
  const isNamed = upload.fileIntentAt !== null;
  const name = isNamed ? upload.fileName : fileName;
  return { ...upload, path, fileName: name, movedFrom: movedFrom === path ? null : movedFrom };
}

/** Whether the values of the item may still change in the row: no request has created the item, and none may have. */
export function isDescribable({ addition, itemIntentAt, mediaId }: Upload): boolean {
  return addition === null && itemIntentAt === null && mediaId === null;
}

function withFields(upload: Upload, { fields, publish = upload.publish }: EventOf<'described'>): Upload {
  const { tags = upload.tags } = fields;
  const titleNotice = fields.title === undefined ? upload.titleNotice : null;
  return { ...upload, ...fields, publish, titleNotice, followUps: withTagCheck(upload.followUps, tags.length > 0) };
}

function completed(upload: Upload, at: number): Upload {
  // This answer belongs to a request that was sent before the file was dropped or the upload was cancelled. The item
  // of a cancelled upload is about to be removed.
  if (!hasFile(upload) || isEnded(upload.state)) return upload;
  const after = { ...upload, completedAt: at, error: null, nextAttemptAt: null };
  if (upload.publish.kind !== 'draft') return { ...after, state: 'publishing' };
  return { ...after, state: 'complete', endedAt: at };
}

/** Whether an upload is the thumbnail of its collection, and has no item. */
export function isOfCollection({ addition }: Pick<Upload, 'addition'>): boolean {
  return addition?.kind === 'thumbnail' && addition.of === 'collection';
}

/** Whether the library has a file or a thumbnail for this row. */
function hasFile({ fileId, addition, sentAt }: Upload): boolean {
  return fileId !== null || (addition?.kind === 'thumbnail' && sentAt !== null);
}

function delayed(upload: Upload, { error, until, failed }: EventOf<'delayed'>): Upload {
  const after: Upload = { ...upload, state: 'waiting', error, nextAttemptAt: until };
  if (failed === null) return after;
  return { ...after, retries: upload.retries + 1, retriesByStep: withFailure(upload.retriesByStep, failed) };
}

function interrupted(upload: Upload): Upload {
  const isIdle = upload.state === 'waiting' || upload.state === 'paused' || isEnded(upload.state);
  return isIdle ? upload : { ...upload, state: idleState(upload) };
}

function withFollowUp(upload: Upload, index: number, change: (before: FollowUp) => FollowUp): Upload {
  return { ...upload, followUps: upload.followUps.map((each, at) => (at === index ? change(each) : each)) };
}

/** Sets when the follow-ups are due: they start once the file is complete. */
function withFollowUpTime(upload: Upload): Upload {
  const isComplete = upload.state === 'complete';
  const mayRun = isComplete || upload.state === 'publishing';
  return { ...upload, followUpAt: mayRun ? followUpDueAt(upload.followUps, isComplete) : null };
}

/** An upload with something left to do is always listed. */
function withPlace(upload: Upload): Upload {
  const isListed = !isEnded(upload.state) || upload.followUpAt !== null;
  return isListed ? { ...upload, clearedAt: null } : upload;
}

/**
 * Returns the upload without its file: it has to be sent again, so it returns to the queue if it was processing or
 * publishing.
 */
function withoutFile(upload: Upload): Upload {
  const isPolled = upload.state === 'processing' || upload.state === 'publishing';
  return { ...upload, ...NO_FILE, state: isPolled ? 'queued' : upload.state };
}

/** The item of an addition is never dropped: the upload must not create another one. */
function withoutItem(upload: Upload): Upload {
  return { ...upload, ...NO_ITEM, ...(upload.addition === null ? {} : { mediaId: upload.mediaId }) };
}

/** Returns the upload without its item, for which another one will be created. */
function withNewItem(upload: Upload): Upload {
  if (upload.addition !== null) return withoutItem(upload);
  return { ...withoutItem(upload), followUps: followUpsOfNewItem(upload.followUps) };
}

function fileDropped(upload: Upload, event: EventOf<'file-dropped'>): Upload {
  const { fileId, fruitless, spoiledFileIds } = upload;
  return {
    ...withoutFile(upload),
    fruitless: fruitless + (event.isFruitless === true ? 1 : 0),
    spoiledFileIds: event.mayStay === true && fileId !== null ? [...spoiledFileIds, fileId] : spoiledFileIds,
  };
}

/**
 * Returns the state of an upload without a running step: `processing` or `publishing` after the library was notified of the bytes,
 * otherwise `queued`.
 */
function idleState(upload: Upload): UploadState {
  if (upload.completedAt !== null) return 'publishing';
  return upload.finishedAt === null ? 'queued' : 'processing';
}

/** Failures that make the bytes in the library invalid, so that the file must be sent again. */
const SPOILED = new Set(['upload.processing-failed', 'upload.size-differs']);

/** Returns true when all bytes of the file were sent. */
export function isDelivered({ sentAt, finishedAt }: Pick<Upload, 'sentAt' | 'finishedAt'>): boolean {
  return sentAt !== null || finishedAt !== null;
}

/**
 * Returns true when the media file of this row has invalid bytes and must be removed. A retry marks it so: it clears
 * `fileIntentAt` and keeps `fileId`.
 */
export function isSpoiled({ fileId, fileIntentAt }: Pick<Upload, 'fileId' | 'fileIntentAt'>): boolean {
  return fileId !== null && fileIntentAt === null;
}

function retried(upload: Upload, itemId?: string | null): Upload {
  // Another upload of the same contents may have completed in the meantime.
  const duplicateCheckedAt = null;
  const cleared: Upload = {
    ...upload,
    duplicateCheckedAt,
    retries: 0,
    fruitless: 0,
    nextAttemptAt: null,
    error: null,
    endedAt: null,
    cancelledFrom: null,
  };
  const code = upload.error?.code ?? '';
  // The user says that the deleted file is back: a restored copy has another number and time.
  if (code === 'file.missing') cleared.identity = '';
  // A cancelled upload continues with its known file, which may be complete.
  const isNoGood = upload.state !== 'cancelled' && SPOILED.has(code);
  const fileReset = isNoGood ? { ...cleared, ...NO_FILE, fileId: upload.fileId } : cleared;
  // Without a choice the library is searched again: a new item could be a second one.
  const itemReset =
    itemId === undefined || code !== 'upload.may-exist' ? fileReset : { ...fileReset, ...NO_ITEM, mediaId: itemId };
  return { ...itemReset, state: idleState(itemReset) };
}

/**
 * Returns the upload with the file that is at its path now, to be sent from its first byte. The library may have received bytes of
 * the file that was added: that media file is removed. The title and the other values of the item stay.
 */
function withReplacement(upload: Upload, file: KnownFile): Upload {
  if (!isReplaced(upload)) return upload;
  const { fileId } = upload;
  // A placeholder whose creation was not answered is removed as before.
  const fileIntentAt = fileId === null ? upload.fileIntentAt : null;
  return retried({ ...upload, ...NO_FILE, fileId, fileIntentAt, ...file, edgeHash: null });
}

/** Returns what a cancel replaces. A second cancel keeps the values of the first one. */
function overwritten({ state, nextAttemptAt, endedAt, cancelledFrom }: Upload): CancelledFrom | null {
  return state === 'cancelled' ? cancelledFrom : { state, nextAttemptAt, endedAt };
}

/**
 * Restores what the cancel replaced. The step that ran at that time was stopped, so a running upload is queued again.
 * Facts that were recorded since, such as a created or removed item, stay.
 */
function cancelUndone(upload: Upload): Upload {
  const { cancelledFrom: from } = upload;
  if (upload.state !== 'cancelled' || from === null) return upload;
  // Another upload of the same contents may have completed in the meantime.
  const open: Upload = { ...upload, cancelledFrom: null, duplicateCheckedAt: null };
  const { nextAttemptAt, endedAt } = from;
  if (isEnded(from.state)) return { ...open, state: from.state, endedAt };
  const isIdle = from.state === 'waiting' || from.state === 'paused';
  return { ...open, state: isIdle ? from.state : idleState(open), nextAttemptAt, endedAt: null };
}

function duplicateResolved(upload: Upload, event: EventOf<'duplicate-resolved'>): Upload {
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

/** The states that each command applies to; bulk commands skip other uploads. */
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
