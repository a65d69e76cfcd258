/** Longer lines have no timing: two times and some settings. */
const MOST_TIMING_CHARS = 1000;
const TIME = /^(?:(\d{1,3}):)?(\d{1,3}):(\d{1,2})(?:[,.](\d{1,3}))?$/;

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const BLANK = 0x20;

/**
 * Yields the lines of a text one at a time, with one empty line for any number of blank lines. Reads all line ends, and those that
 * a program doubled: any number of carriage returns before a line feed is one line end. Takes linear time.
 */
export function* rowsOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    let end = from;
    while (end < text.length && !isLineEnd(text.charCodeAt(end))) end += 1;
    yield text.slice(from, end);
    from = behindLineEnd(text, end);
    const next = behindBlankLines(text, from);
    if (next > from) yield '';
    from = next;
  }
}

function isLineEnd(sign: number): boolean {
  return sign === LF || sign === CR;
}

/** Returns the position behind the line end at a position. */
function behindLineEnd(text: string, at: number): number {
  let end = at;
  while (text.charCodeAt(end) === CR) end += 1;
  // Carriage returns alone: each ends a line.
  return text.charCodeAt(end) === LF ? end + 1 : at + 1;
}

/** Returns the position of the first line that has more than blanks; of the last line if there is none. */
function behindBlankLines(text: string, from: number): number {
  let begin = from;
  for (let at = from; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (isLineEnd(sign)) begin = at + 1;
    else if (sign !== BLANK && sign !== TAB) break;
  }
  return begin;
}

/** When a cue is shown, as WebVTT writes it, such as `00:00:01.000`. */
export interface Timing {
  from: string;
  to: string;
}

/** Reads a timing line of SRT in all its forms: commas or points, with or without hours and blanks. null for any other line. */
export function timingOf(row: string): Timing | null {
  const arrow = row.length > MOST_TIMING_CHARS ? -1 : row.indexOf('-->');
  if (arrow < 0) return null;
  const from = vttTime(row.slice(0, arrow).trim());
  const to = vttTime(/^\S*/.exec(row.slice(arrow + 3).trimStart())?.[0] ?? '');
  return from === null || to === null ? null : { from, to };
}

function vttTime(text: string): string | null {
  const match = TIME.exec(text);
  if (match === null) return null;
  const [, hours, minutes = '', seconds = '', fraction = ''] = match;
  if (Number(seconds) > 59 || (hours !== undefined && Number(minutes) > 59)) return null;
  const allMinutes = Number(hours ?? 0) * 60 + Number(minutes);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(Math.floor(allMinutes / 60))}:${two(allMinutes % 60)}:${two(Number(seconds))}.${fraction.padEnd(3, '0')}`;
}
