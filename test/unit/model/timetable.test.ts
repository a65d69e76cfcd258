import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TimetableWindow } from '../../../shared/contract/settings.ts';
import { activeLimit } from '../../../shared/model/timetable.ts';

const zone = process.env.TZ;
beforeAll(() => {
  process.env.TZ = 'Europe/Berlin';
});
afterAll(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6];
const span = (from: string, to: string, limit: number | null, days = EVERY_DAY): TimetableWindow => ({
  days,
  from,
  to,
  limitBytesPerSecond: limit,
});
const at = (text: string) => Date.parse(text);
const limitAt = (text: string, timetable: TimetableWindow[], general: number | null = null) => {
  const { bytesPerSecond, until } = activeLimit({ limitBytesPerSecond: general, timetable }, at(text));
  return [bytesPerSecond, until === null ? null : new Date(until).toISOString().slice(0, 16)];
};

describe('the active bandwidth limit', () => {
  it('is the general limit without a timetable', () => {
    expect(limitAt('2026-03-02T09:00:00+01:00', [], 5000)).toEqual([5000, null]);
    expect(limitAt('2026-03-02T09:00:00+01:00', [])).toEqual([null, null]);
  });

  it('is the limit of the active window, with the time of the next change', () => {
    const office = [span('08:00', '18:00', 5000)];
    expect(limitAt('2026-03-02T07:59:59+01:00', office)).toEqual([null, '2026-03-02T07:00']);
    expect(limitAt('2026-03-02T08:00:00+01:00', office)).toEqual([5000, '2026-03-02T17:00']);
    expect(limitAt('2026-03-02T18:00:00+01:00', office)).toEqual([null, '2026-03-03T07:00']);
  });

  it('applies on the days of the window only', () => {
    const monday = [span('08:00', '18:00', 5000, [1])];
    expect(limitAt('2026-03-02T09:00:00+01:00', monday)[0]).toBe(5000);
    expect(limitAt('2026-03-03T09:00:00+01:00', monday)).toEqual([null, '2026-03-09T07:00']);
  });

  it('applies past midnight when only the day of the evening is selected', () => {
    const night = [span('22:00', '06:00', null, [5])];
    expect(limitAt('2026-03-06T21:00:00+01:00', night, 5000)).toEqual([5000, '2026-03-06T21:00']);
    expect(limitAt('2026-03-07T05:59:00+01:00', night, 5000)).toEqual([null, '2026-03-07T05:00']);
    expect(limitAt('2026-03-08T05:00:00+01:00', night, 5000)[0]).toBe(5000);
  });

  it('is the strictest of overlapping windows, and zero is the strictest of all', () => {
    const windows = [span('08:00', '20:00', 9000), span('10:00', '12:00', 5000), span('11:00', '11:30', 0)];
    windows.push(span('00:00', '00:00', null));
    expect(limitAt('2026-03-02T09:00:00+01:00', windows, 1)).toEqual([9000, '2026-03-02T09:00']);
    expect(limitAt('2026-03-02T10:30:00+01:00', windows, 1)).toEqual([5000, '2026-03-02T10:00']);
    expect(limitAt('2026-03-02T11:00:00+01:00', windows, 1)).toEqual([0, '2026-03-02T10:30']);
    expect(limitAt('2026-03-02T21:00:00+01:00', windows, 1)[0]).toBeNull();
  });

  it('applies for 24 hours when the window ends at the minute at which it begins', () => {
    expect(limitAt('2026-03-03T07:59:00+01:00', [span('08:00', '08:00', 0, [1])])[0]).toBe(0);
    expect(limitAt('2026-03-03T08:00:00+01:00', [span('08:00', '08:00', 0, [1])])[0]).toBeNull();
  });

  it('never changes when all windows have the same limit', () => {
    expect(limitAt('2026-03-02T09:00:00+01:00', [span('08:00', '18:00', 5000)], 5000)).toEqual([5000, null]);
  });

  it('never changes when the limit is always zero', () => {
    expect(limitAt('2026-03-02T09:00:00+01:00', [span('00:00', '00:00', 0)])).toEqual([0, null]);
  });

  it('applies at once when the clock is set forward past the start of the window', () => {
    // On 29 March 2026 02:00 becomes 03:00.
    const early = [span('02:30', '04:00', 5000)];
    expect(limitAt('2026-03-29T01:59:00+01:00', early)).toEqual([null, '2026-03-29T01:00']);
    expect(limitAt('2026-03-29T03:00:00+02:00', early)).toEqual([5000, '2026-03-29T02:00']);
    expect(limitAt('2026-03-29T04:00:00+02:00', early)[0]).toBeNull();
  });

  it('does not apply on a day on which the clock skips the window', () => {
    expect(limitAt('2026-03-29T03:00:00+02:00', [span('02:10', '02:50', 5000, [0])])[0]).toBeNull();
  });

  it('applies in both passes of the hour that repeats when daylight saving time ends', () => {
    // On 25 October 2026 03:00 becomes 02:00.
    const early = [span('02:00', '03:00', 5000)];
    expect(limitAt('2026-10-25T02:30:00+02:00', early)).toEqual([5000, '2026-10-25T02:00']);
    expect(limitAt('2026-10-25T02:30:00+01:00', early)).toEqual([5000, '2026-10-25T02:00']);
    expect(limitAt('2026-10-25T03:00:00+01:00', early)[0]).toBeNull();
  });

  it('applies at the same local time before and after a clock change', () => {
    const office = [span('08:00', '18:00', 5000)];
    expect(limitAt('2026-03-28T20:00:00+01:00', office)[1]).toBe('2026-03-29T06:00');
    expect(limitAt('2026-10-24T20:00:00+02:00', office)[1]).toBe('2026-10-25T07:00');
  });
});
