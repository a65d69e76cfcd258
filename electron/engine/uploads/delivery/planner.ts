import { type AppErrorData, appError } from '../../../../shared/contract/app-error.ts';
import { dispositionOf } from '../../../../shared/contract/error-catalog.ts';
import { retryAfterMsOf, retryWaitMs } from '../../../../shared/model/backoff.ts';
import { holdsPublication } from '../../../../shared/model/follow-ups.ts';
import { type FailedTry, type RetriedStep, triesAfter } from '../../../../shared/model/retries.ts';
import type { Upload, UploadEvent } from '../../../../shared/model/upload.ts';
import { isSpoiled } from '../../../../shared/model/upload-machine.ts';

/** The next thing to do for an upload. Each is one effect, with its intent stored before and its facts after. */
export type UploadStep =
  /** Nothing: it is ended or a person holds it. */
  | { kind: 'none' }
  /** It was queued by the name of its collection: ask the library which one that is. */
  | { kind: 'find-collection' }
  /** A creation may or may not have happened: ask the service before anything else. */
  | { kind: 'look-up-item'; intendedAt: number }
  | { kind: 'create-item' }
  /** Nothing was made of it yet: does the collection have these contents already? */
  | { kind: 'check-duplicates' }
  /** A placeholder may or may not have been made: clear away what lies there, then make one. */
  | { kind: 'clear-files' }
  | { kind: 'create-file' }
  /** The destination was used or is old: ask what became of the file. */
  | { kind: 'check-file' }
  /** The file in the library is no good, and a person wants it sent again: it goes before another one is made. */
  | { kind: 'drop-file' }
  | { kind: 'send' }
  | { kind: 'finish' }
  | { kind: 'poll' }
  | { kind: 'publish' }
  /** Published once captions, thumbnail and tags were tried; that is not for a slot or the watch. */
  | { kind: 'follow-ups' }
  /**
   * Cancelled half-way: the item that was made for it, or may have been, is searched and removed. Cancelled while it was
   * published: whether that took effect is asked.
   */
  | { kind: 'clean-up' };

/**
 * A destination is used at once. One older than this is asked about first: the service gives up on a placeholder after
 * 30 minutes, and a signed destination may be shorter-lived.
 */
export const DESTINATION_FRESH_MS = 10 * 60_000;

/** In place of the next step of an error that would still be retried. */
const GAVE_UP_STEP = 'All automatic retries failed. Fix the cause and retry, or cancel the upload.';

/** The return of a drive wakes its uploads; they retry on their own only this often. */
const DISK_RECHECK_MS = 10 * 60_000;

/** What to do next, from the row alone. */
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
  // Nothing is made in the library before the collection is known.
  if (upload.collectionId === '') return { kind: 'find-collection' };
  if (upload.completedAt !== null) {
    return holdsPublication(upload.followUps) ? { kind: 'follow-ups' } : { kind: 'publish' };
  }
  if (upload.finishedAt !== null) return { kind: 'poll' };
  if (upload.sentAt !== null) return { kind: 'finish' };
  return nextDeliveryStep(upload, now);
}

/** What to do next for an upload whose bytes are not delivered. */
function nextDeliveryStep(upload: Upload, now: number): UploadStep {
  if (upload.mediaId === null && upload.itemIntentAt !== null) {
    return { kind: 'look-up-item', intendedAt: upload.itemIntentAt };
  }
  if (isSpoiled(upload)) return { kind: 'drop-file' };
  const isJudged = upload.duplicates === 'upload' || upload.duplicateCheckedAt !== null;
  // After a retry, an undone cancel or a change of the file there may be a placeholder already: the question is asked anew
  // unless bytes may have arrived there.
  const isUnsent = upload.sendStartedAt === null && (upload.fileId !== null || upload.fileIntentAt === null);
  if (!isJudged && isUnsent) return { kind: 'check-duplicates' };
  if (upload.mediaId === null) return { kind: 'create-item' };
  if (upload.fileId === null) {
    return upload.fileIntentAt === null ? { kind: 'create-file' } : { kind: 'clear-files' };
  }
  if (upload.sendStartedAt !== null || upload.destination === null) return { kind: 'check-file' };
  const age = now - (upload.destinationAt ?? 0);
  if (age < 0 || age > DESTINATION_FRESH_MS) return { kind: 'check-file' };
  return { kind: 'send' };
}

const READING: ReadonlySet<UploadStep['kind']> = new Set([
  ...(['check-duplicates', 'look-up-item', 'check-file'] as const),
  // Their part here is to hand the upload back to the watches.
  ...(['poll', 'publish', 'follow-ups'] as const),
]);

/** Whether a step may begin while the library takes no changes: it asks first, and may have nothing to change. */
export function isReading({ kind }: UploadStep): boolean {
  return READING.has(kind);
}

/** Whether a row that waits in maintenance has a question that it has not asked since. */
export function mayAsk(upload: Upload, now: number): boolean {
  return upload.error?.code !== 'api.read-only' && isReading(nextStep(upload, now));
}

/** Whether an upload that ends now leaves something unwanted in the library, or may have left it. */
export function mayHaveLeft({ mediaId, itemIntentAt, completedAt }: Upload): boolean {
  return completedAt === null && (mediaId !== null || itemIntentAt !== null);
}

/** Whether a request to publish the item may have been sent. */
export function mayBePublished({ completedAt, publish, followUps }: Upload): boolean {
  return completedAt !== null && publish.kind !== 'draft' && !holdsPublication(followUps);
}

/** Whether an upload was cancelled while it was published, and the outcome of that is unknown. */
function isPublicationOpen(upload: Upload): boolean {
  return upload.state === 'cancelled' && upload.cancelledFrom !== null && mayBePublished(upload);
}

/**
 * What a failure is counted against. `before` is the row as the step met it, `after` as the step left it: where a file or
 * an item that the row had is gone, the failure is one of the delivery as a whole.
 */
export function failedTry(step: RetriedStep, answered: number, before: Upload, after: Upload): FailedTry {
  const isGivenUp =
    (before.fileId !== null && after.fileId === null) || (before.mediaId !== null && after.mediaId === null);
  if (isGivenUp) return { step: 'delivery', answered: 0 };
  // Around a failed notification only the file's status is asked for: that brings it no further.
  return { step, answered: step === 'finish' ? 0 : answered };
}

/**
 * What a failed step means for the row. A site-wide cause uses up no attempt. What the server asks for with `Retry-After`
 * is the shortest wait in any case.
 */
export function afterFailure(upload: Upload, error: AppErrorData, now: number, failed: FailedTry): UploadEvent {
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
      const waitMs = retryWaitMs(triesAfter(upload.tries, failed).count, error);
      if (waitMs === null) return givenUp({ ...error, nextStep: GAVE_UP_STEP }, now, failed);
      return { kind: 'delayed', error, until: now + waitMs, failed };
    }
    case 'ask':
    case 'permanent':
      return givenUp(error, now, failed);
  }
}

/** The file of an upload that could not be published has arrived all the same, unless its item is gone. */
function givenUp(error: AppErrorData, now: number, { step }: FailedTry): UploadEvent {
  if (step !== 'publish' || error.code === 'api.not-found') return { kind: 'failed', error, at: now };
  return { kind: 'publish-refused', error: notPublished(error), at: now };
}

/** What is shown where a file arrived as a draft: the library's reason is in the details. */
export function notPublished({ code, message, details }: AppErrorData): AppErrorData {
  return appError('upload.not-published', { details: { ...details, reason: code, answer: message } }).toData();
}
