import { describe, expect, it } from 'vitest';
import { LONGEST_RETRY_AFTER_MS, retryAfterMs } from '../../../../electron/engine/api/retry-after.ts';

const NOW = Date.UTC(2026, 0, 5, 8, 0, 0);
const DATE = 'Mon, 05 Jan 2026 08:00:00 GMT';

const TEXTS: [string, string | undefined, number | null][] = [
  ['120', undefined, 120_000],
  [' 7 ', undefined, 7000],
  ['86401', undefined, LONGEST_RETRY_AFTER_MS],
  ['999999999999999', undefined, LONGEST_RETRY_AFTER_MS],
  ['0', undefined, null],
  ['-5', undefined, null],
  ['1.5', undefined, null],
  ['1e3', undefined, null],
  ['120, 60', undefined, null],
  ['soon', undefined, null],
  ['', undefined, null],
  ['9'.repeat(400), undefined, null],
  ['Mon, 05 Jan 2026 08:02:00 GMT', DATE, 120_000],
  ['Monday, 05-Jan-26 08:02:00 GMT', DATE, 120_000],
  ['Mon Jan  5 08:02:00 2026', DATE, 120_000],
  ['Mon, 05 Jan 2026 07:59:00 GMT', DATE, null],
  ['Mon, 05 Jan 2126 08:00:00 GMT', DATE, LONGEST_RETRY_AFTER_MS],
  ['Mon, 05 Jan 2026 08:02:00 GMT', undefined, 120_000],
  ['Mon, 05 Jan 2026 08:02:00 GMT', 'yesterday', 120_000],
  ['Mon, 05 Jan 2026 08:02:00', DATE, null],
  ['Mon, 45 Jan 2026 08:02:00 GMT', DATE, null],
  ['2026-01-05T08:02:00Z', DATE, null],
  ['foo 5', DATE, null],
];

describe('Retry-After', () => {
  it.each(TEXTS)('of %j with Date %j is %j ms', (text, date, expected) => {
    expect(retryAfterMs({ 'retry-after': text, date }, NOW)).toBe(expected);
  });

  it('reads a date by the server’s clock, whatever the local time is', () => {
    const headers = { 'retry-after': 'Mon, 05 Jan 2026 08:02:00 GMT', date: DATE };
    for (const offMs of [-365 * 86_400_000, -7200_000, 0, 7200_000, 365 * 86_400_000]) {
      expect(retryAfterMs(headers, NOW + offMs)).toBe(120_000);
    }
  });

  it('is null when the header is missing', () => {
    expect(retryAfterMs({}, NOW)).toBeNull();
    expect(retryAfterMs({ date: DATE }, NOW)).toBeNull();
  });
});
