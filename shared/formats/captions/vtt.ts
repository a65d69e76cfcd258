import { type Timing, timingOf } from './captions-rows.ts';

/**
 * What players do with WebVTT:
 * - `playable`  they show its cues
 * - `empty`     it has no cue with a text
 * - `times`     they leave out cues, because of their times, such as with commas, or one that ends before it begins
 * - `lines`     they leave out texts, because of blank lines behind the times
 */
export type VttState = 'playable' | 'empty' | 'times' | 'lines';

/** A timing line as players read it. */
const TIMING = /^[ \t]*(?:\d{2,}:)?[0-5]\d:[0-5]\d\.\d{3}[ \t]*-->[ \t]*(?:\d{2,}:)?[0-5]\d:[0-5]\d\.\d{3}(?:[ \t]|$)/;
const LONGEST_TIMING = 1000;

/** Reads WebVTT in the same way as players. Takes linear time. */
export function vttState(text: string): VttState {
  const reading = new Reading();
  for (const row of linesOf(text)) {
    const problem = reading.take(row);
    if (problem !== null) return problem;
  }
  return reading.cues === 0 ? 'empty' : 'playable';
}

class Reading {
  /** The number of cues with a text. */
  cues = 0;
  /** Where the next line is: above the first blank line, between blocks, in a cue, or in another block. */
  #within: 'header' | 'between' | 'cue' | 'other' = 'header';
  /** Whether the present cue has a text. */
  #isSpoken = false;
  /** Whether the last cue ended without a text. */
  #wasBare = false;

  /** Reads one line. Returns the problem that it shows. */
  take(row: string): 'times' | 'lines' | null {
    if (row.includes('-->')) return this.#takeTiming(row);
    if (row === '') this.#endBlock();
    else if (this.#within === 'cue') this.#takeText(row);
    else if (this.#within === 'between') return this.#beginBlock(row);
    return null;
  }

  #takeTiming(row: string): 'times' | null {
    const timing = timingOf(row);
    if (!isTiming(row)) return timing === null ? null : 'times';
    if (timing !== null && endsBefore(timing)) return 'times';
    this.#within = 'cue';
    this.#isSpoken = false;
    this.#wasBare = false;
    return null;
  }

  #endBlock(): void {
    if (this.#within === 'cue') this.#wasBare = !this.#isSpoken;
    this.#within = 'between';
  }

  #takeText(row: string): void {
    if (row.trim() === '' || this.#isSpoken) return;
    this.#isSpoken = true;
    this.cues += 1;
  }

  /** A block without times behind a cue without a text is probably its text, unless it is the number of the next cue. */
  #beginBlock(row: string): 'lines' | null {
    this.#within = 'other';
    const isApart = /^(?:NOTE|STYLE|REGION)(?:[ \t]|$)/.test(row) || /^\d{1,9}$/.test(row.trim());
    return this.#wasBare && !isApart ? 'lines' : null;
  }
}

/** Whether a cue ends before it begins. Some programs write cues that end when they begin: those miss little, and are accepted. */
function endsBefore({ from, to }: Timing): boolean {
  // More digits of hours are a later time.
  return to.length === from.length ? to < from : to.length < from.length;
}

function isTiming(row: string): boolean {
  return TIMING.test(row.slice(0, LONGEST_TIMING));
}

/**
 * Yields the lines as the standard of WebVTT splits them, with one empty line for any number of them: a line feed, a carriage return,
 * or both ends a line.
 */
function* linesOf(text: string): Generator<string> {
  let wasEmpty = false;
  for (let from = 0; from < text.length; ) {
    let end = from;
    while (end < text.length && !isLineEnd(text.charCodeAt(end))) end += 1;
    if (end > from || !wasEmpty) yield text.slice(from, end);
    wasEmpty = end === from;
    from = end + (text.startsWith('\r\n', end) ? 2 : 1);
  }
}

function isLineEnd(sign: number): boolean {
  return sign === 0x0a || sign === 0x0d;
}
