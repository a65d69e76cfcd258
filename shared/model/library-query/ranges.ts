import type { QueryRange } from './library-query.ts';
import { readRelative } from './relative-dates.ts';

const DATE = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/;
const DURATION = /^(?:(\d{1,5})h)?(?:(\d{1,5})m)?(?:(\d{1,7})s?)?$/;
const CLOCK = /^(?:(\d{1,5}):)?(\d{1,5}):(\d{2})$/;

/** Reads a range such as `2026-01..2026-03`, `..10m`, `>30m` or one value. Returns null for any other text. */
export function readRange<T extends string | number>(
  text: string,
  read: (value: string) => T | null,
): QueryRange<T> | null {
  const sign = /^[<>]=?/.exec(text)?.[0];
  if (sign !== undefined) {
    const value = read(text.slice(sign.length));
    if (value === null) return null;
    const isOpen = sign.length === 1;
    return sign.startsWith('>') ? { from: value, to: null, isOpen } : { from: null, to: value, isOpen };
  }
  const dots = text.indexOf('..');
  const from = dots < 0 ? text : text.slice(0, dots);
  const to = dots < 0 ? text : text.slice(dots + 2);
  if (from === '' && to === '') return null;
  const limits = { from: from === '' ? null : read(from), to: to === '' ? null : read(to), isOpen: false };
  const isRead = (from === '' || limits.from !== null) && (to === '' || limits.to !== null);
  return isRead ? limits : null;
}

/** Writes a range in the form that `readRange` reads. */
export function writeRange<T extends string | number>(range: QueryRange<T>, write: (value: T) => string): string {
  const from = range.from === null ? '' : write(range.from);
  const to = range.to === null ? '' : write(range.to);
  if (range.isOpen) return range.from === null ? `<${to}` : `>${from}`;
  return from === to && from !== '' ? from : `${from}..${to}`;
}

/** Reads a day, a month, a year or a relative date such as `last-7-days`; null for a date that does not exist. */
export function readQueryDate(text: string): string | null {
  return readAbsoluteDate(text) ?? readRelative(text);
}

function readAbsoluteDate(text: string): string | null {
  const match = DATE.exec(text);
  if (match === null) return null;
  const [, year = '', month, day] = match;
  if (year < '1000') return null;
  if (month !== undefined && (month < '01' || month > '12')) return null;
  if (day === undefined) return text;
  const days = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  return Number(day) >= 1 && Number(day) <= days ? text : null;
}

/** Reads `90s`, `30m`, `1h30m`, `1:30:00` or seconds; null for any other text. */
export function readDuration(text: string): number | null {
  const clock = CLOCK.exec(text);
  if (clock !== null) return Number(clock[1] ?? 0) * 3600 + Number(clock[2]) * 60 + Number(clock[3]);
  const match = DURATION.exec(text);
  if (match === null || text === '') return null;
  const [, hours = 0, minutes = 0, seconds = 0] = match;
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}

export function writeDuration(seconds: number): string {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60];
  // `readDuration` reads at most five digits of hours.
  if (hours > 99_999) return `${Math.min(seconds, 9_999_999)}s`;
  const parts = [hours > 0 ? `${hours}h` : '', minutes > 0 ? `${minutes}m` : '', rest > 0 ? `${rest}s` : ''].join('');
  return parts === '' ? '0s' : parts;
}
