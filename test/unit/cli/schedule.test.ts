import { describe, expect, it } from 'vitest';
import { rateText, readSettings, settingsText } from '../../../electron/cli/arguments/settings-values.ts';
import { readUntil, untilInstant } from '../../../electron/cli/arguments/until.ts';
import { UsageError } from '../../../electron/cli/arguments/usage-error.ts';
import { settingsSchema } from '../../../shared/contract/settings.ts';
import { DEFAULT_SETTINGS } from '../../../shared/model/default-settings.ts';
import { readCommand } from '../../helpers/cli/command-line.ts';

const read = (...words: string[]) => readCommand(words).command;
const change = (...words: string[]) => readSettings(words);

describe('commands about the order of sending', () => {
  it('select uploads by their ids or by a batch', () => {
    expect(read('queue', 'next', 'u1', 'u2')).toEqual({
      name: 'queue next',
      selection: { kind: 'ids', ids: ['u1', 'u2'] },
    });
    expect(read('queue', 'priority', 'low', '--batch', 'b')).toEqual({
      name: 'queue priority',
      priority: 'low',
      selection: { kind: 'batch', batchId: 'b' },
    });
    expect(read('queue', 'move', 'u1', '--before', 'u2')).toEqual({ name: 'queue move', ids: ['u1'], before: 'u2' });
    expect(read('queue', 'move', 'u1')).toEqual({ name: 'queue move', ids: ['u1'], before: null });
  });

  it('are refused when uploads or the priority are missing, or when a pause until a time names uploads', () => {
    for (const line of [
      'queue next',
      'queue priority u1',
      'queue priority',
      'queue move',
      'queue pause u1 --until 2h',
    ]) {
      expect(() => read(...line.split(' ')), line).toThrow(UsageError);
    }
  });
});

describe('a pause of the queue until a time', () => {
  const now = new Date(2026, 2, 2, 17, 30, 12).getTime();
  it.each([
    ['18:00', new Date(2026, 2, 2, 18, 0)],
    ['9:05', new Date(2026, 2, 3, 9, 5)],
    ['17:30', new Date(2026, 2, 3, 17, 30)],
    ['90m', new Date(2026, 2, 2, 19, 0, 12)],
    ['1d', new Date(2026, 2, 3, 17, 30, 12)],
    ['2026-03-05T08:00', new Date(2026, 2, 5, 8, 0)],
    ['2026-03-05T08:00Z', new Date(Date.UTC(2026, 2, 5, 8, 0))],
  ])('is read from %s', (text, expected) => {
    expect(untilInstant(readUntil(text), now)).toBe(expected.getTime());
  });

  it('pauses the whole queue', () => {
    expect(read('queue', 'pause', '--until', '2h')).toEqual({
      name: 'queue pause',
      until: { kind: 'in', ms: 7_200_000 },
    });
  });

  it.each(['soon', '25:00', '12', '2x', '2026-03-05', '2026-13-05T08:00'])('is rejected for %s', (text) => {
    expect(() => readUntil(text)).toThrow(UsageError);
  });
});

describe('settings on the command line', () => {
  it('are read from names and values', () => {
    expect(change('parallel=8', 'small-first=on', 'disk=serial', 'limit=2.5MB/s')).toEqual({
      parallelTransfers: 8,
      smallFirst: true,
      diskMode: 'serial',
      limitBytesPerSecond: 2_500_000,
    });
    expect(change('limit=none')).toEqual({ limitBytesPerSecond: null });
    expect(change('limit=0')).toEqual({ limitBytesPerSecond: 0 });
    expect(change('timetable=mon-fri 08:00-18:00 2MB; sat,sun 00:00-00:00 none')).toEqual({
      timetable: [
        { days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00', limitBytesPerSecond: 2_000_000 },
        { days: [0, 6], from: '00:00', to: '00:00', limitBytesPerSecond: null },
      ],
    });
    expect(change('timetable=fri-mon 22:00-06:00 0')).toMatchObject({ timetable: [{ days: [0, 1, 5, 6] }] });
    expect(change('timetable=none')).toEqual({ timetable: [] });
    expect(change('days-without-publication=2027-12-26,2027-12-25')).toEqual({
      daysWithoutPublication: ['2027-12-25', '2027-12-26'],
    });
    expect(change('days-without-publication=none')).toEqual({ daysWithoutPublication: [] });
    expect(change()).toEqual({});
  });

  it.each([
    'parallel',
    'parallel=0',
    'parallel=x',
    'small-first=yes',
    'disk=fast',
    'limit=-1',
    'limit=3',
    'limit=fast',
    'timetable=monday 08:00-18:00 2MB',
    'timetable=mon 8-18 2MB',
    'timetable=mon 08:00-25:00 2MB',
    'days-without-publication=25.12.2027',
    'days-without-publication=',
    'constructor=1',
  ])('are rejected with the allowed values: %s', (word) => {
    expect(() => change(word)).toThrow(UsageError);
  });

  it('are shown as names and values that set them again', () => {
    const timetable = [
      { days: [1, 2, 3], from: '08:00', to: '18:00', limitBytesPerSecond: 2_500_000 },
      { days: [0, 1, 2, 3, 4, 5, 6], from: '23:00', to: '01:00', limitBytesPerSecond: 0 },
    ];
    const daysWithoutPublication = ['2027-12-25', '2027-12-26'];
    const settings = { ...DEFAULT_SETTINGS, limitBytesPerSecond: 123_457, timetable, daysWithoutPublication };
    const words = settingsText(settings).map(([name, value]) => `${name}=${value}`);
    expect(settingsSchema.parse(change(...words))).toEqual(settings);
    expect([null, 0, 1024, 500_000, 5_000_000_000].map(rateText)).toEqual(['none', '0', '1024B', '500kB', '5GB']);
  });
});
