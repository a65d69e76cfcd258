import { MONTH_NAMES } from '../date-time.ts';
import { isCalendarDay } from '../local-day.ts';

// Dates in names, by formats such as `YYYYMMDD` or `DD.MM.YYYY HH-mm`. The value of a date is `YYYY-MM-DD`, followed by
// `THH:mm:ss` if the format has a time. No time zone, because a name does not have one.

/** The parts of a format, with their digits and limits. */
const UNITS = {
  YYYY: { digits: 4, least: 1, most: 9999 },
  MM: { digits: 2, least: 1, most: 12 },
  DD: { digits: 2, least: 1, most: 31 },
  HH: { digits: 2, least: 0, most: 23 },
  mm: { digits: 2, least: 0, most: 59 },
  ss: { digits: 2, least: 0, most: 59 },
} as const;
type Unit = keyof typeof UNITS;

/** A unit, or text between units. */
export type FormatPart = Unit | { text: string };

export const DATE_FORMAT = 'YYYY-MM-DD';

/** Parts that can only be written: names of months and days, and the day of the month without a leading zero. */
const WRITTEN_UNITS = ['MMMM', 'MMM', 'dddd', 'ddd', 'D'] as const;
type WrittenUnit = (typeof WRITTEN_UNITS)[number];

/** A part of a format that only writes dates. */
export type WrittenPart = FormatPart | { name: WrittenUnit };

const DAY_NAMES = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;
const SHORT_NAME = 3;

/**
 * Splits a format that writes dates: those of `dateFormatOf`, also with `MMMM` (November), `MMM` (Nov), `dddd` (Wednesday), `ddd`
 * (Wed) and `D` (5). Returns null under the same conditions.
 */
export function writtenFormatOf(format: string): WrittenPart[] | null {
  const names: WrittenUnit[] = [];
  // A name stands for the unit that it writes; a day of the week, for no unit.
  const plain = format.replace(/YYYY|MMMM|MMM|MM|DD|D|dddd|ddd/g, (piece) => {
    const name = WRITTEN_UNITS.find((unit) => unit === piece);
    if (name === undefined) return piece;
    names.push(name);
    return name.startsWith('d') ? NAME_MARK : name === 'D' ? `${NAME_MARK}DD` : `${NAME_MARK}MM`;
  });
  const parts = format.includes(NAME_MARK) ? null : dateFormatOf(plain);
  if (parts === null) return null;
  const written: WrittenPart[] = [];
  let replaces = false;
  for (const part of parts) {
    if (typeof part === 'string') {
      if (!replaces) written.push(part);
      replaces = false;
      continue;
    }
    for (const [index, text] of part.text.split(NAME_MARK).entries()) {
      if (index > 0) {
        const name = names.shift() ?? 'D';
        written.push({ name });
        replaces = !name.startsWith('d');
      }
      if (text !== '') written.push({ text });
    }
  }
  return written;
}

/** Stands for a name while a format is split. A format can't contain it. */
const NAME_MARK = '\u0000';

/** Splits a format into its parts; null when it has no year, month and day, or a unit twice, or minutes without hours. */
export function dateFormatOf(format: string): FormatPart[] | null {
  const parts: FormatPart[] = [];
  const units = new Set<Unit>();
  for (const [piece] of format.matchAll(/YYYY|MM|DD|HH|mm|ss|[^YMDHms]+|./g)) {
    if (!isUnit(piece)) {
      if (/^[YMDHms]$/.test(piece)) return null;
      parts.push({ text: piece });
      continue;
    }
    if (units.has(piece)) return null;
    units.add(piece);
    parts.push(piece);
  }
  const hasDay = units.has('YYYY') && units.has('MM') && units.has('DD');
  const isTimeComplete = (!units.has('mm') || units.has('HH')) && (!units.has('ss') || units.has('mm'));
  return hasDay && isTimeComplete ? parts : null;
}

/** The number of characters of every date in a format. */
export function widthOf(parts: readonly FormatPart[]): number {
  return parts.reduce((sum, part) => sum + (typeof part === 'string' ? UNITS[part].digits : part.text.length), 0);
}

/** Reads a date at a position of a text; null when there is no date of the calendar. */
export function readDateAt(parts: readonly FormatPart[], text: string, at: number): string | null {
  const found: Partial<Record<Unit, number>> = {};
  let place = at;
  for (const part of parts) {
    if (typeof part !== 'string') {
      if (!text.startsWith(part.text, place)) return null;
      place += part.text.length;
      continue;
    }
    const { digits, least, most } = UNITS[part];
    const piece = text.slice(place, place + digits);
    const value = Number(piece);
    if (piece.length !== digits || !/^[0-9]+$/.test(piece) || value < least || value > most) return null;
    found[part] = value;
    place += digits;
  }
  const { YYYY = 0, MM = 0, DD = 0, HH, mm = 0, ss = 0 } = found;
  if (!isCalendarDay(YYYY, MM, DD)) return null;
  const day = `${padded(YYYY, 4)}-${padded(MM, 2)}-${padded(DD, 2)}`;
  return HH === undefined ? day : `${day}T${padded(HH, 2)}:${padded(mm, 2)}:${padded(ss, 2)}`;
}

/**
 * Writes a date by a format. `value`: `YYYY-MM-DD`, with `THH:mm:ss` for a format with a time. Returns null when the value is no
 * date, or has no time although the format requires one.
 */
export function writeInFormat(parts: readonly WrittenPart[], value: string): string | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2}))?)?$/.exec(value);
  if (match === null || !isCalendarDay(Number(match[1]), Number(match[2]), Number(match[3]))) return null;
  const [, YYYY = '', MM = '', DD = '', HH, mm, ss = HH === undefined ? undefined : '00'] = match;
  const values: Record<Unit, string | undefined> = { YYYY, MM, DD, HH, mm, ss };
  let text = '';
  for (const part of parts) {
    const piece =
      typeof part === 'string' ? values[part] : 'text' in part ? part.text : nameIn(part.name, YYYY, MM, DD);
    if (piece === undefined) return null;
    text += piece;
  }
  return text;
}

function nameIn(name: WrittenUnit, year: string, month: string, day: string): string {
  if (name === 'D') return String(Number(day));
  const weekday = new Date(`${year}-${month}-${day}T00:00Z`).getUTCDay();
  const whole = name.startsWith('d') ? DAY_NAMES[weekday] : MONTH_NAMES[Number(month) - 1];
  return (whole ?? '').slice(0, name === 'MMM' || name === 'ddd' ? SHORT_NAME : undefined);
}

function isUnit(piece: string): piece is Unit {
  return Object.hasOwn(UNITS, piece);
}

const padded = (value: number, digits: number) => String(value).padStart(digits, '0');
