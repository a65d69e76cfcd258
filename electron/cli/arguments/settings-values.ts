import {
  type Settings,
  type SettingsPatch,
  settingsSchema,
  type TimetableWindow,
} from '../../../shared/contract/settings.ts';
import { DISK_MODES } from '../../../shared/model/disk-modes.ts';
import { readSkippedDays } from '../../../shared/model/series/series-text.ts';
import { DAY_WORDS } from './day-words.ts';
import { NETWORK_NAMES } from './network-values.ts';
import { UsageError } from './usage-error.ts';

/** Reads the operands of `settings`: `parallel=8 small-first=on disk=auto limit=5MB timetable="…"`. Throws `UsageError`. */
export function readSettings(words: readonly string[]): SettingsPatch {
  const patch: Record<string, unknown> = {};
  for (const word of words) {
    const equals = word.indexOf('=');
    const name = word.slice(0, Math.max(0, equals));
    const value = word.slice(equals + 1).trim();
    const setting = Object.hasOwn(READERS, name) ? READERS[name as keyof typeof READERS] : undefined;
    if (setting === undefined) {
      throw new UsageError(
        `Unknown setting: ${word}. Use NAME=VALUE with ${[...Object.keys(READERS), ...NETWORK_NAMES].join(', ')}.`,
      );
    }
    const [field, read] = setting;
    const setTo = read(value);
    if (!settingsSchema.shape[field].safeParse(setTo).success) {
      throw new UsageError(`Invalid value for ${name}: ${value}. Use ${TAKES[name as keyof typeof TAKES]}.`);
    }
    patch[field] = setTo;
  }
  return patch as SettingsPatch;
}

const READERS = {
  parallel: ['parallelTransfers', (value: string) => (/^\d+$/.test(value) ? Number(value) : null)],
  'small-first': ['smallFirst', (value: string) => (value === 'on' ? true : value === 'off' ? false : null)],
  disk: ['diskMode', (value: string) => value],
  limit: ['limitBytesPerSecond', readRate],
  timetable: ['timetable', readTimetable],
  'days-without-publication': ['daysWithoutPublication', readDaysOff],
} as const satisfies Record<string, readonly [keyof Settings, (value: string) => unknown]>;

const TAKES: Record<keyof typeof READERS, string> = {
  parallel: '1 to 16',
  'small-first': 'on or off',
  disk: DISK_MODES.join(', '),
  limit: 'a speed per second such as 500kB or 5MB, 0 to send nothing, or none',
  timetable: 'times such as “mon-fri 08:00-18:00 2MB; sat,sun 00:00-00:00 none”, or none',
  'days-without-publication': 'dates such as 2027-12-25,2027-12-26, or none',
};

const RATE_UNITS = { '': 1, k: 1000, m: 1_000_000, g: 1_000_000_000 } as const;

/** Reads `500kB`, `5 MB/s`, `2.5M`, `0`, `none`; undefined for anything else. */
function readRate(value: string): number | null | undefined {
  if (value === 'none') return null;
  const parts = /^(\d+(?:\.\d+)?)\s*([kmg]?)(?:b(?:\/s)?)?$/i.exec(value);
  if (!parts) return undefined;
  return Math.round(Number(parts[1]) * RATE_UNITS[(parts[2] ?? '').toLowerCase() as keyof typeof RATE_UNITS]);
}

/** Reads windows separated by semicolons; null when one cannot be read. */
function readTimetable(value: string): TimetableWindow[] | null {
  if (value === 'none') return [];
  const windows: TimetableWindow[] = [];
  for (const text of value.split(';')) {
    const parts = /^(\S+)\s+(\d{2}:\d{2})-(\d{2}:\d{2})\s+(\S.*)$/.exec(text.trim());
    const days = parts ? readDays(parts[1] ?? '') : null;
    const limit = parts ? readRate(parts[4] ?? '') : undefined;
    if (!parts || days === null || limit === undefined) return null;
    windows.push({ days, from: parts[2] ?? '', to: parts[3] ?? '', limitBytesPerSecond: limit });
  }
  return windows;
}

/** Reads days separated by commas or line breaks; null when one is no day. */
function readDaysOff(value: string): string[] | null {
  const read = value === 'none' ? { days: [] } : readSkippedDays(value);
  return 'days' in read && (read.days.length > 0 || value === 'none') ? read.days : null;
}

/** Reads `mon`, `sat,sun`, `mon-fri`, `fri-mon`, `daily`. */
function readDays(value: string): number[] | null {
  if (value === 'daily') return [0, 1, 2, 3, 4, 5, 6];
  const days = new Set<number>();
  for (const part of value.split(',')) {
    const [first = '', last = first] = part.split('-');
    const from = DAY_WORDS.indexOf(first);
    const to = DAY_WORDS.indexOf(last);
    if (from === -1 || to === -1) return null;
    for (let day = from; ; day = (day + 1) % 7) {
      days.add(day);
      if (day === to) break;
    }
  }
  return [...days].sort((a, b) => a - b);
}

/** Returns the settings as names and values that `readSettings` reads. */
export function settingsText(settings: Settings): [string, string][] {
  const { parallelTransfers, smallFirst, diskMode, limitBytesPerSecond, timetable } = settings;
  const daysOff = settings.daysWithoutPublication;
  return [
    ['parallel', String(parallelTransfers)],
    ['small-first', smallFirst ? 'on' : 'off'],
    ['disk', diskMode],
    ['limit', rateText(limitBytesPerSecond)],
    ['timetable', timetable.length === 0 ? 'none' : timetable.map(windowText).join('; ')],
    ['days-without-publication', daysOff.length === 0 ? 'none' : daysOff.join(',')],
  ];
}

/** Returns a rate such as `2.5MB`, `0` or `none` that `readRate` reads. */
export function rateText(bytesPerSecond: number | null): string {
  if (bytesPerSecond === null) return 'none';
  if (bytesPerSecond === 0) return '0';
  for (const [unit, bytes] of [
    ['GB', 1_000_000_000],
    ['MB', 1_000_000],
    ['kB', 1000],
  ] as const) {
    if (bytesPerSecond >= bytes && (bytesPerSecond / bytes) * 100 === Math.round((bytesPerSecond / bytes) * 100)) {
      return `${bytesPerSecond / bytes}${unit}`;
    }
  }
  return `${bytesPerSecond}B`;
}

function windowText({ days, from, to, limitBytesPerSecond }: TimetableWindow): string {
  const names = days.length === 7 ? 'daily' : days.map((day) => DAY_WORDS[day]).join(',');
  return `${names} ${from}-${to} ${rateText(limitBytesPerSecond)}`;
}
