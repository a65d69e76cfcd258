import { terminalText } from '../../../shared/api/terminal-text.ts';
import { shownName } from '../../engine/ports/system/byte-paths.ts';

/** Formats text for a terminal: sizes, times, and text from outside without control characters. */

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB'] as const;

/** Returns a size such as `999 bytes`, `1.2 MB` or `38 MB`: decimal units, at most three digits. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = unit === 0 || value >= 9.95 ? 0 : 1;
  return `${value.toFixed(digits)} ${unit === 0 && bytes === 1 ? 'byte' : UNITS[unit]}`;
}

/** Returns `1 file`, or `12 files`. */
export function countedFiles(count: number): string {
  return count === 1 ? '1 file' : `${count} files`;
}

/** Returns `1 upload`, or `12 uploads`. */
export function countedUploads(count: number): string {
  return count === 1 ? '1 upload' : `${count} uploads`;
}

/** Returns a time such as `8 s`, `4 min`, `2 h 05 min` or `3 days`: rounded up, because an estimate must not be too short. */
export function formatDuration(seconds: number): string {
  if (seconds <= 59) return `${Math.max(1, Math.ceil(seconds))} s`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
  return `${Math.ceil(minutes / 1440)} days`;
}

/** Returns text from outside as one line that is safe on a terminal: U+FFFD in place of control characters and bytes that are no text. */
export function printable(text: string): string {
  return terminalText(shownName(text));
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|\ufe0f/u;

function lettersOf(text: string): { letter: string; width: number }[] {
  return [...graphemes.segment(text)].map(({ segment }) => ({ letter: segment, width: WIDE.test(segment) ? 2 : 1 }));
}

/** Returns the number of columns of a text on a terminal. */
export function displayWidth(text: string): number {
  return lettersOf(text).reduce((sum, { width }) => sum + width, 0);
}

/** Returns a text of exactly `columns`: padded with blanks, or shortened in the middle, so that the extension is kept. */
export function fitInto(text: string, columns: number): string {
  const width = displayWidth(text);
  if (width <= columns) return text + ' '.repeat(columns - width);
  const tailColumns = Math.floor((columns - 1) / 3);
  const tail = take(lettersOf(text).reverse(), tailColumns).reverse().join('');
  const head = take(lettersOf(text), columns - 1 - displayWidth(tail)).join('');
  const shortened = `${head}…${tail}`;
  return shortened + ' '.repeat(columns - displayWidth(shortened));
}

function take(letters: { letter: string; width: number }[], columns: number): string[] {
  const taken: string[] = [];
  let left = columns;
  for (const { letter, width } of letters) {
    if (width > left) break;
    taken.push(letter);
    left -= width;
  }
  return taken;
}

/** Returns rows as columns of text, separated by two blanks; the last column is not padded. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const clean = rows.map((row) => row.map(printable));
  const count = Math.max(0, ...clean.map((row) => row.length));
  const widths = Array.from({ length: count }, (_, column) =>
    Math.max(0, ...clean.map((row) => displayWidth(row[column] ?? ''))),
  );
  return clean.map((row) =>
    row
      .map((text, column) => (column === row.length - 1 ? text : fitInto(text, widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}
