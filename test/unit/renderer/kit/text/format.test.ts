import { describe, expect, it } from 'vitest';
import {
  counted,
  formatBytes,
  formatDateTime,
  formatDuration,
  formatListDate,
  formatSpeed,
  formatUtc,
  formatWait,
  percent,
  setHourCycle,
} from '../../../../../renderer/kit/text/format.ts';
import { pauseChoices, untilWords } from '../../../../../renderer/kit/text/until-text.ts';
import { isoOf } from '../../../../../shared/model/iso-instant.ts';

describe('numbers on screens', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1 kB'],
    [1234, '1.23 kB'],
    [12_345, '12.3 kB'],
    [999_400, '999 kB'],
    [999_600, '1 MB'],
    [1_840_000_000, '1.84 GB'],
    [16 * 2 ** 30, '17.2 GB'],
    [-5, '0 B'],
  ])('%d bytes are %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));

  it('shows speeds in bytes per second', () => expect(formatSpeed(38_000_000)).toBe('38 MB/s'));

  it.each([
    [0, '0:00'],
    [59.6, '1:00'],
    [2892, '48:12'],
    [3723, '1:02:03'],
  ])('%d seconds of media are %s', (seconds, text) => expect(formatDuration(seconds)).toBe(text));

  it.each([
    [0, '0 s'],
    [0.2, '1 s'],
    [59, '59 s'],
    [60, '1 min'],
    [3599, '1 h'],
    [4800, '1 h 20 min'],
    [86_400, '1 day'],
    [172_800, '2 days'],
  ])('a wait of %d seconds is %s', (seconds, text) => expect(formatWait(seconds)).toBe(text));

  it('shows 100 per cent only when nothing is missing', () => {
    expect(percent(999_999, 1_000_000)).toBe(99);
    expect(percent(1, 1)).toBe(100);
    expect(percent(5, 0)).toBe(0);
    expect(percent(-5, 10)).toBe(0);
  });

  it('uses singular and plural in counts', () => {
    expect(counted(1, 'file')).toBe('1 file');
    expect(counted(1204, 'file')).toBe('1,204 files');
    expect(counted(2, 'file was', 'files were')).toBe('2 files were');
  });
});

describe('times on screens', () => {
  it('shows the time for today, day and month for this year, and also the year for earlier dates', () => {
    const now = new Date(2026, 10, 21, 15, 0).getTime();
    expect(formatListDate(new Date(2026, 10, 21, 9, 5).toISOString(), now)).toBe('09:05');
    expect(formatListDate(new Date(2026, 10, 19, 9, 5).toISOString(), now)).toBe('19 Nov');
    expect(formatListDate(new Date(2024, 1, 2, 9, 5).toISOString(), now)).toBe('2 Feb 2024');
    expect(formatListDate('nonsense', now)).toBe('');
  });

  it('shows UTC in the tooltip', () => expect(formatUtc('2026-11-19T13:02:44Z')).toBe('19 Nov 2026, 13:02 UTC'));

  it('shows 12 hours everywhere when the system does, except in the value of a field', () => {
    setHourCycle('h12');
    try {
      const now = new Date(2026, 10, 21, 15, 0).getTime();
      expect(formatListDate(new Date(2026, 10, 21, 9, 5).toISOString(), now)).toBe('9:05 AM');
      expect(formatDateTime(new Date(2026, 10, 19, 14, 2).getTime())).toBe('19 Nov 2026, 2:02 PM');
      expect(formatUtc('2026-11-19T13:02:44Z')).toBe('19 Nov 2026, 1:02 PM UTC');
      expect(untilWords(new Date(2026, 10, 22, 8, 0).getTime(), now)).toContain('8:00 AM');
      expect(
        pauseChoices(now)
          .map(({ label }) => label)
          .join(),
      ).toMatch(/8:00 PM.*8:00 AM/);
    } finally {
      setHourCycle('h23');
    }
  });

  it('writes an instant for the service without fractions of a second', () => {
    expect(isoOf(Date.UTC(2026, 6, 1, 9, 30, 1, 999))).toBe('2026-07-01T09:30:01Z');
  });
});
