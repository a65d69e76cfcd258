import { rowsOf, type Timing, timingOf } from './captions-rows.ts';

/** Longer lines are cut: no screen shows more. */
const MOST_ROW_CHARS = 10_000;

/**
 * Converts SRT to WebVTT: removes cue numbers, writes times with points, and escapes markup except bold, italics and underline,
 * which both formats have. Blank lines inside a cue and cues without a text are left out. Takes linear time. Yields at least one
 * piece for each input line, empty ones included, so that the caller can let other work run in between.
 */
export function* srtToVtt(srt: string): Generator<string> {
  yield 'WEBVTT\n';
  for (const cue of cuesOf(srt)) yield cue === null ? '' : `\n${cue}\n`;
}

/** The first timing and the first text of SRT must be within this length: no request of the service waits for a longer search. */
const FIRST_CUE_CHARS = 256 * 1024;

/**
 * Returns what a text is: SRT with a cue that shows something, SRT without one, or something else. Reads only as much as it needs.
 */
export function srtState(text: string): 'cues' | 'empty' | 'other' {
  let isTimed = false;
  let isNumbered = false;
  /** The last line with a text was a number, which can be that of the next cue. */
  let wasNumber = false;
  for (const row of rowsOf(text.slice(0, FIRST_CUE_CHARS))) {
    if (row.trim() === '') continue;
    if (timingOf(row) !== null) {
      if (!isTimed) isNumbered = wasNumber;
      else if (wasNumber && !isNumbered) return 'cues';
      isTimed = true;
      wasNumber = false;
    } else if (isTimed && (wasNumber || isSpoken(row))) return 'cues';
    else wasNumber = isNumber(row);
  }
  return isTimed ? (wasNumber ? 'cues' : 'empty') : 'other';
}

/** The number of characters of the text that lets a user check an encoding. */
const SAMPLE_CHARS = 120;

/** Returns the beginning of the first text that has a letter outside of ASCII, otherwise of the first text; empty without one. */
export function firstSrtText(text: string): string {
  let first = '';
  for (const cue of cuesOf(text.slice(0, FIRST_CUE_CHARS))) {
    const spoken = cue?.slice(cue.indexOf('\n') + 1).replaceAll('\n', ' ') ?? '';
    // biome-ignore lint/suspicious/noControlCharactersInRegex: everything that is ASCII
    if (/[^\u0000-\u007f]/.test(spoken)) return spoken.slice(0, SAMPLE_CHARS);
    first ||= spoken.slice(0, SAMPLE_CHARS);
  }
  return first;
}

/** Yields each cue that has a text, as WebVTT writes it; null for each line at which none ends. */
function* cuesOf(text: string): Generator<string | null> {
  let timing: Timing | null = null;
  let rows: string[] = [];
  let isNumbered = false;
  for (const row of rowsOf(text)) {
    const next = timingOf(row);
    if (next === null) {
      rows.push(row.slice(0, MOST_ROW_CHARS));
      yield null;
      continue;
    }
    if (timing === null) isNumbered = isNumber(rows.findLast((each) => each.trim() !== '') ?? '');
    else yield cueText(timing, isNumbered ? withoutNumber(rows) : rows);
    timing = next;
    rows = [];
  }
  if (timing !== null) yield cueText(timing, rows);
}

/**
 * Returns the lines between two timings without the number of the second cue. It is directly above the timing; in a file whose
 * lines were doubled there are blank lines on both of its sides.
 */
function withoutNumber(rows: readonly string[]): readonly string[] {
  const last = rows.findLastIndex((row) => row.trim() !== '');
  if (last < 0 || !isNumber(rows[last] ?? '')) return rows;
  const isAbove = last === rows.length - 1;
  const isApart = last === 0 || (rows[last - 1] ?? '').trim() === '';
  return isAbove || isApart ? rows.slice(0, last) : rows;
}

function isNumber(row: string): boolean {
  return /^\d{1,9}$/.test(row.trim());
}

/** Returns a cue in WebVTT; null when it shows no text. */
function cueText({ from, to }: Timing, rows: readonly string[]): string | null {
  const filled = rows.filter((row) => row.trim() !== '');
  const place = filled.reduce<string | null>((found, row) => found ?? placeOf(row), null);
  const lines = filled.map(lineText).filter((line) => line.trim() !== '');
  if (!lines.some(isShown)) return null;
  return [`${from} --> ${to}${place ?? ''}`, ...lines].join('\n');
}

/** Returns whether a line of SRT has a text that can't be the number of a cue. */
function isSpoken(row: string): boolean {
  return !isNumber(row) && isShown(lineText(row.slice(0, MOST_ROW_CHARS)));
}

/** Returns whether a converted line has more than tags. */
function isShown(line: string): boolean {
  return line.replace(/<[^<>]*>/g, '').trim() !== '';
}

/** Returns the setting for the place that a mark such as `{\an8}` names: 7 to 9 are at the top, 4 to 6 in the middle. */
function placeOf(row: string): string | null {
  const digit = Number(/\{\\an([1-9])/.exec(row)?.[1] ?? 0);
  return digit >= 7 ? ' line:0' : digit >= 4 ? ' line:50%' : null;
}

/**
 * Converts a line of a cue: escapes its text, keeps the tags that WebVTT knows as well, and removes other tags and the marks of
 * SubStation Alpha. A tag never extends beyond the next `<`, so each character is read for one tag only.
 */
function lineText(row: string): string {
  return row
    .replace(/\{\\[^{}]*\}/g, '')
    .replace(/&(?!(?:amp|lt|gt|nbsp);)/g, '&amp;')
    .replace(/<[^<>]*>|</g, (tag) => {
      if (/^<\/?[biu]>$/i.test(tag)) return tag.toLowerCase();
      return /^<[a-z/][^<]*>$/i.test(tag) ? '' : tag.replace('<', '&lt;');
    })
    .replaceAll('-->', '→');
}
