import { type AppErrorData, appError } from '../../../../shared/contract/app-error.ts';
import { dispositionOf } from '../../../../shared/contract/errors/error-catalog.ts';
import { retryAfterMsOf, retryWaitMs } from '../../../../shared/model/backoff.ts';
import { delaysPublication } from '../../../../shared/model/uploads/follow-ups.ts';
import { type FailedStep, type RetriedStep, retryCountAfter } from '../../../../shared/model/uploads/retries.ts';
import type { Upload, UploadEvent } from '../../../../shared/model/uploads/upload.ts';
import { isSpoiled } from '../../../../shared/model/uploads/upload-machine.ts';

/** The next step of an upload. A step that creates or sends something stores its intent before; all store their facts after. */
export type UploadStep =
  /** No step: the upload has ended, or the user paused it. */
  | { kind: 'none' }
  /** Resolve the collection that the user named. */
  | { kind: 'find-collection' }
  /** An item may have been created: search for it before anything else. */
  | { kind: 'look-up-item'; intendedAt: number }
  | { kind: 'create-item' }
  /** Nothing was created yet: check the collection for the same contents. */
  | { kind: 'check-duplicates' }
  /** A placeholder may have been created: remove it; `create-file` is next. */
  | { kind: 'clear-files' }
  | { kind: 'create-file' }
  /** The destination was used or is old: check the state of the file. */
  | { kind: 'check-file' }
  /**
   * The bytes of the file in the library are invalid, and the user wants it sent again: remove it before a new one is
   * created.
   */
  | { kind: 'drop-file' }
  | { kind: 'send' }
  | { kind: 'finish' }
  | { kind: 'poll' }
  | { kind: 'publish' }
  /** Wait until captions, thumbnail and tags have had one attempt each; then `publish` is next. Needs no slot and no polling. */
  | { kind: 'await-follow-ups' }
  /**
   * Cancelled during its steps: search and remove the item that was created for it, or may have been. Cancelled during
   * its publication: find out whether that took effect.
   */
  | { kind: 'clean-up' };

/**
 * An older destination is checked before use: the service abandons a placeholder after 30 minutes, and a signed
 * destination may expire earlier.
 */
export const DESTINATION_FRESH_MS = 10 * 60_000;

/** The next step that an error shows after its last retry. */
const GAVE_UP_STEP = 'All automatic retries failed. Fix the cause and retry, or cancel the upload.';

/** How often uploads of a disconnected drive are retried. Usually the return of the drive wakes them. */
const DISK_RECHECK_MS = 10 * 60_000;

/** Returns the next step, from the row and the time alone. */
export function nextStep(upload: Upload, now: number): UploadStep {
  switch (upload.state) {
    case 'complete':
    case 'failed':
    case 'paused':
      return { kind: 'none' };
    case 'skipped':
    case 'cancelled':
      return { kind: mayHaveLeft(upload) || isPublicationOpen(upload) ? 'clean-up' : 'none' };
    default:
  }
  // Nothing is created in the library before the collection is known.
  if (upload.collectionId === '') return { kind: 'find-collection' };
  // An upload that stays a draft does not get here: its state is `complete` when processing has ended.
  if (upload.completedAt !== null) {
    return { kind: delaysPublication(upload.followUps) ? 'await-follow-ups' : 'publish' };
  }
  if (upload.finishedAt !== null) return { kind: 'poll' };
  if (upload.sentAt !== null) return { kind: 'finish' };
  return nextDeliveryStep(upload, now);
}

/** Returns the next step of an upload whose bytes are not delivered. */
function nextDeliveryStep(upload: Upload, now: number): UploadStep {
  if (upload.mediaId === null && upload.itemIntentAt !== null) {
    return { kind: 'look-up-item', intendedAt: upload.itemIntentAt };
  }
  if (upload.addition?.kind === 'thumbnail') return nextThumbnailStep(upload, now);
  if (isSpoiled(upload)) return { kind: 'drop-file' };
  const isJudged = upload.duplicates === 'upload' || upload.duplicateCheckedAt !== null;
  // After a retry, an undone cancel or a change of the file there may be a placeholder already: duplicates are checked
  // again unless bytes may have arrived there.
  const isUnsent = upload.sendStartedAt === null && (upload.fileId !== null || upload.fileIntentAt === null);
  if (!isJudged && isUnsent) return { kind: 'check-duplicates' };
  if (upload.mediaId === null) return { kind: 'create-item' };
  if (upload.fileId === null) {
    return upload.fileIntentAt === null ? { kind: 'create-file' } : { kind: 'clear-files' };
  }
  if (upload.destination === null) return { kind: 'check-file' };
  return mayUseDestination(upload, now) ? { kind: 'send' } : { kind: 'check-file' };
}

/** A thumbnail has no media file: it has a destination or it needs one. */
function nextThumbnailStep(upload: Upload, now: number): UploadStep {
  if (upload.destination === null) return { kind: 'create-file' };
  return mayUseDestination(upload, now) ? { kind: 'send' } : { kind: 'check-file' };
}

/** Returns true when the destination was not used and is not old. */
function mayUseDestination(upload: Upload, now: number): boolean {
  const isFromFuture = (upload.destinationAt ?? 0) > now;
  return upload.sendStartedAt === null && !isFromFuture && now - destinationSince(upload) <= DESTINATION_FRESH_MS;
}

/**
 * Returns the time of the request for the destination: the library counts its age from some moment between the request and the
 * answer. If no request is recorded, the time of the answer; 0 if there is no destination.
 */
export function destinationSince({
  fileIntentAt,
  destinationAt,
}: Pick<Upload, 'fileIntentAt' | 'destinationAt'>): number {
  return Math.min(fileIntentAt ?? Number.POSITIVE_INFINITY, destinationAt ?? 0);
}

/** The steps after the bytes are delivered: the poll lane runs them, so they use no slot of an upload. */
export const AFTER_DELIVERY: ReadonlySet<UploadStep['kind']> = new Set(['poll', 'publish', 'await-follow-ups']);

const READING: ReadonlySet<UploadStep['kind']> = new Set([
  ...(['check-duplicates', 'look-up-item', 'check-file'] as const),
  // A delivery does not run these steps: it ends, and the poll lane continues.
  ...AFTER_DELIVERY,
]);

/**
 * Returns whether a step may start while the library refuses changes: it begins with a read, after which it may need no change.
 */
export function isReading({ kind }: UploadStep): boolean {
  return READING.has(kind);
}

/** Returns whether a row may start during a maintenance: its next step begins with a read, and no change was refused before. */
export function mayAsk(upload: Upload, now: number): boolean {
  return upload.error?.code !== 'api.read-only' && isReading(nextStep(upload, now));
}

/** Returns whether an upload that ends now leaves something unwanted in the library, or may have. */
export function mayHaveLeft({ mediaId, itemIntentAt, completedAt, addition, fileId, fileIntentAt }: Upload): boolean {
  if (completedAt !== null || addition?.kind === 'thumbnail') return false;
  // The item of an addition is not the upload's: only its file may be unwanted.
  if (addition !== null) return fileId !== null || fileIntentAt !== null;
  return mediaId !== null || itemIntentAt !== null;
}

/** Returns whether a request to publish the item may have been sent. */
export function mayBePublished({ completedAt, publish, followUps }: Upload): boolean {
  return completedAt !== null && publish.kind !== 'draft' && !delaysPublication(followUps);
}

/** Returns whether an upload was cancelled during its publication with an unknown outcome. */
function isPublicationOpen(upload: Upload): boolean {
  return upload.state === 'cancelled' && upload.cancelledFrom !== null && mayBePublished(upload);
}

/**
 * Returns the step whose retries a failure uses. `before`: the row before the step; `after`: the row after it. When the step
 * dropped the file or the item of the row, the failure uses a retry of the delivery as a whole.
 */
export function failedStep(step: RetriedStep, answered: number, before: Upload, after: Upload): FailedStep {
  const isGivenUp =
    (before.fileId !== null && after.fileId === null) || (before.mediaId !== null && after.mediaId === null);
  if (isGivenUp) return { step: 'delivery', answered: 0 };
  // The requests that succeed around a failed notification only poll the file's status, which is no progress.
  return { step, answered: step === 'finish' ? 0 : answered };
}

/**
 * Returns the event for a failed step. An error that concerns the whole site uses up no retry. `Retry-After` is always the
 * shortest wait.
 */
export function afterFailure(upload: Upload, error: AppErrorData, now: number, failed: FailedStep): UploadEvent {
  switch (dispositionOf(error.code)) {
    case 'sign-in':
      return { kind: 'put-back', error };
    case 'wait-network':
    case 'wait-site':
    case 'wait-keychain':
      return { kind: 'delayed', error, until: now + (retryAfterMsOf(error) ?? 0), failed: null };
    case 'wait-disk':
      return { kind: 'delayed', error, until: now + DISK_RECHECK_MS, failed: null };
    case 'retry': {
      const waitMs = retryWaitMs(retryCountAfter(upload.retriesByStep, failed).count, error);
      if (waitMs === null) return givenUp({ ...error, nextStep: GAVE_UP_STEP }, now, failed);
      return { kind: 'delayed', error, until: now + waitMs, failed };
    }
    case 'ask':
    case 'permanent':
      return givenUp(error, now, failed);
  }
}

/** Returns the event for a failure without a further retry. If only the publication failed, the file has arrived. */
function givenUp(error: AppErrorData, now: number, { step }: FailedStep): UploadEvent {
  if (step !== 'publish' || error.code === 'api.not-found') return { kind: 'failed', error, at: now };
  return { kind: 'publish-refused', error: notPublished(error), at: now };
}

/** The error shown when a file arrived as a draft: the library's reason is in the details. */
export function notPublished({ code, message, details }: AppErrorData): AppErrorData {
  return appError('upload.not-published', { details: { ...details, reason: code, answer: message } }).toData();
}
