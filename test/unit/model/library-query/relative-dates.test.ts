import { describe, expect, it } from 'vitest';
import { daysOf, periodsOf } from '../../../../shared/model/library-query/range-days.ts';
import { readQueryDate, readRange } from '../../../../shared/model/library-query/ranges.ts';
import { OFFERED_DATES, readRelative } from '../../../../shared/model/library-query/relative-dates.ts';

/** A Sunday, the last day of its week. */
const TODAY = '2026-11-29';
const days = (text: string, today = TODAY) => {
  const range = readRange(text, readQueryDate);
  return range === null ? null : daysOf(range, today);
};

describe('a relative date', () => {
  it.each([
    ['today', '2026-11-29', '2026-11-29'],
    ['yesterday', '2026-11-28', '2026-11-28'],
    ['tomorrow', '2026-11-30', '2026-11-30'],
    ['this-week', '2026-11-23', '2026-11-29'],
    ['last-week', '2026-11-16', '2026-11-22'],
    ['next-week', '2026-11-30', '2026-12-06'],
    ['this-month', '2026-11-01', '2026-11-30'],
    ['last-month', '2026-10-01', '2026-10-31'],
    ['next-month', '2026-12-01', '2026-12-31'],
    ['this-year', '2026-01-01', '2026-12-31'],
    ['last-7-days', '2026-11-23', '2026-11-29'],
    ['next-7-days', '2026-11-29', '2026-12-05'],
    ['last-3-months', '2026-08-30', '2026-11-29'],
    ['last-1-day', '2026-11-29', '2026-11-29'],
    ['last-9999-years', '1000-01-02', '2026-11-29'],
    ['next-9999-years', '2026-11-29', '9999-12-30'],
    ['<this-week', '', '2026-11-22'],
    ['>last-month', '2026-11-01', ''],
    ['last-month..today', '2026-10-01', '2026-11-29'],
    ['2026-02', '2026-02-01', '2026-02-28'],
    ['>2026-12', '2027-01-01', ''],
    ['>9999', '9999-12-31', ''],
  ])('%s is %s to %s', (text, from, to) => {
    expect(days(text)).toEqual({ from, to });
  });

  it('counts months from the last day of a longer month', () => {
    expect(days('last-1-month', '2026-03-31')).toEqual({ from: '2026-03-01', to: '2026-03-31' });
    expect(days('last-1-year', '2028-02-29')).toEqual({ from: '2027-03-01', to: '2028-02-29' });
  });

  it('has one written form, and each offered one is read', () => {
    expect(readRelative('Last-1-Days')).toBe('last-1-day');
    for (const dates of Object.values(OFFERED_DATES)) expect(dates.map(readRelative)).toEqual(dates);
    for (const other of ['last-0-days', 'last-12345-days', 'soon', 'this-7-days', 'constructor']) {
      expect(readRelative(other)).toBeNull();
    }
  });
});

describe('the periods that a form offers', () => {
  it('end with this month and the eleven before it, over the turn of a year', () => {
    const months = periodsOf('created', '2027-02-03').slice(-12);
    expect([months[0], months[1], months[2], months.at(-1)]).toEqual(['2027-02', '2027-01', '2026-12', '2026-03']);
  });

  it('lie in the future only for times of publication', () => {
    expect(periodsOf('published', '2027-02-03')).toContain('next-week');
    expect(periodsOf('created', '2027-02-03')).not.toContain('next-week');
  });
});
