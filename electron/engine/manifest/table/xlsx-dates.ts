import { TableError } from '../../../../shared/model/table/table-error.ts';
import { readSheetXml } from './read-sheet-xml.ts';

const DAY_MS = 86_400_000;
/** The maximum number of formats. Excel has up to 65,490 cell styles. */
const MOST_FORMATS = 200_000;

/**
 * What a number format shows: a day with or without a time; a time of day; or a duration, such as `[h]:mm`, whose hours can be
 * more than 24.
 */
export type TimeKind = 'date' | 'time' | 'duration';

/** Returns what one of the formats shows that need no definition in the file; null: no day or time. */
function builtInKind(id: number): TimeKind | null {
  if (id === 46) return 'duration';
  if ((id >= 18 && id <= 21) || id === 45 || id === 47) return 'time';
  return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58) ? 'date' : null;
}

/** Returns what a format such as `dd/mm/yyyy` shows; texts in quotes and colours in brackets don't count. */
function kindOf(code: string): TimeKind | null {
  const bare = withoutBrackets(code.replace(/"[^"]*"|\\.|_.|\*./g, '')).replace(/general/gi, '');
  if (/\[/.test(bare)) return 'duration';
  if (/[dy]/i.test(bare)) return 'date';
  if (/[hs]/i.test(bare)) return 'time';
  return /m/i.test(bare) ? 'date' : null;
}

/** Removes colours and conditions such as `[Red]`; elapsed times such as `[h]` stay. */
function withoutBrackets(code: string): string {
  return code
    .split('[')
    .map((part, index) => {
      const end = part.indexOf(']');
      if (index === 0 || end < 0) return part;
      return /^(?:h+|m+|s+)\]/i.test(part) ? `[${part}` : part.slice(end + 1);
    })
    .join('');
}

/** Returns what the cell styles show, by their index; styles that show no day or time are missing. */
export function timeStylesOf(stylesXml: Iterable<string>): ReadonlyMap<number, TimeKind> {
  const styles = new Map<number, TimeKind>();
  const custom = new Map<number, TimeKind | null>();
  let isCellStyles = false;
  let index = 0;
  let formats = 0;
  readSheetXml(stylesXml, {
    open(name, attributes) {
      if (name === 'numFmt' || name === 'xf') formats += 1;
      if (formats > MOST_FORMATS) throw new TableError('too-large');
      if (name === 'numFmt') custom.set(Number(attributes.numFmtId), kindOf(attributes.formatCode ?? ''));
      if (name === 'cellXfs') isCellStyles = true;
      if (name !== 'xf' || !isCellStyles) return;
      const format = Number(attributes.numFmtId ?? 0);
      const kind = custom.has(format) ? custom.get(format) : builtInKind(format);
      if (kind) styles.set(index, kind);
      index += 1;
    },
    close(name) {
      if (name === 'cellXfs') isCellStyles = false;
    },
  });
  return styles;
}

/** Returns a time of day or a duration such as `10:30:00`; a negative number unchanged. */
export function serialTime(serial: number, kind: 'time' | 'duration'): string {
  if (!Number.isFinite(serial) || serial < 0) return String(serial);
  const seconds = kind === 'time' ? Math.round((serial % 1) * 86_400) % 86_400 : Math.round(serial * 86_400);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

/** Returns the day of a serial number, with its time unless that is midnight. A number that is no day is returned unchanged. */
export function serialDate(serial: number, starts1904: boolean): string {
  // Day 60 of the 1900 calendar is 29 February 1900, which did not exist.
  const epoch = starts1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, serial < 60 ? 31 : 30);
  const at = epoch + Math.round((serial * DAY_MS) / 1000) * 1000;
  if (!Number.isFinite(at) || serial < 0 || at >= Date.UTC(10_000, 0, 1)) return String(serial);
  const text = new Date(at).toISOString();
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text.slice(0, 19);
}
