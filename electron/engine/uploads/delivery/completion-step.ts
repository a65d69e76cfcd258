import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import { AppError, appError } from '../../../../shared/contract/app-error.ts';
import { triesAfter } from '../../../../shared/model/retries.ts';
import type { Upload, UploadEvent } from '../../../../shared/model/upload-machine.ts';
import { outcomeOf } from '../../api/classify.ts';
import { CompletionWays, finishUpload } from '../../api/completion.ts';
import { getFile } from '../../api/files.ts';
import { isNew } from './new-in-library.ts';
import { existing, fileIdOf, isSiteWide, mediaIdOf, type StepTools } from './upload-steps.ts';

/** Between two notifications the file's status is polled at least this far apart, and at most this many times. */
export const POLL_EVERY_MS = 30_000;
const MOST_POLLS = 8;

/** One moment on both clocks. */
interface Instant {
  now: number;
  monotonic: number;
}

interface FailedNotification {
  error: AppErrorData;
  /** How often it has failed. A row with fewer failures was retried by the user. */
  tries: number;
  /** On the monotonic clock: when the notification is due again, and how often the status is polled until then. */
  againAt: number;
  pollEveryMs: number;
}

/**
 * Notifications ("the bytes are there") that failed, by upload. Only the notification is repeated, by the usual
 * back-off, and the file's status is polled meanwhile. Kept in memory: after a restart it is repeated at once.
 */
export class Completions {
  /** How each library wants to be notified. */
  readonly ways = new CompletionWays();
  /** Notifications of captions and thumbnails that failed, by follow-up: the bytes are not sent again for that. */
  readonly sidecars = new Map<string, string>();
  readonly #failed = new Map<string, FailedNotification>();

  get(id: string): FailedNotification | undefined {
    return this.#failed.get(id);
  }

  forget(id: string): void {
    this.#failed.delete(id);
  }

  /** The wait after a failed notification, cut short to the next poll. Every other event stays as it is. */
  pollMeanwhile(upload: Upload, event: UploadEvent, { now, monotonic }: Instant): UploadEvent {
    const isUnconfirmed = upload.sentAt !== null && upload.finishedAt === null;
    if (!isUnconfirmed || event.kind !== 'delayed' || event.failed === null) return event;
    const delayMs = event.until - now;
    const pollEveryMs = Math.max(POLL_EVERY_MS, delayMs / MOST_POLLS);
    const tries = triesAfter(upload.tries, event.failed).count;
    const againAt = monotonic + delayMs;
    this.#failed.set(upload.id, { error: event.error, tries, againAt, pollEveryMs });
    return { ...event, until: Math.min(event.until, Math.round(now + pollEveryMs)) };
  }
}

/** The library has not noticed the bytes, and is not to be notified yet: poll again in `inMs`. */
export class Unconfirmed extends Error {
  readonly inMs: number;
  readonly error: AppErrorData;
  constructor(inMs: number, error: AppErrorData) {
    super('unconfirmed');
    this.inMs = inMs;
    this.error = error;
  }
}

/**
 * Notifies the service that the bytes are there, where it wants that. When the notification fails, the file's status
 * decides: `processing`, `complete` and `error` mean that the service has the bytes; only a file that is gone or given up
 * is sent again. Otherwise the notification alone is repeated.
 */
export async function finish(upload: Upload, tools: StepTools): Promise<void> {
  const { client, journal, clock, signal, completions } = tools;
  const url = upload.destination?.postprocess_url;
  if (url) {
    const failed = completions.get(upload.id);
    if (failed !== undefined && (upload.tries.finish?.count ?? 0) >= failed.tries) {
      if (await hasNoticed(upload, failed.error.details ?? {}, tools)) return;
      const inMs = failed.againAt - clock.monotonic();
      if (inMs > 0) throw new Unconfirmed(Math.ceil(Math.min(inMs, failed.pollEveryMs)), failed.error);
    }
    try {
      await finishUpload(client, url, { signal, ways: completions.ways });
    } catch (error) {
      if (signal.aborted || !(error instanceof AppError) || isSiteWide(error)) throw error;
      if (await hasNoticed(upload, error.details ?? {}, tools)) return;
      if (outcomeOf(error) !== 'refused') throw error;
      throw appError('upload.completion-refused', { details: error.details ?? {}, cause: error });
    }
  }
  completions.forget(upload.id);
  journal.record(upload.id, { kind: 'finished', at: clock.now() });
}

/**
 * Whether the service has noticed the bytes; then that is recorded. Throws `upload.not-received` when the file is gone or
 * given up, with `reason`, the details of the failed notification.
 */
async function hasNoticed(upload: Upload, reason: Record<string, unknown>, tools: StepTools): Promise<boolean> {
  const { client, journal, clock, signal, completions } = tools;
  const file = await existing(getFile(client, mediaIdOf(upload), fileIdOf(upload), signal));
  // Not every server of the library may know the file yet.
  if (file === null && isNew(upload.destinationAt, clock.now())) return false;
  if (file === null || file.status === 'aborted') {
    completions.forget(upload.id);
    journal.record(upload.id, { kind: 'file-dropped' });
    throw appError('upload.not-received', { details: { ...reason, fileStatus: file?.status ?? 'deleted' } });
  }
  // One in error has the bytes as well: what is wrong with them is reported where its processing is followed.
  if (!['processing', 'complete', 'error'].includes(file.status)) return false;
  completions.forget(upload.id);
  journal.record(upload.id, { kind: 'finished', at: clock.now() });
  return true;
}
