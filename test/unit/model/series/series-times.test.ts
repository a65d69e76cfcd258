import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Series, SeriesNote } from '../../../../shared/contract/series.ts';
import { type SeriesTimes, seriesTimes } from '../../../../shared/model/series/series-times.ts';

/** Made by `make-series.py` with zoneinfo and dateutil. */
const ORACLE = new URL('../../../fixtures/series/series.json', import.meta.url);
const cases = JSON.parse(readFileSync(ORACLE, 'utf8')) as (Series & { name: string; times: number[] })[];

const WEEKLY: Series = {
  first: '2027-05-05T18:00',
  timeZone: 'Europe/Vienna',
  interval: { unit: 'week', count: 1 },
  skipped: [],
};

function timesOf(change: Partial<Series>, count: number, nowMs = 0) {
  const result = seriesTimes({ ...WEEKLY, ...change }, count, nowMs);
  if ('problem' in result) throw new Error(`no times: ${result.problem.kind}`);
  return result.times;
}

const shown = (change: Partial<Series>, count: number, nowMs = 0): [string, ...SeriesNote['kind'][]][] =>
  timesOf(change, count, nowMs).map(({ at, notes }) => [
    `${new Date(at).toISOString().slice(0, 16)}Z`,
    ...notes.map(({ kind }) => kind),
  ]);

const problemOf = (result: SeriesTimes) => ('problem' in result ? result.problem : null);

/** Days one after another, `YYYY-MM-DD`. */
const daysFrom = (first: string, count: number) =>
  Array.from({ length: count }, (_, index) =>
    new Date(Date.parse(first) + index * 86_400_000).toISOString().slice(0, 10),
  );

describe('the times of a series', () => {
  it.each(cases)('are those of zoneinfo and dateutil: $name', ({ name: _, times, ...series }) => {
    expect(timesOf(series, times.length).map(({ at }) => at)).toEqual(times);
  });

  it('are moved forward, with a note, when clocks skip the time', () => {
    expect(shown({ first: '2027-03-27T02:30', interval: { unit: 'day', count: 1 } }, 3)).toEqual([
      ['2027-03-27T01:30Z'],
      ['2027-03-28T01:30Z', 'forward'],
      ['2027-03-29T00:30Z'],
    ]);
  });

  it('are the first of two, with a note, when the time occurs twice', () => {
    expect(shown({ first: '2027-10-31T02:30', interval: { unit: 'day', count: 1 } }, 2)).toEqual([
      ['2027-10-31T00:30Z', 'twice'],
      ['2027-11-01T01:30Z'],
    ]);
  });

  it('have the last day of a short month, with a note, and day 31 again after it', () => {
    const times = timesOf({ first: '2027-01-31T09:00', timeZone: 'UTC', interval: { unit: 'month', count: 1 } }, 3);
    expect(times.map(({ at, notes }) => [new Date(at).toISOString().slice(0, 10), notes])).toEqual([
      ['2027-01-31', []],
      ['2027-02-28', [{ kind: 'short', wanted: 31 }]],
      ['2027-03-31', []],
    ]);
  });

  it('name the days that were skipped before a date', () => {
    const [first, second] = timesOf({ skipped: ['2027-05-05', '2027-05-19', '2027-05-26', '2027-05-20'] }, 2);
    expect(first?.notes).toEqual([{ kind: 'skipped', count: 1, from: '2027-05-05', to: '2027-05-05' }]);
    expect(second?.notes).toEqual([{ kind: 'skipped', count: 2, from: '2027-05-19', to: '2027-05-26' }]);
  });

  it('start on the first chosen weekday, with a note, when the first date is another', () => {
    const [first, second] = timesOf({ interval: { unit: 'weekdays', days: [1, 4] } }, 2);
    expect(first).toEqual({
      at: Date.parse('2027-05-06T16:00Z'),
      notes: [{ kind: 'start', wanted: '2027-05-05' }],
    });
    expect(second).toEqual({ at: Date.parse('2027-05-10T16:00Z'), notes: [] });
  });

  it('leave out a day that the zone does not have, with a note of its own', () => {
    const change = {
      first: '2011-12-29T10:00',
      timeZone: 'Pacific/Apia',
      interval: { unit: 'day', count: 1 },
    } as const;
    expect(shown(change, 3)).toEqual([['2011-12-29T20:00Z'], ['2011-12-30T20:00Z', 'absent'], ['2011-12-31T20:00Z']]);
    expect(timesOf(change, 2)[1]?.notes).toEqual([{ kind: 'absent', wanted: '2011-12-30' }]);
    const skipped = ['2011-12-29', '2011-12-31'];
    expect(shown({ ...change, skipped }, 1)).toEqual([['2011-12-31T20:00Z', 'skipped', 'absent']]);
  });

  it('are marked when they have passed', () => {
    expect(shown({}, 3, Date.parse('2027-05-12T16:00Z'))).toEqual([
      ['2027-05-05T16:00Z', 'past'],
      ['2027-05-12T16:00Z'],
      ['2027-05-19T16:00Z'],
    ]);
  });

  it('are computed for 1,000 items with 10,000 days without publication', () => {
    const skipped = daysFrom('2030-01-01', 10_000).filter((_, index) => index % 14 !== 0);
    expect(timesOf({ interval: { unit: 'day', count: 1 }, skipped }, 1000)).toHaveLength(1000);
  });

  it('end with a problem when ten years have no free day', () => {
    const skipped = daysFrom('2027-05-08', 10_000);
    const result = seriesTimes({ ...WEEKLY, interval: { unit: 'day', count: 1 }, skipped }, 5, 0);
    expect(problemOf(result)).toEqual({ kind: 'no-day', from: '2027-05-08' });
  });

  it('skip a free day when it is within ten years', () => {
    const skipped = daysFrom('2027-05-06', 3000);
    const times = timesOf({ interval: { unit: 'day', count: 1 }, skipped }, 2);
    expect(times[1]?.notes).toEqual([{ kind: 'skipped', count: 3000, from: '2027-05-06', to: '2035-07-22' }]);
  });

  it.each([
    [{ first: '2027-02-30T18:00' }, 'first'],
    [{ first: '2027-05-05T25:00' }, 'first'],
    [{ first: '' }, 'first'],
    [{ timeZone: 'Europe/Wien' }, 'zone'],
    [{ interval: { unit: 'month', count: 999 } }, 'end'],
  ] as const)('have a problem for %j', (change, kind) => {
    expect(problemOf(seriesTimes({ ...WEEKLY, ...change }, 500, 0))).toEqual({ kind });
  });
});
