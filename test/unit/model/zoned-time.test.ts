import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { localTimeIn, offsetText, zonedTime } from '../../../shared/model/zoned-time.ts';

const at = (text: string) => Date.parse(text);

describe('a local time in a time zone', () => {
  it('has one instant on an ordinary day', () => {
    expect(zonedTime('2026-07-01T14:00', 'Europe/Vienna')).toEqual({ kind: 'one', at: at('2026-07-01T12:00Z') });
    expect(zonedTime('2026-07-01T14:00', 'Asia/Kathmandu')).toEqual({ kind: 'one', at: at('2026-07-01T08:15Z') });
    expect(zonedTime('2026-07-01T14:00', 'UTC')).toEqual({ kind: 'one', at: at('2026-07-01T14:00Z') });
  });

  it('has two instants in the hour after which clocks are set back', () => {
    expect(zonedTime('2026-10-25T02:30', 'Europe/Vienna')).toEqual({
      kind: 'twice',
      earlier: at('2026-10-25T00:30Z'),
      later: at('2026-10-25T01:30Z'),
    });
    expect(zonedTime('2026-11-01T01:15', 'America/New_York')).toMatchObject({ kind: 'twice' });
    // Lord Howe Island changes its clocks by half an hour.
    expect(zonedTime('2026-04-05T01:45', 'Australia/Lord_Howe')).toMatchObject({
      kind: 'twice',
      later: at('2026-04-04T15:15Z'),
    });
  });

  it('has no instant, but one before and one after, when clocks are set forward', () => {
    const skipped = zonedTime('2026-03-29T02:30', 'Europe/Vienna');
    expect(skipped).toEqual({ kind: 'skipped', earlier: at('2026-03-29T00:30Z'), later: at('2026-03-29T01:30Z') });
    expect(localTimeIn(at('2026-03-29T00:30Z'), 'Europe/Vienna')).toBe('2026-03-29T01:30');
    expect(localTimeIn(at('2026-03-29T01:30Z'), 'Europe/Vienna')).toBe('2026-03-29T03:30');
    // Samoa left out a whole day.
    expect(zonedTime('2011-12-30T12:00', 'Pacific/Apia')).toMatchObject({ kind: 'skipped' });
  });

  it('is null when the text is no valid time', () => {
    for (const text of [
      '',
      '2026-02-30T10:00',
      '2026-01-01T24:30',
      '2026-01-01',
      'soon',
      '2026-01-01T10:00Z',
      '2026-13-01T10:00',
    ]) {
      expect(zonedTime(text, 'Europe/Vienna'), text).toBeNull();
    }
  });

  it('is shown with the offset of the zone at its instant', () => {
    expect(offsetText(at('2026-07-01T12:00Z'), 'Europe/Vienna')).toBe('UTC+2');
    expect(offsetText(at('2026-12-01T12:00Z'), 'Europe/Vienna')).toBe('UTC+1');
    expect(offsetText(at('2026-12-01T12:00Z'), 'America/St_Johns')).toBe('UTC−3:30');
    expect(offsetText(at('2026-12-01T12:00Z'), 'UTC')).toBe('UTC');
  });

  it('is parsed to the instant from which it was computed, to the minute and in every zone', () => {
    const zones = [
      'Europe/Vienna',
      'America/New_York',
      'Asia/Kathmandu',
      'Australia/Lord_Howe',
      'Africa/Casablanca',
      'UTC',
    ];
    const minute = fc.integer({ min: at('2000-01-01T00:00Z') / 60_000, max: at('2037-12-31T00:00Z') / 60_000 });
    fc.assert(
      fc.property(minute, fc.constantFrom(...zones), (minutes, zone) => {
        const found = zonedTime(localTimeIn(minutes * 60_000, zone), zone);
        const instants =
          found?.kind === 'one' ? [found.at] : found?.kind === 'twice' ? [found.earlier, found.later] : [];
        return instants.includes(minutes * 60_000);
      }),
      { numRuns: 2000 },
    );
  });
});
