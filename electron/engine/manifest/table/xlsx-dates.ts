import { readXml } from './read-sheet-xml.ts';

const DAY_MS = 86_400_000;

/** Returns whether a format number is one of the date and time formats that need no definition in the file. */
function isBuiltInDate(id: number): boolean {
  return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);
}

/** Returns whether a format such as `dd/mm/yyyy` shows a date; texts in quotes and colours in brackets don't count. */
function isDateFormat(code: string): boolean {
  const bare = withoutBrackets(code.replace(/"[^"]*"|\\.|_.|\*./g, '')).replace(/general/gi, '');
  return /[dmyhs]/i.test(bare);
}

/** Removes colours and conditions such as `[Red]`; elapsed times such as `[h]` stay. */
function withoutBrackets(code: string): string {
  return code
    .split('[')
    .map((part, index) => {
      const end = part.indexOf(']');
      return index === 0 || end < 0 || /^[hms]/i.test(part) ? part : part.slice(end + 1);
    })
    .join('');
}

/** Returns the indexes of the cell styles that show a date. */
export function dateStylesOf(stylesXml: string): ReadonlySet<number> {
  const dates = new Set<number>();
  const custom = new Map<number, boolean>();
  let isCellStyles = false;
  let index = 0;
  readXml(stylesXml, {
    open(name, attributes) {
      if (name === 'numFmt') custom.set(Number(attributes.numFmtId), isDateFormat(attributes.formatCode ?? ''));
      if (name === 'cellXfs') isCellStyles = true;
      if (name !== 'xf' || !isCellStyles) return;
      const format = Number(attributes.numFmtId ?? 0);
      if (custom.get(format) ?? isBuiltInDate(format)) dates.add(index);
      index += 1;
    },
    close(name) {
      if (name === 'cellXfs') isCellStyles = false;
    },
  });
  return dates;
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
