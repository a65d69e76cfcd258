import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dateTimeText, timeOfDayText, utcParts, zonedParts } from '../../../shared/model/date-time.ts';

describe('a time of day', () => {
  it.each([
    [0, 0, '00:00', '12:00 AM'],
    [0, 5, '00:05', '12:05 AM'],
    [8, 30, '08:30', '8:30 AM'],
    [12, 0, '12:00', '12:00 PM'],
    [14, 2, '14:02', '2:02 PM'],
    [23, 59, '23:59', '11:59 PM'],
    [24, 0, '24:00', '12:00 AM'],
  ])('%i:%i is %s or %s', (hours, minutes, with24, with12) => {
    expect(timeOfDayText(hours, minutes, 'h23')).toBe(with24);
    expect(timeOfDayText(hours, minutes, 'h12')).toBe(with12);
  });

  it('in the 12-hour format has a different text for each minute of a day', () => {
    const texts = new Set(
      Array.from({ length: 1440 }, (_, minute) => timeOfDayText(Math.floor(minute / 60), minute % 60, 'h12')),
    );
    expect(texts.size).toBe(1440);
  });
});

describe('a date with a time', () => {
  it('is shown in the given time zone', () => {
    const instant = new Date('2026-12-31T23:05:00Z');
    expect(dateTimeText(zonedParts(instant, 'UTC'), 'h23')).toBe('31 Dec 2026, 23:05');
    expect(utcParts(instant)).toEqual(zonedParts(instant, 'UTC'));
    expect(dateTimeText(zonedParts(instant, 'Europe/Vienna'), 'h23')).toBe('1 Jan 2027, 00:05');
    expect(dateTimeText(zonedParts(instant, 'America/New_York'), 'h12')).toBe('31 Dec 2026, 6:05 PM');
    expect(dateTimeText(zonedParts(instant, 'Asia/Kathmandu'), 'h12')).toBe('1 Jan 2027, 4:50 AM');
  });

  it('in UTC has the parts of the instant', () => {
    const range = { min: new Date('1971-01-01T00:00:00Z'), max: new Date('2200-01-01T00:00:00Z'), noInvalidDate: true };
    fc.assert(
      fc.property(fc.date(range), (instant) => {
        expect(zonedParts(instant, 'UTC')).toEqual({
          year: instant.getUTCFullYear(),
          month: instant.getUTCMonth() + 1,
          day: instant.getUTCDate(),
          hours: instant.getUTCHours(),
          minutes: instant.getUTCMinutes(),
        });
      }),
    );
  });
});
