/**
 * The API's advice for 500, 502 and 503: wait 5·2^n seconds, n from 1 to 14, then give up.
 * The first wait is 10 s, the last 81,920 s, all together 45.5 h.
 */
export const MAX_RETRIES = 14;

/** Milliseconds to wait before retry number `retry` (1 is the first); null when there are no more. */
export function retryDelayMs(retry: number): number | null {
  if (retry < 1 || retry > MAX_RETRIES) return null;
  return 5000 * 2 ** retry;
}
