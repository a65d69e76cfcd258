/** The longest accepted wait of a server. */
export const LONGEST_RETRY_AFTER_MS = 24 * 3_600_000;

/** An HTTP date in one of its three forms; other texts that JavaScript can parse as a date are invalid. */
const HTTP_DATE =
  /^(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT|[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4})$/;

/** The headers that request a wait, as sent. */
export interface RetryHeaders {
  'retry-after'?: string | undefined;
  date?: string | undefined;
}

/**
 * Returns the milliseconds of a Retry-After header (RFC 9110, 10.2.3): seconds, or a date. A date is compared with the
 * server's own Date header, if sent, so that a wrong clock on this computer has no effect. At most a day. Null without
 * a header, for a past time and for an invalid value. `now`: epoch milliseconds, for servers without a Date header.
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
  // The oldest form contains no zone; it is GMT, too.
  const at = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(at) ? null : at;
}
