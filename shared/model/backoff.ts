import type { AppErrorData } from '../contract/app-error.ts';

/**
 * The API's backoff for 500, 502 and 503: wait 5·2^n seconds for n = 1 to 14, then give up. Retries are counted for each
 * step, and the count is reset when the step succeeds, see `retries.ts`. The first wait is 10 s, the last 81,920 s; all
 * together take 45.5 h.
 */
export const MAX_RETRIES = 14;

/** Returns the milliseconds to wait before retry number `retry` (1 is the first); null when no retry is left. */
export function retryDelayMs(retry: number): number | null {
  if (retry < 1 || retry > MAX_RETRIES) return null;
  return 5000 * 2 ** retry;
}

/** Returns the wait of a `Retry-After` header in milliseconds; null without one. */
export function retryAfterMsOf({ details }: { details?: Record<string, unknown> | null | undefined }): number | null {
  const ms = details?.retryAfterMs;
  return typeof ms === 'number' && ms > 0 ? ms : null;
}

/** Returns the milliseconds to wait before retry number `retry`: the backoff, or `Retry-After` if that is longer. */
export function retryWaitMs(retry: number, error: Pick<AppErrorData, 'details'>): number | null {
  const delayMs = retryDelayMs(retry);
  return delayMs === null ? null : Math.max(delayMs, retryAfterMsOf(error) ?? 0);
}
