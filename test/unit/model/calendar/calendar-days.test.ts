// Expected weeks are those of `TextCalendar` in Python's `calendar` module.
import { describe, expect, it } from 'vitest';
import {
  dayBy,
  monthBy,
  monthOf,
  type WeekStart,
  weekdayOf,
  weekOf,
  withinCalendar,
} from '../../../../shared/model/calendar/calendar-days.ts';

/** Returns the weeks of a month as dates without the days of other months, as `cal` prints them. */
function printed(day: string, weekStart: WeekStart): string[] {
  return monthOf(day, weekStart).map((week) =>
    week
      .map((each) => (each?.slice(0, 7) === day.slice(0, 7) ? String(Number(each.slice(8))) : ''))
      .join(' ')
      .trim(),
  );
}

describe('the weeks of a month', () => {
  it.each([
    [
      '2026-05-05',
      1,
      ['1 2 3', '4 5 6 7 8 9 10', '11 12 13 14 15 16 17', '18 19 20 21 22 23 24', '25 26 27 28 29 30 31'],
    ],
    ['2026-02-10', 0, ['1 2 3 4 5 6 7', '8 9 10 11 12 13 14', '15 16 17 18 19 20 21', '22 23 24 25 26 27 28']],
    [
      '2026-08-31',
      6,
      ['1 2 3 4 5 6 7', '8 9 10 11 12 13 14', '15 16 17 18 19 20 21', '22 23 24 25 26 27 28', '29 30 31'],
    ],
    ['2021-02-01', 1, ['1 2 3 4 5 6 7', '8 9 10 11 12 13 14', '15 16 17 18 19 20 21', '22 23 24 25 26 27 28']],
    [
      '1970-01-01',
      1,
      ['1 2 3 4', '5 6 7 8 9 10 11', '12 13 14 15 16 17 18', '19 20 21 22 23 24 25', '26 27 28 29 30 31'],
    ],
    [
      '9999-12-31',
      1,
      ['1 2 3 4 5', '6 7 8 9 10 11 12', '13 14 15 16 17 18 19', '20 21 22 23 24 25 26', '27 28 29 30 31'],
    ],
  ] as const)('are those of another calendar program for %s with weeks from day %i', (day, weekStart, weeks) => {
    expect(printed(day, weekStart)).toEqual(weeks);
  });

  it('have 7 consecutive days each, and no day twice', () => {
    const days = monthOf('2026-05-05', 1).flat();
    expect(days).toHaveLength(35);
    expect([days[0], days.at(-1)]).toEqual(['2026-04-27', '2026-05-31']);
    expect(new Set(days).size).toBe(35);
  });

  it('have no days behind the last year and before the first one', () => {
    expect(monthOf('9999-12-31', 1).at(-1)).toEqual([
      ...['9999-12-27', '9999-12-28', '9999-12-29', '9999-12-30', '9999-12-31'],
      ...[null, null],
    ]);
    expect(weekOf('1000-01-01', 1)).toEqual([
      ...[null, null],
      ...['1000-01-01', '1000-01-02', '1000-01-03', '1000-01-04', '1000-01-05'],
    ]);
  });
});

describe('steps through a calendar', () => {
  it.each([
    ['2026-01-31', 1, '2026-02-28'],
    ['2024-01-31', 1, '2024-02-29'],
    ['2026-03-31', -1, '2026-02-28'],
    ['2026-11-15', 14, '2028-01-15'],
    ['2026-01-15', -1, '2025-12-15'],
    ['9999-12-05', 1, '9999-12-31'],
    ['1000-01-05', -1, '1000-01-01'],
  ])('from %s by %i months lead to %s', (day, months, to) => {
    expect(monthBy(day, months)).toBe(to);
  });

  it('by days stop at the last day', () => {
    expect(dayBy('2026-02-28', 1)).toBe('2026-03-01');
    expect(dayBy('9999-12-30', 7)).toBe('9999-12-31');
    expect(dayBy('1000-01-02', -7)).toBe('1000-01-01');
    expect(withinCalendar('0970-01-01')).toBe('1000-01-01');
  });

  it('know the day of the week', () => {
    expect([weekdayOf('2026-05-05'), weekdayOf('1970-01-01'), weekdayOf('9999-12-31')]).toEqual([2, 4, 5]);
  });
});
