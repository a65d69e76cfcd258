import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import { triesAfter } from '../../../../shared/model/retries.ts';
import type { Upload, UploadEvent } from '../../../../shared/model/upload.ts';
import { CompletionWays } from '../../api/completion.ts';

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
