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
export function readDate(parts: readonly FormatPart[], text: string, at: number): string | null {
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
export function writeDate(parts: readonly FormatPart[], value: string): string | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2}))?)?$/.exec(value);
  if (match === null || !isCalendarDay(Number(match[1]), Number(match[2]), Number(match[3]))) return null;
  const [, YYYY = '', MM = '', DD = '', HH, mm, ss = HH === undefined ? undefined : '00'] = match;
  const values: Record<Unit, string | undefined> = { YYYY, MM, DD, HH, mm, ss };
  let text = '';
  for (const part of parts) {
    const piece = typeof part === 'string' ? values[part] : part.text;
    if (piece === undefined) return null;
    text += piece;
  }
  return text;
}

function isUnit(piece: string): piece is Unit {
  return Object.hasOwn(UNITS, piece);
}

const padded = (value: number, digits: number) => String(value).padStart(digits, '0');
