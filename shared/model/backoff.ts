import type { AppErrorData } from '../contract/app-error.ts';

/**
 * The API's advice for 500, 502 and 503: wait 5·2^n seconds, n from 1 to 14, then give up. It fits one request: a step that
 * succeeded begins its count anew, see `retries.ts`.
 * The first wait is 10 s, the last 81,920 s, all together 45.5 h.
 */
export const MAX_RETRIES = 14;

/** Milliseconds to wait before retry number `retry` (1 is the first); null when there are no more. */
export function retryDelayMs(retry: number): number | null {
  if (retry < 1 || retry > MAX_RETRIES) return null;
  return 5000 * 2 ** retry;
}

/** What the server asked for with `Retry-After`, in milliseconds; null when it did not. */
export function retryAfterMsOf({ details }: { details?: Record<string, unknown> | null | undefined }): number | null {
  const ms = details?.retryAfterMs;
  return typeof ms === 'number' && ms > 0 ? ms : null;
}

/** Milliseconds to wait before retry number `retry`: the back-off, and no less than the server asked for. */
export function retryWaitMs(retry: number, error: Pick<AppErrorData, 'details'>): number | null {
  const delayMs = retryDelayMs(retry);
  return delayMs === null ? null : Math.max(delayMs, retryAfterMsOf(error) ?? 0);
}
