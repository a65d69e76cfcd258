import { textTokens } from './text-tokens.ts';
import { diffTokens } from './token-diff.ts';

/** A part of a text, in UTF-16 units. */
export interface TextRange {
  from: number;
  to: number;
}

/**
 * The maximum number of characters of a compared text. A longer text would have too many marks for a reader, and each mark is
 * an element of the page.
 */
export const MOST_COMPARED = 50_000;

/**
 * Returns the parts of a text that at least one of the other texts does not have, in order; blanks at their ends are omitted, and
 * parts with only blanks between them are one. `isHtml`: tags and entities are compared as a whole.
 */
export function differingWords(text: string, others: readonly string[], { isHtml }: { isHtml: boolean }): TextRange[] {
  if ([text, ...others].some(({ length }) => length > MOST_COMPARED)) return [];
  const numbers = new Map<string, number>();
  const numbered = (of: string) => {
    const tokens = textTokens(of, isHtml);
    const list = Int32Array.from(tokens, (token) => {
      // All blanks count as equal.
      const key = token.kind === 'blank' ? ' ' : token.text;
      const number = numbers.get(key) ?? numbers.size;
      numbers.set(key, number);
      return number;
    });
    return { tokens, list };
  };
  const { tokens, list } = numbered(text);
  const differs = new Uint8Array(tokens.length);
  for (const other of others) {
    for (const { from, to } of diffTokens(numbered(other).list, list)) differs.fill(1, from, to);
  }
  const ranges: TextRange[] = [];
  let at = 0;
  /** The end of the last range, as long as only blanks follow it. */
  let joinsAt: number | null = null;
  for (const [index, { text: token, kind }] of tokens.entries()) {
    const [from, to] = [at, at + token.length];
    at = to;
    if (kind === 'blank') continue;
    const last = ranges.at(-1);
    if (differs[index] !== 1) joinsAt = null;
    else if (last !== undefined && joinsAt === last.to) {
      last.to = to;
      joinsAt = to;
    } else {
      ranges.push({ from, to });
      joinsAt = to;
    }
  }
  return ranges;
}

/** A piece of a text that is marked completely, or not at all. */
export interface TextPiece {
  text: string;
  isMarked: boolean;
}

/** Splits the part of a text that begins at `start` along its ranges, which are in order. */
export function textPiecesOf(part: string, start: number, ranges: readonly TextRange[]): TextPiece[] {
  const end = start + part.length;
  const pieces: TextPiece[] = [];
  const add = (from: number, to: number, isMarked: boolean) => {
    if (from < to) pieces.push({ text: part.slice(from - start, to - start), isMarked });
  };
  let at = start;
  for (let index = firstAfter(ranges, start); index < ranges.length; index += 1) {
    const { from, to } = ranges[index] as TextRange;
    if (from >= end) break;
    add(at, Math.max(at, from), false);
    add(Math.max(at, from), Math.min(end, to), true);
    at = Math.min(end, to);
  }
  add(at, end, false);
  return pieces;
}

/** Returns the index of the first range that ends after a position. */
function firstAfter(ranges: readonly TextRange[], place: number): number {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle] as TextRange).to > place) high = middle;
    else low = middle + 1;
  }
  return low;
}
