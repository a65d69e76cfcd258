// Expected instants come from Python's `zoneinfo`: the minute after the last one whose local time is before the given time.
import { describe, expect, it } from 'vitest';
import {
  draftTimeOn,
  endOfDay,
  hoursOfDay,
  localDayAndTime,
  movedTo,
  startOfDay,
  timeOnDay,
} from '../../../../shared/model/calendar/calendar-times.ts';

const VIENNA = 'Europe/Vienna';
const iso = (epochMs: number) => `${new Date(epochMs).toISOString().slice(0, 16)}Z`;
const hours = (times: readonly number[]) => times.map((time) => iso(time).slice(8, 16).replace('T', ' '));

describe('the beginning of a day', () => {
  it.each([
    [VIENNA, '2026-03-29', '2026-03-28T23:00Z'],
    [VIENNA, '2026-03-30', '2026-03-29T22:00Z'],
    [VIENNA, '2026-10-25', '2026-10-24T22:00Z'],
    [VIENNA, '2026-10-26', '2026-10-25T23:00Z'],
    // Midnight does not exist.
    ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00Z'],
    ['America/Havana', '2026-03-08', '2026-03-08T05:00Z'],
    ['Asia/Beirut', '2026-03-29', '2026-03-28T22:00Z'],
    ['America/Toronto', '1919-03-31', '1919-03-31T04:30Z'],
    // Midnight occurs twice: within the day, and over its beginning.
    ['America/Havana', '2026-11-01', '2026-11-01T04:00Z'],
    ['America/St_Johns', '2010-11-07', '2010-11-07T03:30Z'],
    ['America/Sao_Paulo', '2018-02-18', '2018-02-18T03:00Z'],
    // The whole day does not exist.
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00Z'],
    ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00Z'],
    ['Australia/Lord_Howe', '2026-10-04', '2026-10-03T13:30Z'],
    ['Asia/Kathmandu', '2026-05-05', '2026-05-04T18:15Z'],
    ['UTC', '1970-01-01', '1970-01-01T00:00Z'],
  ])('is the first instant of the day in %s on %s', (zone, day, expected) => {
    expect(iso(startOfDay(day, zone))).toBe(expected);
  });

  it('is the end of the day before, also of the last day', () => {
    expect(endOfDay('2026-03-29', VIENNA)).toBe(startOfDay('2026-03-30', VIENNA));
    expect(new Date(endOfDay('9999-12-31', 'UTC')).toISOString()).toBe('+010000-01-01T00:00:00.000Z');
  });
});

describe('the hours of a day', () => {
  it('have no length where clocks skip them, and are twice as long where they occur twice', () => {
    expect(hours(hoursOfDay('2026-03-29', VIENNA).slice(0, 5))).toEqual([
      '28 23:00',
      '29 00:00',
      '29 01:00',
      '29 01:00',
      '29 02:00',
    ]);
    expect(hours(hoursOfDay('2026-10-25', VIENNA).slice(0, 5))).toEqual([
      '24 22:00',
      '24 23:00',
      '25 00:00',
      '25 02:00',
      '25 03:00',
    ]);
    expect(hours(hoursOfDay('2026-10-04', 'Australia/Lord_Howe').slice(0, 5))).toEqual([
      '03 13:30',
      '03 14:30',
      '03 15:30',
      '03 16:00',
      '03 17:00',
    ]);
    expect(hours(hoursOfDay('2026-04-05', 'Australia/Lord_Howe').slice(0, 5))).toEqual([
      '04 13:00',
      '04 14:00',
      '04 15:30',
      '04 16:30',
      '04 17:30',
    ]);
  });

  it('never end before they begin', () => {
    for (const [zone, day] of [
      [VIENNA, '2026-03-29'],
      ['Pacific/Apia', '2011-12-30'],
      ['America/St_Johns', '2010-11-06'],
      ['America/St_Johns', '2010-11-07'],
      ['UTC', '9999-12-31'],
    ] as const) {
      const times = hoursOfDay(day, zone);
      expect(times).toHaveLength(25);
      expect(times).toEqual([...times].sort((a, b) => a - b));
    }
  });
});

describe('an item on another day', () => {
  it('keeps its time of day when clocks change in between', () => {
    const at = Date.parse('2026-03-27T08:30:15Z');
    expect(localDayAndTime(at, VIENNA)).toEqual({ day: '2026-03-27', time: '09:30' });
    expect(movedTo(at, '2026-03-30', VIENNA)).toEqual({ at: Date.parse('2026-03-30T07:30:15Z'), skipped: null });
  });

  it('is moved forward when its time does not exist there', () => {
    const at = Date.parse('2026-03-27T01:30:00Z');
    expect(movedTo(at, '2026-03-29', VIENNA)).toEqual({ at: Date.parse('2026-03-29T01:30:00Z'), skipped: '02:30' });
    expect(localDayAndTime(Date.parse('2026-03-29T01:30:00Z'), VIENNA).time).toBe('03:30');
  });

  it('gets the first of two instants when its time occurs twice there', () => {
    const at = Date.parse('2026-10-23T00:30:00Z');
    expect(movedTo(at, '2026-10-25', VIENNA)).toEqual({ at: Date.parse('2026-10-25T00:30:00Z'), skipped: null });
  });

  it('keeps its minutes in another hour', () => {
    const at = Date.parse('2026-05-05T07:45:00Z');
    expect(movedTo(at, '2026-05-06', VIENNA, 14).at).toBe(Date.parse('2026-05-06T12:45:00Z'));
  });

  it('keeps its second before 1970', () => {
    const at = Date.parse('1969-12-30T23:59:59Z');
    expect(movedTo(at, '1969-12-31', 'UTC').at).toBe(Date.parse('1969-12-31T23:59:59Z'));
  });

  it('has no time for a text that is none', () => {
    expect(() => timeOnDay('2026-05-05', '25:00', 'UTC')).toThrow('2026-05-05T25:00');
  });
});

describe('a draft without a date', () => {
  const now = Date.parse('2026-05-05T12:20:00Z');

  it('gets 09:00 on another day, and the next full hour today', () => {
    expect(draftTimeOn('2026-05-06', 'UTC', now).at).toBe(Date.parse('2026-05-06T09:00:00Z'));
    expect(draftTimeOn('2026-05-05', 'UTC', now).at).toBe(Date.parse('2026-05-05T13:00:00Z'));
    expect(draftTimeOn('2026-05-05', 'UTC', Date.parse('2026-05-05T07:20:00Z')).at).toBe(
      Date.parse('2026-05-05T09:00:00Z'),
    );
  });

  it('gets the hour on which it was dropped', () => {
    expect(draftTimeOn('2026-05-06', 'UTC', now, 17).at).toBe(Date.parse('2026-05-06T17:00:00Z'));
    expect(draftTimeOn('2026-03-29', VIENNA, now, 2)).toEqual({
      at: Date.parse('2026-03-29T01:00:00Z'),
      skipped: '02:00',
    });
  });
});
