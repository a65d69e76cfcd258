import { describe, expect, it } from 'vitest';
import { readInterval } from '../../../electron/cli/arguments/series-interval.ts';

describe('the text of an interval', () => {
  it.each([
    ['day', { unit: 'day', count: 1 }],
    ['week', { unit: 'week', count: 1 }],
    ['2 weeks', { unit: 'week', count: 2 }],
    ['1 week', { unit: 'week', count: 1 }],
    ['999 days', { unit: 'day', count: 999 }],
    ['Month', { unit: 'month', count: 1 }],
    ['thu, mon', { unit: 'weekdays', days: [1, 4] }],
    ['sun', { unit: 'weekdays', days: [0] }],
  ])('is read: %s', (text, interval) => expect(readInterval(text)).toEqual(interval));

  it.each(['', '0 weeks', '1000 days', '-1 day', '1.5 weeks', 'weekly', '2weeks', 'mon,mon', 'mon,', 'montag', '2'])(
    'is refused: %s',
    (text) => expect(readInterval(text)).toBeNull(),
  );
});
