import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  daysWords,
  draftOf,
  edited,
  incompleteWords,
  isComplete,
  overlapsOf,
  passesMidnight,
  stricter,
  weekParts,
  windowsOf,
  windowWords,
} from '../../../../../renderer/features/settings/timetable/timetable-text.ts';
import {
  changedLimit,
  LIMIT_UNITS,
  limitNumber,
  limitWords,
  readLimit,
  unitFor,
} from '../../../../../renderer/kit/text/limit-text.ts';
import { pauseChoices, untilWords } from '../../../../../renderer/kit/text/until-text.ts';
import { settingsSchema, type TimetableWindow } from '../../../../../shared/contract/settings.ts';

const window = (change: Partial<TimetableWindow> = {}): TimetableWindow => ({
  days: [1, 2, 3, 4, 5],
  from: '08:00',
  to: '18:00',
  limitBytesPerSecond: 1_000_000,
  ...change,
});

describe('a speed limit', () => {
  it('is parsed to the same value from its shown number, in every unit', () => {
    const unit = fc.constantFrom(...LIMIT_UNITS.map(({ id }) => id));
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 900_000 }), unit, (thousands, shown) => {
        const limit = thousands * 1000;
        const read = readLimit(limitNumber(limit, shown), shown);
        // The number has three decimal places of the unit, so the value has that precision.
        const bytes = LIMIT_UNITS.find(({ id }) => id === shown)?.bytes ?? 1;
        expect(Math.abs(Number(read) - limit)).toBeLessThanOrEqual(bytes / 1000);
      }),
    );
  });

  it('stays exactly the same when its field was not changed', () => {
    for (const { id } of LIMIT_UNITS) {
      for (const limit of [1_237_500, 1_250_001, 2048])
        expect(changedLimit(limitNumber(limit, id), limit, id)).toBeNull();
    }
    expect(changedLimit('1.24', 1_237_500, 'mb')).toBe(1_240_000);
    expect(changedLimit(' 2,50', 2_500_000, 'mb')).toBeNull();
    expect(changedLimit('', 1_237_500, 'mb')).toHaveProperty('problem');
  });

  it('is refused with a reason when it is no positive number or too low for the engine', () => {
    for (const text of ['', 'fast', '0', '-1', 'NaN']) expect(readLimit(text, 'mb')).toHaveProperty('problem');
    expect(readLimit('1', 'kb')).toHaveProperty('problem');
    const slowest = readLimit('1.1', 'kb');
    expect(settingsSchema.shape.limitBytesPerSecond.safeParse(slowest).success).toBe(true);
  });

  it('is accepted with a decimal comma or a decimal point', () => {
    expect(readLimit('2,5', 'mb')).toBe(2_500_000);
    expect(readLimit('20', 'mbit')).toBe(2_500_000);
  });

  it('is shown first in the unit with the shortest number', () => {
    expect([unitFor(2_500_000), unitFor(500_000), unitFor(4_000)]).toEqual(['mb', 'mbit', 'kb']);
  });

  it('is described in words, also when no limit is set', () => {
    expect([null, 0, 2_500_000, 4_000].map(limitWords)).toEqual([
      'no limit',
      'nothing is sent',
      '2.5 MB/s (20 Mbit/s)',
      '4 kB/s',
    ]);
  });
});

describe('a time window of the timetable during editing', () => {
  const day = draftOf(window());
  const night = draftOf(window({ from: '22:00', to: '06:00' }));

  it.each([
    ['no day', { days: [] }],
    ['no beginning', { from: '' }],
    ['no end', { to: '' }],
  ] as const)('stays active as it was while it has %s, and the others stay active', (_what, change) => {
    const open = edited(day, change as Partial<TimetableWindow>);
    expect(isComplete(open)).toBe(false);
    expect(incompleteWords(open)).toMatch(/^(Choose at least one day|Enter both times)\. .*Mon–Fri 08:00–18:00/);
    const faster = edited(night, { limitBytesPerSecond: 5_000_000 });
    expect(windowsOf([open, faster])).toEqual([
      window(),
      window({ from: '22:00', to: '06:00', limitBytesPerSecond: 5_000_000 }),
    ]);
  });

  it('is active as soon as it is complete again', () => {
    const whole = edited(edited(day, { from: '' }), { from: '09:00' });
    expect(incompleteWords(whole)).toBeNull();
    expect(windowsOf([whole])).toEqual([window({ from: '09:00' })]);
  });
});

describe('a timetable', () => {
  it('names three or more consecutive days as a range, and all seven as “Every day”', () => {
    expect(daysWords([1, 2, 3, 4, 5])).toBe('Mon–Fri');
    expect(daysWords([0, 6])).toBe('Sat, Sun');
    expect(daysWords([1, 3, 4, 5, 0])).toBe('Mon, Wed–Fri, Sun');
    expect(daysWords([0, 1, 2, 3, 4, 5, 6])).toBe('Every day');
  });

  it('states when a window ends on the next day', () => {
    expect(windowWords(window({ from: '22:00', to: '06:00', limitBytesPerSecond: 0 }))).toBe(
      'Mon–Fri 22:00–06:00 (next day): nothing is sent',
    );
    expect(passesMidnight({ from: '22:00', to: '00:00' })).toBe(false);
    expect(passesMidnight({ from: '08:00', to: '08:00' })).toBe(true);
  });

  it('finds windows that overlap, also over midnight and the end of the week', () => {
    const night = window({ days: [0], from: '22:00', to: '07:00' });
    const monday = window({ days: [1], from: '06:00', to: '09:00' });
    const tuesday = window({ days: [2], from: '06:00', to: '09:00' });
    expect(overlapsOf([night, monday, tuesday])).toEqual([[1], [0], []]);
    // A window that begins when another window ends does not overlap that window.
    expect(overlapsOf([window({ to: '12:00' }), window({ from: '12:00' })])).toEqual([[], []]);
  });

  it('is drawn as seven days without gaps, in which the strictest limit appears', () => {
    const limit = fc.constantFrom(null, 0, 1_000_000, 5_000_000);
    const hour = fc.integer({ min: 0, max: 23 }).map((value) => `${String(value).padStart(2, '0')}:00`);
    const days = fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 7 });
    const one = fc.record({ days, from: hour, to: hour, limitBytesPerSecond: limit });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 5 }), limit, (timetable, usual) => {
        const week = weekParts(timetable, usual);
        expect(week).toHaveLength(7);
        for (const parts of week) {
          expect(parts[0]?.from).toBe(0);
          expect(parts.at(-1)?.to).toBe(1440);
          for (const [index, part] of parts.entries()) if (index > 0) expect(part.from).toBe(parts[index - 1]?.to);
        }
        const strictest = timetable.reduce<number | null>((sum, each) => stricter(sum, each.limitBytesPerSecond), null);
        const shown = week.flat().filter(({ isUsual }) => !isUsual);
        if (timetable.length > 0) expect(shown.map((part) => part.limit)).toContain(strictest);
      }),
    );
  });
});

describe('a time until which the queue pauses', () => {
  const noon = new Date(2026, 10, 21, 12, 0).getTime();

  it('is shown without the day when it is today', () => {
    expect(untilWords(new Date(2026, 10, 21, 20, 0).getTime(), noon)).toBe('20:00');
    expect(untilWords(new Date(2026, 10, 22, 8, 0).getTime(), noon)).toBe('tomorrow 08:00');
    expect(untilWords(new Date(2026, 10, 24, 8, 5).getTime(), noon)).toBe('24 Nov 2026, 08:05');
  });

  it('is offered only when it is in the future', () => {
    expect(pauseChoices(noon).map(({ id }) => id)).toEqual(['hour', 'tonight', 'tomorrow']);
    const late = new Date(2026, 10, 21, 20, 30).getTime();
    expect(pauseChoices(late).map(({ id }) => id)).toEqual(['hour', 'tomorrow']);
    for (const { untilMs } of pauseChoices(late)) expect(untilMs).toBeGreaterThan(late);
  });
});
