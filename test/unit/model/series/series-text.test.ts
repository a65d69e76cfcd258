import { describe, expect, it } from 'vitest';
import { readSkippedDays, seriesNoteText } from '../../../../shared/model/series/series-text.ts';

describe('the text of days without publication', () => {
  it('is read with one day a line or commas, in order and each day once', () => {
    const text = '\uFEFF2027-12-25\r\n\r\n2027-05-06, 2027-12-25,\n 2027-01-01 ';
    expect(readSkippedDays(text)).toEqual({ days: ['2027-01-01', '2027-05-06', '2027-12-25'] });
  });

  it.each([
    ['2027-12-25\n25.12.2027', 2, '25.12.2027'],
    ['2027-02-29', 1, '2027-02-29'],
    ['\n\n2027-1-1', 3, '2027-1-1'],
    [`x${'y'.repeat(100)}`, 1, `x${'y'.repeat(39)}…`],
  ])('names the line that is no day: %j', (given, line, text) => {
    expect(readSkippedDays(given)).toEqual({ problem: { kind: 'no-day', line, text } });
  });

  it('takes 10,000 days and refuses one more', () => {
    const days = Array.from({ length: 10_001 }, (_, index) =>
      new Date(Date.UTC(2027, 0, 1) + index * 86_400_000).toISOString().slice(0, 10),
    );
    expect(readSkippedDays(days.slice(0, 10_000).join('\n'))).toEqual({ days: days.slice(0, 10_000) });
    expect(readSkippedDays(days.join('\n'))).toEqual({ problem: { kind: 'too-many', count: 10_001 } });
  });
});

describe('the note about a time of a series', () => {
  it.each([
    [{ kind: 'forward', wanted: '02:30' }, '02:30 doesn’t occur'],
    [{ kind: 'twice' }, 'occurs twice'],
    [{ kind: 'short', wanted: 31 }, 'no day 31'],
    [{ kind: 'start', wanted: '2027-05-05' }, '5 May 2027 isn’t one of the chosen days of the week'],
    [{ kind: 'skipped', count: 1, from: '2027-12-25', to: '2027-12-25' }, '25 Dec 2027 is a day without'],
    [{ kind: 'skipped', count: 3, from: '2027-12-25', to: '2027-12-27' }, '25 Dec 2027 to 27 Dec 2027'],
    [{ kind: 'absent', wanted: '2011-12-30' }, 'no 30 Dec 2011'],
    [{ kind: 'past' }, 'at once'],
  ] as const)('names the reason: %j', (note, part) => expect(seriesNoteText(note)).toContain(part));
});
