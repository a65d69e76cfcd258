/** No server is believed that asks for a longer wait. */
export const LONGEST_RETRY_AFTER_MS = 24 * 3_600_000;

/** A date of HTTP in any of its three forms; other texts that JavaScript would take for a date are none. */
const HTTP_DATE =
  /^(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT|[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4})$/;

/** The headers that ask for a wait, as sent. */
export interface RetryHeaders {
  'retry-after'?: string | undefined;
  date?: string | undefined;
}

/**
 * Milliseconds that a server asks to wait for (RFC 9110, 10.2.3): seconds, or a date, which is read by the server's own
 * clock where it sends its time, so that a wrong clock on this computer changes nothing. At most a day. Null for none,
 * for a time that has passed and for nonsense. `now`: epoch milliseconds, for servers that do not send their time.
 */
export function retryAfterMs(headers: RetryHeaders, now: number): number | null {
  const text = headers['retry-after']?.trim() ?? '';
  if (/^\d{1,15}$/.test(text)) return bounded(Number(text) * 1000);
  const at = httpDate(text);
  return at === null ? null : bounded(at - (httpDate(headers.date?.trim() ?? '') ?? now));
}

function bounded(ms: number): number | null {
  return ms > 0 ? Math.min(ms, LONGEST_RETRY_AFTER_MS) : null;
}

function httpDate(text: string): number | null {
  if (!HTTP_DATE.test(text)) return null;
  // The oldest form names no zone; it is GMT as well.
  const at = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(at) ? null : at;
}
