import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import { retryCountAfter } from '../../../../shared/model/uploads/retries.ts';
import type { Upload, UploadEvent } from '../../../../shared/model/uploads/upload.ts';
import { CompletionWays } from '../../api/completion.ts';

/** Between two notifications the file's status is polled in this interval or a longer one, and at most `MOST_POLLS` times. */
export const POLL_EVERY_MS = 30_000;
const MOST_POLLS = 8;

/** One moment on both clocks: `now` in epoch milliseconds, `monotonic` in milliseconds of the monotonic clock. */
interface Instant {
  now: number;
  monotonic: number;
}

interface FailedNotification {
  error: AppErrorData;
  /** The number of failures. If the row counts fewer, the user has retried it: this entry is out of date. */
  retries: number;
  /** On the monotonic clock: when the notification is due again, and how often the status is polled until then. */
  againAt: number;
  pollEveryMs: number;
}

/**
 * Failed notifications of delivered bytes, by upload. Only the notification is repeated, with the usual backoff, and
 * the file's status is polled in between. In memory only: after a restart the notification is repeated at once.
 */
export class Completions {
  /** The kind of notification request that each library accepts. */
  readonly ways = new CompletionWays();
  /** The addresses of failed notifications of captions and thumbnails, by follow-up: their bytes are not sent again. */
  readonly sidecars = new Map<string, string>();
  readonly #failed = new Map<string, FailedNotification>();

  get(id: string): FailedNotification | undefined {
    return this.#failed.get(id);
  }

  forget(id: string): void {
    this.#failed.delete(id);
  }

  /** Shortens the wait after a failed notification to the next poll. Returns every other event unchanged. */
  pollMeanwhile(upload: Upload, event: UploadEvent, { now, monotonic }: Instant): UploadEvent {
    const isUnconfirmed = upload.sentAt !== null && upload.finishedAt === null;
    if (!isUnconfirmed || event.kind !== 'delayed' || event.failed === null) return event;
    const delayMs = event.until - now;
    const pollEveryMs = Math.max(POLL_EVERY_MS, delayMs / MOST_POLLS);
    const retries = retryCountAfter(upload.retriesByStep, event.failed).count;
    const againAt = monotonic + delayMs;
    this.#failed.set(upload.id, { error: event.error, retries, againAt, pollEveryMs });
    return { ...event, until: Math.min(event.until, Math.round(now + pollEveryMs)) };
  }
}
